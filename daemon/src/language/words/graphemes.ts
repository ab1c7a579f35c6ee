/** Made when the first text needs it: that takes milliseconds, which a start has no use for. */
let graphemes: Intl.Segmenter | undefined;

/** The graphemes of a text, each with its place in UTF-16 units. */
export function graphemesOf(text: string): Iterable<{ segment: string; index: number }> {
  graphemes ??= new Intl.Segmenter('und', { granularity: 'grapheme' });
  return graphemes.segment(text);
}

/** Units before a place in which a border is looked for. */
const LOOKED_AT = 64;

/** The last border between graphemes at or before a place; within a grapheme that is longer than 64 units, one between code points. */
export function graphemeCut(text: string, largest: number): number {
  const from = Math.max(0, largest - LOOKED_AT);
  let cut = 0;
  for (const { index } of graphemesOf(text.slice(from, largest + LOOKED_AT))) {
    if (from + index > largest) break;
    cut = index;
  }
  if (cut > 0) return from + cut;
  const low = text.charCodeAt(largest) & 0xfc00;
  const high = text.charCodeAt(largest - 1) & 0xfc00;
  return high === 0xd800 && low === 0xdc00 ? largest - 1 : largest;
}
