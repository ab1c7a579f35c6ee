import type { Certainty } from '@reverie/shared/contract/ask';
import { chosenFor, type Quoted } from '../answer.ts';
import type { CitedMemory } from '../model/citing.ts';
import type { Look } from '../model/deciding.ts';
import type { Question } from '../question/question.ts';
import type { Answering } from '../reading/reranking.ts';
import { type Judged, judge } from './certainty.ts';
import { holdingOf, saidAt } from './holding.ts';
import { acrossBridge, bridgesOf } from './second-look.ts';

/** What is less likely than this share of the best is not cited. */
const LEAST_LIKELY = 0.01;

/** What is told without a model. */
export interface Told {
  readonly certainty: Certainty;
  readonly judged: Judged;
  readonly quotes: readonly Quoted[];
  /** Those that are quoted first, then those that may answer as well. */
  readonly memories: readonly CitedMemory[];
  /** What was looked for beside the question. */
  readonly looks: readonly Look[];
}

/** The answer without a model: what holds now before what held, or, where one note names what the question describes, what another says of that. */
export async function quoted(
  look: (text: string, asked?: Question) => Promise<Look>,
  { state }: Look,
  { isThere, limit }: { isThere: (one: Answering) => boolean; limit: number },
): Promise<Told> {
  const { question } = state;
  const ranked = state.ranked.filter(isThere);
  const judged = judge(question, ranked);
  const looks: Look[] = [];
  if (judged.certainty !== 'sure') {
    for (const bridge of bridgesOf(question, ranked)) {
      const further = await look(bridge.text, question);
      looks.push(further);
      const [across] = acrossBridge(question, bridge, {
        others: further.state.ranked.filter(isThere),
        best: ranked[0],
      })
        .map((one) => ({ one, then: judge(question, [one]) }))
        .sort((a, b) => b.then.chance - a.then.chance);
      if (!across || across.then.certainty === 'none') continue;
      const quotes = [{ from: across.one }, { from: bridge.from }];
      // Two steps are never surer than likely.
      const certainty = across.then.certainty === 'sure' ? 'likely' : across.then.certainty;
      return {
        certainty,
        judged,
        quotes,
        memories: fewer([across.one, bridge.from, ...ranked], limit),
        looks,
      };
    }
  }
  const [best] = ranked;
  const { now, isOpen } = holdingOf(question, ranked);
  const atMost = isOpen && judged.certainty === 'sure' ? 'likely' : judged.certainty;
  if (best && now) {
    const quotes = [{ from: now }, { from: best, until: saidAt(now) }];
    return { certainty: atMost, judged, quotes, memories: fewer([now, best, ...ranked], limit), looks };
  }
  if (best?.evidence.later) {
    const { later: quote } = best.evidence;
    const quotes = [
      { from: best, quote },
      { from: best, isBefore: true },
    ];
    const memories = fewer([{ ...best, quote: quote.text }, ...ranked], limit);
    return { certainty: atMost, judged, quotes, memories, looks };
  }
  const least = LEAST_LIKELY * (best?.score ?? 0);
  const memories = fewer(
    ranked.filter(({ score }) => score >= least),
    limit,
  );
  const quotes = chosenFor(question, memories).map((from) => ({ from }));
  return { certainty: atMost, judged, quotes, memories, looks };
}

/** Each memory once, so many of them. */
function fewer(all: readonly CitedMemory[], limit: number): CitedMemory[] {
  return all
    .filter((one, at) => all.findIndex(({ memory }) => memory.id === one.memory.id) === at)
    .slice(0, limit);
}
