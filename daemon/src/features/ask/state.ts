import type { AskStageName, AskStream } from '@reverie/shared/contract/ask';
import type { AskHit, StreamHits, KnownFact, AskScope } from './ports.ts';
import type { Question } from './question/question.ts';
import type { Answering } from './reading/reranking.ts';

/** What is known while an answer is looked for; each stage makes a new one. */
export interface AskState {
  readonly scope: AskScope;
  readonly question: Question;
  /** Ways to say the question, itself first. */
  readonly queries: readonly string[];
  /** What each stream found; together they are the candidates. */
  readonly found: readonly (StreamHits & { readonly name: AskStream })[];
  readonly facts: readonly KnownFact[];
  /** Best first, once they are ranked. */
  readonly ranked: readonly Answering[];
}

/** A stage either changes the state or says why it has nothing to do. */
export type StageOutcome = { readonly state: AskState } | { readonly skipped: string };

/** One of the six stages; it gets the state and what it needs, and remembers nothing from one run to the next. */
export interface Stage<Deps> {
  readonly name: AskStageName;
  run(deps: Deps, state: AskState): StageOutcome | Promise<StageOutcome>;
}

/** The state with what one more stream found; what a stream finds a second time is put behind its first hits, no memory twice. */
export function withFound(state: AskState, name: AskStream, hits: readonly AskHit[]): AskState {
  if (hits.length === 0) return state;
  const before = state.found.find((stream) => stream.name === name)?.hits ?? [];
  const known = new Set(before.map(({ id }) => id));
  const all = [...before, ...hits.filter(({ id }) => !known.has(id))];
  return { ...state, found: [...state.found.filter((stream) => stream.name !== name), { name, hits: all }] };
}

/** Ids of all candidates. */
export function candidateIds({ found }: Pick<AskState, 'found'>): number[] {
  return [...new Set(found.flatMap(({ hits }) => hits.map(({ id }) => id)))];
}
