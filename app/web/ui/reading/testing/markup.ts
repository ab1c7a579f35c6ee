/** An element of a page's source, as React writes it: names in lower case, values escaped. */
export interface Tag {
  name: string;
  attributes: Readonly<Record<string, string>>;
}

/** The elements of static markup, in their order. */
export function tagsOf(markup: string): Tag[] {
  return [...markup.matchAll(/<([a-z][\w-]*)((?:\s[^\s=>]+(?:="[^"]*")?)*)\s*\/?>/gi)].map(
    ([, name = '', rest = '']) => ({
      name,
      attributes: Object.fromEntries(
        [...rest.matchAll(/\s([^\s=>]+)(?:="([^"]*)")?/g)].map(([, key = '', value = '']) => [
          key,
          unescaped(value),
        ]),
      ),
    }),
  );
}

function unescaped(value: string): string {
  return value
    .replaceAll('&quot;', '"')
    .replaceAll('&#x27;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
}
