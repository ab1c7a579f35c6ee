/** Where the text of a note begins behind its front matter, which is metadata; 0 where it has none. */
export function bodyAt(source: string): number {
  const opening = /^\uFEFF?---[ \t]*\r?\n/.exec(source);
  if (!opening) return 0;
  const closing = /^(?:---|\.\.\.)[ \t]*(?:\r?\n|$)/gm;
  closing.lastIndex = opening[0].length;
  const found = closing.exec(source);
  if (!found) return 0;
  // Between two rulers may stand text as well: every line of front matter is a name with a value, or goes on with one.
  const isYaml = source
    .slice(opening[0].length, found.index)
    .split(/\r?\n/)
    .every((line) => /^(?:[\w."'-][^:]*:(?:\s|$)|\s|-\s|#|[}\]]|$)/.test(line));
  return isYaml ? closing.lastIndex : 0;
}
