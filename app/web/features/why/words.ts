import { WEAKER } from '@reverie/shared/contract/search';

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
