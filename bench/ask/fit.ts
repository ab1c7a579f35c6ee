/**
 * Fits what orders ask's candidates (features/ask/reading/reranking.ts) and what says how sure an answer is (features/ask/without-model/certainty.ts):
 *
 *   node bench/ask/fit.ts
 *
 * On the tune half of the retrieval set, the near misses of bench/retrieval and the open lives; nothing blind. Prints the weights, and for each
 * source what they do to questions that were left out of the fit (five folds, by memory): how often the first candidate is right, and at each
 * chance how many are right, and how much of what is answerable and of what is not lies above it.
 */
import type { Linear } from '../../daemon/src/features/ask/reading/linear.ts';
import { signsOf } from '../../daemon/src/features/ask/without-model/certainty.ts';
import { type Answering, featuresOf, scoreBy } from '../../daemon/src/features/ask/reading/reranking.ts';
import { isFromElsewhere, type Seen, seenQuestions, type Source, sources } from './fit-questions.ts';
import { type Example, foldOf, listwise, logistic, sum } from '../retrieval/fitting.ts';
import { isRight as says } from './judging.ts';

const FOLDS = 5;
/** What a question counts. Those of near-misses-2 are many and of one manner. */
const COUNTS: Readonly<Record<Source, number>> = {
  'own set, tune half': 1,
  'near-misses': 1,
  'near-misses-2': 0.3,
  open: 2,
};
/** … and one that was written for other memories. */
const FROM_ELSEWHERE = 0.2;

/** Whether a candidate answers: by its quote where the set says what an answer has, else by its memory. Of a value that changed either one may come first: another rule orders them. */
function answers({ question }: Seen, { memory, evidence }: Answering): boolean {
  const { answer, old, evidence: keys, kind } = question;
  if (!answer) return keys.includes(memory.key);
  if (kind === 'two_notes' || !keys.includes(memory.key)) return false;
  const said = { certainty: 'likely', answer: '', first: evidence.quote?.text ?? '' } as const;
  return says({ answer }, said) || (old !== undefined && says({ answer: [old] }, said));
}

const inOrder = ({ state }: Seen, model: Linear): Answering[] =>
  state.ranked
    .map((one) => ({ ...one, ...scoreBy(one, model) }))
    .sort((a, b) => b.score - a.score || a.place - b.place);

const rounded = ({ bias, weights }: Linear): Linear => ({
  bias: Number(bias.toFixed(2)),
  weights: Object.fromEntries(Object.entries(weights).map(([name, of]) => [name, Number(of.toFixed(2))])),
});

/** Orders the candidates: fitted on questions whose answer is among them; then scaled so that the sum says how likely one of the first ten answers. */
function fitOrder(some: readonly Seen[]): Linear {
  const choices = some
    .filter((one) => one.state.ranked.some((answering) => answers(one, answering)))
    .map((one) => ({
      rows: one.state.ranked.map(featuresOf),
      right: one.state.ranked.map((answering) => answers(one, answering)),
    }));
  const order = listwise(choices, { penalty: 0.02 });
  const pages = some.flatMap((one) =>
    inOrder(one, order)
      .slice(0, 10)
      .map((answering): Example => {
        const row = { sum: sum(order, featuresOf(answering)) };
        return { row, yes: answers(one, answering), counts: 1 };
      }),
  );
  const { bias, weights } = logistic(pages, { penalty: 0.01 });
  const factor = weights['sum'] ?? 1;
  return rounded({
    bias,
    weights: Object.fromEntries(Object.entries(order.weights).map(([name, of]) => [name, of * factor])),
  });
}

interface Signed {
  readonly seen: Seen;
  readonly example: Example;
}

const fit = (some: readonly Signed[]): Linear =>
  rounded(
    logistic(
      some.map(({ example }) => example),
      { penalty: 1 },
    ),
  );

const seen = (await seenQuestions()).filter(
  ({ question }) => !isFromElsewhere(question) || foldOf(question.id, 5) === 0,
);
// Its weights are fitted once, on all questions: what is left out of a fit hardly moves them.
const order = fitOrder(
  seen.filter(({ source, question }) => source !== 'near-misses-2' || foldOf(question.id, 3) === 0),
);
const all = seen.map((one): Signed => {
  const ranked = inOrder(one, order);
  const yes = ranked[0] !== undefined && answers(one, ranked[0]);
  const counts = COUNTS[one.source] * (isFromElsewhere(one.question) ? FROM_ELSEWHERE : 1);
  return { seen: one, example: { row: signsOf(one.state.question, ranked), yes, counts } };
});
const unseen = Array.from({ length: FOLDS }, (_, fold) => {
  const isOut = ({ seen: { group } }: Signed) => foldOf(group, FOLDS) === fold;
  const model = fit(all.filter((one) => !isOut(one)));
  return all
    .filter(isOut)
    .map((one) => ({ ...one, chance: 1 / (1 + Math.exp(-sum(model, one.example.row))) }));
}).flat();

const percent = (some: number, of: number) => (of === 0 ? '–' : `${((100 * some) / of).toFixed(0)} %`);
for (const source of sources) {
  const of = unseen.filter((one) => one.seen.source === source);
  const isAnswerable = (one: Signed) => one.seen.question.unanswerable !== true;
  const yes = of.filter(isAnswerable);
  console.log(
    `${source}: first right ${percent(yes.filter(({ example }) => example.yes).length, yes.length)}`,
  );
  for (const least of [0.02, 0.03, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85]) {
    const above = of.filter(({ chance }) => chance >= least);
    console.log(
      `  from ${least}: right ${percent(above.filter(({ example }) => example.yes).length, above.length)} of them; ` +
        `${percent(above.filter(isAnswerable).length, yes.length)} of what is answerable, ` +
        `${percent(above.length - above.filter(isAnswerable).length, of.length - yes.length)} of what is not`,
    );
  }
}
console.log('reranking.ts', order);
console.log('certainty.ts', fit(all));
