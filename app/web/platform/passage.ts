import type { Passage } from '@reverie/shared/contract/search/passage';
import type { MarkedText } from '../ui/text/marked.ts';

/** A passage by itself: the daemon counts its marks in the whole value. */
export function markedPassage({ text, start, marks }: Passage): MarkedText {
  return { text, marks: marks.map(([from, to]) => [from - start, to - start] as const) };
}
