/** The text of a memory without a first heading that says its title, for that stands above it already. */
export function withoutTitle({ value, title }: { value: string; title: string }): string {
  const heading = /^\s*#{1,6}[ \t]+([^\n]*?)[ \t#]*(?:\n+|$)/u.exec(value);
  if (!heading || (heading[1] ?? '').trim() !== title) return value;
  const rest = value.slice(heading[0].length);
  return rest.trim() === '' ? value : rest;
}
