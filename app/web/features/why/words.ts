import type { Passage } from '@reverie/shared/contract/search/passage';
import { WEAKER } from '@reverie/shared/contract/search/search';

/** Words that are named: more would be the whole passage. */
const NAMED = 5;

/** The words of a question that stand in a passage, as the memory writes them, each once. */
export function saidIn({ text, start, marks }: Pick<Passage, 'text' | 'start' | 'marks'>): string[] {
  const said = new Map<string, string>();
  for (const [from, to] of marks) {
    const word = text.slice(from - start, to - start);
    if (!said.has(word.toLowerCase())) said.set(word.toLowerCase(), word);
  }
  return [...said.values()].slice(0, NAMED);
}

const OTHERWISE: Readonly<Record<string, string>> = {
  vectors: 'It says much the same in other words',
  concepts: 'It says it in other words',
  words: 'It has words of the question elsewhere in it',
  session: 'It stands beside what was found',
  context: 'There is little else to choose from',
};

/** Why a memory was found, where no word of the question stands in what is quoted. */
export function otherwise(streams: readonly { name: string; rank: number }[]): string {
  const [best] = streams.toSorted((a, b) => a.rank - b.rank);
  return (best && OTHERWISE[best.name]) ?? 'It comes closest';
}

const STREAMS: Readonly<Record<string, string>> = {
  vectors: 'meaning',
  concepts: 'synonyms',
  words: 'words',
  session: 'its session',
  context: 'the whole namespace',
};

/** What brought a memory, for people. */
export function streamWords(name: string): string {
  return STREAMS[name] ?? plain(name);
}

/** From here on a memory is likely to answer what was looked for. */
const LIKELY = 0.5;

/** How well a memory fits a search, for people; scores mean the same in every search. */
export function fitWords(score: number): string {
  if (score >= LIKELY) return 'fits well';
  return score >= WEAKER ? 'may fit' : 'most likely about something else';
}

/** What moved a memory in the order, for people: `answer_type` is `answer type`. */
export function boostWords(name: string): string {
  return plain(name);
}

function plain(name: string): string {
  return name.replaceAll('_', ' ');
}
