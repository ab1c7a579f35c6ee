import { type AnswerType, tells } from './answer-types.ts';
import { dot, type Likeness } from './likeness.ts';
import type { Passage, ReadMemory, Word } from './passages.ts';
import type { WordVectors } from './ports.ts';
import type { Asked, Question } from './question.ts';

/** What is seen of a question in one sentence and the memory around it; every share is 0..1. */
export interface Evidence {
  readonly passage: Passage | undefined;
  /** How well the sentence covers each of the question's words. */
  readonly here: readonly number[];
  /** Share of the question's words, by their weight, that the sentence says itself, in these or like words. */
  readonly said: number;
  /** … that the sentence, its neighbours, the key or the metadata say. */
  readonly told: number;
  /** … in the same words only. */
  readonly literal: number;
  /** What of the names is there, 1 where the question has none. */
  readonly names: number;
  /** What of the words that are no names is there, 1 where it has none. */
  readonly attributes: number;
  /** What of the nouns that are asked for is there. */
  readonly focus: number;
  /** The word that is covered least. */
  readonly least: number;
  /** 1 where the sentence has what such an answer has to have, 0 where not, 0.5 where the question does not say. */
  readonly type: number;
  /** The same of the memory. */
  readonly typeNear: number;
  /** Cosine of the question and the sentence. */
  readonly cosine: number;
}

/** What is not in the sentence itself counts less. */
const NEARBY = 0.8;
/** Sentences of one memory that are looked at closely. */
const MOST_PASSAGES = 12;

export interface EvidenceDeps {
  likeness: Likeness;
  vectors: WordVectors;
}

/** The best sentence of a memory for a question, and what is seen in it. */
export function evidenceIn(deps: EvidenceDeps, question: Question, memory: ReadMemory): Evidence {
  const vector = deps.vectors.encode(question.words.map(({ text }) => text).join(' '));
  const label = question.words.map((word) => closest(deps.likeness, word, memory.label));
  const rows = memory.passages.map((passage) => ({
    passage,
    here: question.words.map((word) => closest(deps.likeness, word, passage.words)),
  }));
  const near = question.words.map((_, at) =>
    Math.max(label[at] ?? 0, ...rows.map(({ here }) => here[at] ?? 0)),
  );
  const first = (row: (typeof rows)[number]) => shareOf(question.words, question.words, row.here);
  const chosen = rows
    .map((row) => ({ row, share: first(row) }))
    .sort((a, b) => b.share - a.share)
    .slice(0, MOST_PASSAGES)
    .map(({ row: { passage, here } }) => {
      const told = here.map((share, at) => Math.max(share, NEARBY * (near[at] ?? 0)));
      const type = typeShare(question.expects, passage.text, question.text);
      const cosine = Math.max(
        0,
        dot(vector, deps.vectors.encode(passage.words.map(({ text }) => text).join(' '))),
      );
      const said = shareOf(question.words, question.words, here);
      return { passage, here, told, type, cosine, said, rank: said + 0.3 * type + 0.5 * cosine };
    });
  chosen.sort((a, b) => b.rank - a.rank);
  const best = chosen[0];
  const told = best?.told ?? label.map((share) => NEARBY * share);
  const share = (words: readonly Asked[]) => shareOf(question.words, words, told);
  const literal = best?.here.map((value) => (value === 1 ? 1 : 0)) ?? [];
  const attributes = question.words.filter(({ isName }) => !isName);
  return {
    passage: best?.passage,
    here: best?.here ?? question.words.map(() => 0),
    said: best?.said ?? 0,
    told: share(question.words),
    literal: shareOf(question.words, question.words, literal),
    names: question.names.length === 0 ? 1 : share(question.names),
    attributes: attributes.length === 0 ? 1 : share(attributes),
    focus: question.focus.length === 0 ? 1 : share(question.focus),
    least: Math.min(1, ...told),
    type: best?.type ?? 0,
    typeNear: Math.max(0, ...chosen.map(({ type }) => type)),
    cosine: best?.cosine ?? 0,
  };
}

function closest(likeness: Likeness, asked: Word, said: readonly Word[]): number {
  let best = 0;
  for (const word of said) {
    best = Math.max(best, likeness(asked, word));
    if (best === 1) break;
  }
  return best;
}

/** The weighted share of some of the question's words that is there. */
function shareOf(all: readonly Asked[], wanted: readonly Asked[], there: readonly number[]): number {
  let [mass, covered] = [0, 0];
  for (const [at, word] of all.entries()) {
    if (!wanted.includes(word)) continue;
    mass += word.weight;
    covered += word.weight * (there[at] ?? 0);
  }
  return mass === 0 ? 0 : covered / mass;
}

function typeShare(expects: readonly AnswerType[], text: string, said: string): number {
  if (expects.length === 0) return 0.5;
  return expects.some((type) => tells(type, text, said)) ? 1 : 0;
}
