import type { Insight } from '@reverie/shared/contract/dreams';

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

/** What an insight says besides its title and the sentences that it quotes, line by line; empty where that is nothing. */
export function bodyOnce({ title, body, sources }: Pick<Insight, 'title' | 'body' | 'sources'>): string {
  const said = new Set(
    [title, ...sources.flatMap(({ sentence }) => [sentence, ...sentence.split('\n')])].map(bare),
  );
  return body
    .split('\n')
    .filter((line) => line.trim() === '' || !said.has(bare(line)))
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
  return change?.kind === 'merge' && sources.some(({ sentence }) => bare(sentence).includes(bare(title)));
}
