import { z } from 'zod';

/** What a question asks for: in the words of its note, in others, for a value that changed, over two notes, in another language, from a list or a table; or what no note says. */
export const kinds = [
  'direct',
  'reworded',
  'changed',
  'two_notes',
  'across',
  'lists',
  'near',
  'nowhere',
] as const;
export type Kind = (typeof kinds)[number];

/** A line of memories.jsonl. */
export const Note = z.object({
  namespace: z.string(),
  key: z.string(),
  value: z.string(),
  created_at: z.iso.datetime(),
});
export type Note = z.infer<typeof Note>;

/**
 * A line of questions.jsonl. An answer is right if it has one spelling of each
 * group of `answer`; `old` holds spellings of values that held before.
 */
export const Asked = z.object({
  id: z.string(),
  namespace: z.string(),
  kind: z.enum(kinds),
  question: z.string(),
  answer: z.array(z.array(z.string())),
  evidence: z.array(z.string()),
  old: z.array(z.string()).optional(),
  why: z.string().optional(),
});
export type Asked = z.infer<typeof Asked>;

/** What was answered, as far as it is judged: `first` is what a reader meets first. */
export interface Answered {
  readonly certainty: 'sure' | 'likely' | 'unsure' | 'none';
  readonly answer: string;
  /** Without a model the first quote; with one, or where two notes are needed, all that is said. */
  readonly first: string;
}

const plain = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[*_`|]/gu, ' ')
    .replace(/[’‘]/gu, "'")
    .replace(/\s+/gu, ' ');

/** Where a spelling begins in a text, as a word of its own; -1 where it does not stand in it. */
function placeOf(spelling: string, text: string): number {
  const wanted = plain(spelling).trim();
  const said = plain(text);
  const isPart = (char: string | undefined) => char !== undefined && /[\p{L}\p{N}]/u.test(char);
  for (let at = said.indexOf(wanted); at >= 0; at = said.indexOf(wanted, at + 1)) {
    const end = at + wanted.length;
    const cutsBefore = isPart(wanted[0]) && isPart(said[at - 1]);
    const cutsAfter = isPart(wanted.at(-1)) && isPart(said[end]);
    if (!cutsBefore && !cutsAfter) return at;
  }
  return -1;
}

const firstOf = (spellings: readonly string[], text: string): number => {
  const places = spellings.map((one) => placeOf(one, text)).filter((at) => at >= 0);
  return places.length === 0 ? -1 : Math.min(...places);
};

/** Whether what a reader meets first has all of the answer, with no earlier value in front of it. */
export function isRight(
  { answer, old = [] }: { answer: readonly (readonly string[])[]; old?: readonly string[] | undefined },
  { certainty, first }: Answered,
): boolean {
  if (certainty === 'none' || answer.length === 0) return false;
  const places = answer.map((spellings) => firstOf(spellings, first));
  if (places.some((at) => at < 0)) return false;
  const before = firstOf(old, first);
  return before < 0 || before > Math.max(...places);
}

/** Counts of one kind of question. */
export interface Tally {
  asked: number;
  right: number;
  none: number;
  /** By certainty: all, and those of them that are right. */
  said: Record<Answered['certainty'], { all: number; right: number }>;
}

export const emptyTally = (): Tally => ({
  asked: 0,
  right: 0,
  none: 0,
  said: {
    sure: { all: 0, right: 0 },
    likely: { all: 0, right: 0 },
    unsure: { all: 0, right: 0 },
    none: { all: 0, right: 0 },
  },
});

/** Adds one answer to a tally. */
export function count(tally: Tally, question: Asked, answered: Answered): boolean {
  const right = isRight(question, answered);
  tally.asked += 1;
  tally.right += Number(right);
  tally.none += Number(answered.certainty === 'none');
  tally.said[answered.certainty].all += 1;
  tally.said[answered.certainty].right += Number(right);
  return right;
}
