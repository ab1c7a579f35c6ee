/** How Logseq writes the id of a block. */
export const BLOCK_ID = '[\\da-f]{8}-[\\da-f]{4}-[\\da-f]{4}-[\\da-f]{4}-[\\da-f]{12}';
const ID_LINE = new RegExp(String.raw`^[ \t]*(?:[-*] )?id::[ \t]*(${BLOCK_ID})[ \t]*\r?$`, 'gimu');
const BULLET = /^[ \t]*[-*](?:[ \t]|$)/u;
const PROPERTY = /^[ \t]*(?:[-*] )?[^\s:]+::(?:[ \t]|$)/u;
/** Blocks of a note that count, and characters of one that are shown. */
const MOST = 5_000;
const SHOWN = 1_000;

/** The ids that a note gives its blocks (`id:: …`), in small letters, in the order of the text, each once. */
export function blockIdsOf(value: string): string[] {
  if (!/id::/iu.test(value)) return [];
  const ids = new Set<string>();
  for (const [, id = ''] of value.matchAll(ID_LINE)) {
    if (ids.size === MOST) break;
    ids.add(id.toLowerCase());
  }
  return [...ids];
}

/** What the block of an id says, without what stands below it, its bullet and its properties; undefined where there is no such block. */
export function blockText(value: string, id: string): string | undefined {
  const found = value.matchAll(ID_LINE).find(([, one = '']) => one.toLowerCase() === id);
  if (!found) return undefined;
  const before = linesBefore(value, found.index);
  const after = linesBehind(value, found.index + found[0].length);
  // The line of the id may be the bullet itself.
  const lines = BULLET.test(found[0]) ? [found[0], ...after] : [...before, ...after];
  const text = lines
    .filter((line) => !PROPERTY.test(line))
    .map((line) => line.replace(/^[ \t]*(?:[-*](?:[ \t]+|$))?/u, '').trimEnd())
    .join('\n')
    .trim();
  return text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text;
}

/** The lines from the last bullet before a place on. */
function linesBefore(value: string, at: number): string[] {
  const lines: string[] = [];
  let length = 0;
  for (let end = at - 1; end > 0 && length <= SHOWN * 4;) {
    const start = value.lastIndexOf('\n', end - 1) + 1;
    const line = value.slice(start, end);
    lines.unshift(line);
    length += line.length + 1;
    if (BULLET.test(line)) break;
    end = start - 1;
  }
  return lines;
}

/** The lines behind a place up to the next bullet. */
function linesBehind(value: string, at: number): string[] {
  const lines = value.slice(at + 1, at + 1 + SHOWN * 4).split('\n');
  const next = lines.findIndex((line) => BULLET.test(line));
  return next === -1 ? lines : lines.slice(0, next);
}
