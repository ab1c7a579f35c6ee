import { graphemeCut } from '../../../language/words/graphemes.ts';

/** A piece of a text, and where it stands in it, in UTF-16 units. */
export interface TextPiece {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** Characters (UTF-16 units) in a piece: shorter texts stay whole, longer ones are cut between these. */
export const SMALLEST = 600;
export const LARGEST = 1_200;

/**
 * Cuts a text into pieces of 600–1,200 characters, each at the best border there is: heading, paragraph, line, sentence,
 * blank, and only then between graphemes. Joined together, the pieces are the text. Takes linear time.
 */
export function piecesOf(text: string): TextPiece[] {
  const pieces: TextPiece[] = [];
  let start = 0;
  while (text.length - start > LARGEST) {
    const end = start + cutIn(text.slice(start, start + LARGEST + 1), text.length - start);
    pieces.push({ text: text.slice(start, end), start, end });
    start = end;
  }
  return [...pieces, { text: text.slice(start), start, end: text.length }];
}

/** Borders, best first; each match ends where a new piece may begin. */
const BORDERS: readonly RegExp[] = [
  /\n(?=#{1,6} )/g,
  /\n[ \t\r]*\n\s*/g,
  /\n/g,
  /(?:[.!?…]["'”’)\]]*\s+|[。！？]["」』）]*)/g,
  /\s+/g,
];

/** So many of them are the writer's own: for their sake a piece may be shorter. */
const STRUCTURAL = 2;

/**
 * Where to cut a window, which is one character longer than a piece may be; `left` is how many characters of text there are from its start.
 */
export function cutIn(window: string, left: number): number {
  const even = evenCut(left);
  for (const [rank, border] of BORDERS.entries()) {
    const structural = rank < STRUCTURAL;
    const cut = lastBorder(window, border, [
      structural ? SMALLEST / 2 : SMALLEST,
      structural ? LARGEST : even,
    ]);
    if (cut > 0) return cut;
  }
  return graphemeCut(window, even);
}

/**
 * How many characters the next piece may have: what is left for two pieces is shared between them, so that no piece of a few words remains
 * at the end.
 */
export function evenCut(left: number): number {
  return left < LARGEST + SMALLEST ? Math.max(SMALLEST, Math.ceil(left / 2)) : LARGEST;
}

/** The end of the border's last match that lies from `least` to `most`; 0 without one. */
function lastBorder(window: string, border: RegExp, [least, most]: readonly [number, number]): number {
  let cut = 0;
  for (const match of window.matchAll(border)) {
    const end = match.index + match[0].length;
    if (end > most) break;
    if (end >= least) cut = end;
  }
  return cut;
}
