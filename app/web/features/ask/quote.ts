import type { Citation } from '@reverie/shared/contract/search/ask';
import type { MarkedText } from '../../ui/text/marked.ts';
import { isSentence, ownTitle } from '../../ui/reading/own-title.ts';
import { plainWords } from '../../ui/reading/plain-line.ts';

/**
 * Whether a quote stands in a value as one piece, whatever its white space and `>`
 * marks; a row of a table does not, since it is quoted with its head.
 */
export function standsIn(value: string, quote: string): boolean {
  const plain = (text: string) => text.replace(/[\s>]+/gu, ' ').trim();
  return plain(value).includes(plain(quote));
}

/** A citation that an answer quotes, and what the answer says in front of it: `Until 12 August 2026`. */
export interface Quoted {
  citation: Citation;
  before: string;
}

/** The citations whose words stand in an answer without a model, in its order, and those that it leaves out. */
export function quotedIn(
  answer: string,
  citations: readonly Citation[],
): { quoted: Quoted[]; rest: Citation[] } {
  const places = citations.map((citation) => answer.indexOf(`"${citation.quote}" — ${citation.key}`));
  const quoted = citations
    .flatMap((citation, at) => {
      const place = places[at] ?? -1;
      if (place < 0) return [];
      const before = answer.slice(answer.lastIndexOf('\n', place) + 1, place).replace(/\s*:\s*$/u, '');
      return [{ citation, before, place }];
    })
    .toSorted((a, b) => a.place - b.place)
    .map(({ citation, before }) => ({ citation, before }));
  return { quoted, rest: citations.filter((_, at) => (places[at] ?? -1) < 0) };
}

/** The words of a memory that are quoted: all of a sentence, else the passage, without the title, which stands above. */
export function wordsOf({ value, title, quote, passage }: Citation): MarkedText {
  if (!passage || !standsIn(value, quote)) return { text: quote, marks: [] };
  if (isSentence({ value, title })) return { text: value, marks: passage.marks };
  const from = Math.max(passage.start, ownTitle({ value, title })?.textAt ?? 0);
  // A heading alone fits: there is nothing below it to quote.
  if (from >= passage.end) return { text: '', marks: [] };
  return {
    text: passage.text.slice(from - passage.start),
    marks: passage.marks.flatMap(([start, end]) =>
      start >= from ? [[start - from, end - from] as const] : [],
    ),
  };
}

/** Whether a sentence of an answer says the very words that are quoted. */
export function isSaid(answer: string, { text }: MarkedText): boolean {
  const bare = (words: string) =>
    plainWords(words)
      .replaceAll(/\[\d+\]/gu, '')
      .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
      .trim()
      .toLowerCase();
  return bare(answer).includes(bare(text));
}
