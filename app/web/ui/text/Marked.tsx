import { piecesOf, type MarkedText } from './marked.ts';

/** A text with its marks; `isShort` where only its beginning has room. */
export function Marked({ isShort = false, ...of }: MarkedText & { isShort?: boolean }) {
  return piecesOf(of, isShort).map((piece, at) =>
    piece.hit ? <mark key={at}>{piece.text}</mark> : <span key={at}>{piece.text}</span>,
  );
}
