import { bodyAt } from '../../../ui/reading/front-matter.ts';

/**
 * Where the text of a memory begins that is to be read below its title: behind its front matter, and behind a first
 * heading that says the title once more. 0 where nothing is passed over.
 */
export function textAt({ value, title }: { value: string; title: string }): number {
  const from = bodyAt(value);
  const heading = /^\s*#{1,6}[ \t]+([^\n]*?)[ \t#]*(?:\n+|$)/u.exec(value.slice(from));
  if (!heading || (heading[1] ?? '').trim() !== title) return 0;
  const at = from + heading[0].length;
  return value.slice(at).trim() === '' ? 0 : at;
}
