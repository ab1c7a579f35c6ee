import type { askMemory } from '@reverie/shared/contract/ask';
import type { Elsewhere } from '@reverie/shared/contract/search';
import type { Parsed, Reply } from '@reverie/shared/contract/route';
import { type CitedMemory, citationOf } from './model/citing.ts';
import { type ModelDecision, type Look, stagesOf } from './model/deciding.ts';
import type { Respelled } from './ports.ts';
import { MOST_READ } from './question/phrasing.ts';
import { certaintyOf, type AskVerdict } from './verdict.ts';
import { judge } from './without-model/certainty.ts';

/** Memories are its only source; `askSources` knows more. */
export type AskInput = Omit<Parsed<typeof askMemory>['body'], 'sources' | 'queries'> & {
  /** Further wordings of the question. */
  readonly queries?: readonly string[];
};

/** All that was found out about a question. */
interface AskOutcome {
  readonly first: Look;
  /** Words of the question that were read as others. */
  readonly corrected: Respelled['corrected'];
  /** What the model decided; undefined where none was asked. */
  readonly decision: ModelDecision | undefined;
  readonly verdict: AskVerdict;
  readonly answer: string;
  /** Those that the answer rests on. */
  readonly memories: readonly CitedMemory[];
  /** Where another namespace is likely to answer. */
  readonly elsewhere: readonly Elsewhere[];
  /** The name of the model that may be used; undefined where there is none. */
  readonly model: string | undefined;
  /** Why a model that is configured decided nothing; undefined where it did, or none is. */
  readonly failed: string | undefined;
  /** Milliseconds since it was asked, asked once the citations are made. */
  readonly elapsed: () => number;
}

/** What is told of what was found out. */
export function replyOf(input: AskInput, outcome: AskOutcome): Reply<typeof askMemory> {
  const { verdict, decision, answer, elsewhere } = outcome;
  const certainty = certaintyOf(verdict);
  const found = certainty !== 'none';
  const looks = decision?.looks ?? [outcome.first];
  const states = looks.map(({ state }) => state);
  return {
    answer,
    citations: outcome.memories.map((answering) => citationOf(answering, states, input.explain)),
    latency_ms: Math.round(outcome.elapsed()),
    found,
    certainty,
    ...(elsewhere.length > 0 && { elsewhere: [...elsewhere] }),
    model: verdict.by === 'model' && found ? (outcome.model ?? null) : null,
    ...(input.explain && {
      stages: stagesOf(looks),
      understood: {
        ...readingOf(input.question, outcome),
        ...(!found && { abstained: answer }),
        ...(decision && { unsupported: decision.dropped }),
        ...(outcome.failed !== undefined && { model_failed: outcome.failed }),
      },
    }),
  };
}

/** How a question was read, and what the signs said of it. */
function readingOf(text: string, { first, decision, verdict, corrected }: AskOutcome) {
  const { question, queries, ranked } = first.state;
  const { isFar } = 'told' in verdict ? verdict.told.judged : judge(question, ranked);
  return {
    expects: [...question.expects],
    queries: [...queries.slice(1), ...(decision?.phrases ?? [])],
    decided_by: verdict.by === 'model' ? ('model' as const) : ('signs' as const),
    signs_found: !isFar,
    ...(corrected.length > 0 && { corrected }),
    ...(text.length > MOST_READ && { cut: { characters: MOST_READ, of: text.length } }),
  };
}
