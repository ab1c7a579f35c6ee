/** A text with the places in it that are marked, in their order. */
export interface MarkedText {
  text: string;
  marks: readonly (readonly [start: number, end: number])[];
}

/** A part of a text, marked or not. */
export interface MarkedPiece {
  text: string;
  hit: boolean;
}

/** Characters before the first mark that a short place has room for. */
const BEFORE = 60;
const LEFT = 30;

/** Cuts a text at its marks. Where only its beginning has room, the first mark is brought near to it. */
export function piecesOf({ text, marks }: MarkedText, isShort = false): MarkedPiece[] {
  const [[first] = [0]] = marks;
  const blank = isShort && first > BEFORE ? text.indexOf(' ', first - LEFT) : -1;
  let from = blank >= 0 && blank < first ? blank : 0;
  const pieces: MarkedPiece[] = from > 0 ? [{ text: '…', hit: false }] : [];
  for (const [start, end] of marks) {
    pieces.push({ text: text.slice(from, start), hit: false }, { text: text.slice(start, end), hit: true });
    from = end;
  }
  pieces.push({ text: text.slice(from), hit: false });
  return pieces.filter((piece) => piece.text !== '');
}
