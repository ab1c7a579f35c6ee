import type { Insight } from '@reverie/shared/contract/dreams/dreams';
import { diffWords } from '../../ui/text/diff.ts';
import type { MarkedText } from '../../ui/text/marked.ts';

/** Two texts with the words marked in which they differ; without marks where they have too little in common. */
export function differing(before: string, after: string): readonly [MarkedText, MarkedText] {
  const runs = diffWords(before, after);
  if (!runs) return [unmarked(before), unmarked(after)];
  const marksOf = (own: 'removed' | 'added') => {
    const marks: [number, number][] = [];
    let at = 0;
    for (const { kind, parts } of runs) {
      if (kind !== 'same' && kind !== own) continue;
      const text = parts.join('');
      const lead = text.length - text.trimStart().length;
      const end = at + text.trimEnd().length;
      if (kind === own && end > at + lead) marks.push([at + lead, end]);
      at += text.length;
    }
    return marks;
  };
  return [
    { text: before, marks: marksOf('removed') },
    { text: after, marks: marksOf('added') },
  ];
}

/** A title with those of its words marked that are marked in the texts it is about. */
export function titleMarks(title: string, texts: readonly MarkedText[]): MarkedText {
  const words = texts.flatMap(({ text, marks }) => marks.map(([start, end]) => text.slice(start, end)));
  const marks: [number, number][] = [];
  for (const word of words) {
    const at = title.indexOf(word);
    if (at >= 0 && !marks.some(([start, end]) => at < end && at + word.length > start))
      marks.push([at, at + word.length]);
  }
  return { text: title, marks: marks.toSorted(([a], [b]) => a - b) };
}

/** The sentence that an insight quotes from a memory. */
export function sentenceOf({ sources }: Pick<Insight, 'sources'>, key: string): string {
  return sources
    .filter((source) => source.key === key)
    .map(({ sentence }) => sentence.trim())
    .join('\n');
}

function unmarked(text: string): MarkedText {
  return { text, marks: [] };
}
