/** Lines of the first block of a page of Logseq that are read for its properties. */
const MOST_LINES = 100;

/** A line of the first block of a page of Logseq, without the blanks at its end: the name, and the value. */
export const PAGE_PROPERTY = /^(?:- | {0,2})([^\s:]+)::(?:[ \t]+(.*))?$/u;

/** The properties with which a page of Logseq begins, in its first block. */
export function pageProperties(body: string): Record<string, string> {
  const properties: Record<string, string> = {};
  for (const line of body.trimStart().split('\n', MOST_LINES)) {
    const [, name, value = ''] = PAGE_PROPERTY.exec(line.trimEnd()) ?? [];
    if (name === undefined) break;
    // An id names the block, and is no word of the page.
    if (name !== 'id' && value.trim() !== '') properties[name.toLowerCase()] = value.trim();
  }
  return properties;
}

/** Returns what a file of Logseq is called there: `Ns___Page` is `Ns/Page`, and what no file name may have is escaped; undefined where it is the same. */
export function pageName(fileName: string): string | undefined {
  if (!/___|%[\da-f]{2}/iu.test(fileName)) return undefined;
  return fileName.replaceAll('___', '/').replaceAll(/(?:%[\da-f]{2})+/giu, (escaped) => {
    try {
      return decodeURIComponent(escaped);
    } catch {
      // It stands for itself.
      return escaped;
    }
  });
}
