import type { Insight } from '@reverie/shared/contract/dreams/dreams';
import { plainWords } from '../../ui/reading/plain-line.ts';

/** A sentence that notes say, once, with all that say it; no sentence where the title says it already. */
export interface QuotedOnce {
  sentence: string | undefined;
  keys: readonly string[];
}

/** A text as it is compared: one told in quotes, as an item of a list or with another full stop is the same. */
function bare(text: string): string {
  return text
    .replaceAll(/\s+/gu, ' ')
    .replace(/^[\s"“„«'‘>*•-]+/u, '')
    .replace(/[\s"”“»'’.:;,]+$/u, '')
    .toLocaleLowerCase();
}

/** The letters and figures of a text alone: a quote is the same with and without its Markdown. */
function lettersOf(text: string): string {
  return text
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .toLocaleLowerCase();
}

/** A line without what stands behind a quote: the key of its memory and the day, as in `- It rained. ("weather", 2026-06-08)`. */
function withoutSource(line: string, keys: readonly string[]): string {
  const key = keys.find((one) => line.includes(` ("${one}", `));
  return key === undefined ? line : line.slice(0, line.lastIndexOf(` ("${key}", `));
}

/** What an insight says besides its title and the sentences that it quotes, line by line; empty where that is nothing. */
export function bodyOnce({ title, body, sources }: Pick<Insight, 'title' | 'body' | 'sources'>): string {
  const keys = sources.map(({ key }) => key);
  const said = new Set(
    [title, ...sources.flatMap(({ sentence }) => [sentence, ...sentence.split('\n')])].map(lettersOf),
  );
  return body
    .split('\n')
    .filter((line) => line.trim() === '' || !said.has(lettersOf(plainWords(withoutSource(line, keys)))))
    .join('\n')
    .replaceAll(/\n{3,}/gu, '\n\n')
    .trim();
}

/** The sentences that an insight quotes, each once. */
export function quotesOnce({ title, sources }: Pick<Insight, 'title' | 'sources'>): QuotedOnce[] {
  const groups = Map.groupBy(sources, ({ sentence }) => bare(sentence));
  return [...groups].map(([text, same]) => ({
    sentence: text === bare(title) ? undefined : same[0]?.sentence,
    keys: [...new Set(same.map(({ key }) => key))],
  }));
}

/** Whether notes that stand below an insight as a whole say its title word for word: then it is not said above them, too. */
export function isTitleBelow({
  title,
  change,
  sources,
}: Pick<Insight, 'title' | 'change' | 'sources'>): boolean {
  const isWhole = change?.kind === 'merge' || change?.kind === 'disagree';
  return isWhole && sources.some(({ sentence }) => bare(sentence).includes(bare(title)));
}
