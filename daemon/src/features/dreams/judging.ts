import type { Strategy as StrategyName } from '@reverie/shared/contract/dreams';
import { z } from 'zod';
import type { Prompt } from '../../models/language-model.ts';
import type { Answered } from './job-state.ts';
import type { Kept } from './messages.ts';
import type { Asking } from './model-asking.ts';
import { mostTokens } from './minds.ts';
import { isJudged } from './model-prompts.ts';
import { type PatientModel, patientModel } from './model-patience.ts';
import { readSheets, type SheetsRead } from './sheet-reading.ts';
import type { DreamView, Proposal, Strategy, StrategyContext } from './strategies/strategy.ts';
import { type Verdicts, verdictsOn } from './verdicts.ts';

/** What is left of a strategy's proposals, and what was added to them, once a model has had its say. */
export interface Judged {
  readonly proposals: readonly Proposal[];
  /** Undefined where no model is asked. */
  readonly note?: string;
}

interface Judging {
  readonly strategy: Pick<Strategy, 'name' | 'sheets' | 'nominees'>;
  readonly view: DreamView;
  readonly context: StrategyContext;
}

/** What is known of answers that came before, and where those that come are kept. */
export interface Remembering {
  /** Whether a mark or fingerprint was written down. */
  readonly known: (mark: string) => boolean;
  /** What this dream was answered before it was interrupted. */
  readonly answered: (strategy: StrategyName) => Answered | undefined;
  readonly keep: (strategy: StrategyName, kept: Kept) => void;
}

export type Judge = (found: readonly Proposal[], judging: Judging) => Promise<Judged>;

/** Parts of what is left of the budget, between the strategies that still wait for some. */
const PARTS: Partial<Record<StrategyName, number>> = {
  contradict: 5,
  pattern: 4,
  refine: 2,
  connect: 1,
  forecast: 2,
};
const PASSED_OVER = 'it said nothing of it';
const SHARE = 'what is left of the budget is for other strategies';
const USED_UP = 'the budget of this dream is used up';

/**
 * Has a model judge what strategies propose, and find more of it on sheets of memories, where one is configured. A model that fails leaves
 * everything as it was found. The strategies of a dream share what is left of its budget.
 */
export function createJudge(
  strategies: readonly StrategyName[],
  { known, answered, keep }: Remembering,
): Judge {
  const waiting = new Set(strategies.filter(isJudged));
  let patient: (PatientModel & { name: string }) | undefined;
  return async (found, { strategy, view, context }) => {
    const { name, sheets } = strategy;
    const { model, budget, cancelled, progress } = context;
    const left = budget.left();
    const parts = [...waiting].reduce((sum, one) => sum + (PARTS[one] ?? 1), 0);
    const others = left - (left * (PARTS[name] ?? 1)) / Math.max(1, parts);
    waiting.delete(name);
    if (!model || !isJudged(name) || view.memories().length === 0) return { proposals: found };
    patient ??= { ...patientModel(model), name: model.model };
    const mind = patient;
    let isSpent = false;
    const mayAsk = (question: Prompt<unknown>): boolean => {
      if (mind.silence() !== undefined || cancelled()) return false;
      const most = mostTokens({ ...question, schema: z.toJSONSchema(question.schema) });
      const fits = budget.left() - most >= others;
      isSpent ||= !fits;
      return fits;
    };
    const asking: Asking = {
      strategy: name,
      view,
      model: mind,
      known,
      before: answered(name) ?? { found: [], held: {} },
      keep: (kept) => keep(name, kept),
      mayAsk,
      cancelled,
      progress,
    };
    const before = mind.useless();
    const verdicts = await verdictsOn(found, asking);
    const nominees = await verdictsOn((await strategy.nominees?.(view, context)) ?? [], asking, {
      needsYes: true,
    });
    const read = sheets && (await readSheets(sheets, asking));
    const told = besides(read?.proposals ?? [], verdicts);
    const again = sheets?.isDoubted ? await verdictsOn(told, asking, { isAgain: true }) : undefined;
    return {
      proposals: [...verdicts.kept, ...nominees.kept, ...(again?.kept ?? told)],
      note: noteOf(model.model, {
        verdicts,
        nominees,
        read,
        again,
        useless: mind.useless() - before,
        silence: mind.silence() ?? (isSpent ? (others > 0 ? SHARE : USED_UP) : PASSED_OVER),
      }),
    };
  };
}

/** What was found on sheets and is not what a rule had found already, or what was judged not to hold. One memory may name several days. */
function besides(told: readonly Proposal[], { kept, dropped }: Verdicts): Proposal[] {
  const isSameDay = (one: Proposal, other: Proposal) =>
    (one.content.startsWith(other.content) || other.content.startsWith(one.content)) &&
    one.evidence.some(({ key }) => other.evidence.some((of) => of.key === key));
  const [days, others] = [
    told.filter(({ strategy }) => strategy === 'forecast'),
    told.filter(({ strategy }) => strategy !== 'forecast'),
  ];
  const newDays = days.filter((one) => ![...kept, ...dropped].some((other) => isSameDay(one, other)));
  return [...newDays, ...besidesPairs(others, { kept, dropped })];
}

function besidesPairs(
  told: readonly Proposal[],
  { kept, dropped }: Pick<Verdicts, 'kept' | 'dropped'>,
): Proposal[] {
  const keysOf = ({ evidence }: Proposal) => new Set(evidence.map(({ key }) => key));
  const [known, refuted] = [kept.map(keysOf), dropped.map(keysOf)];
  return told.filter((proposal) => {
    const keys = keysOf(proposal);
    return !(
      known.some((of) => of.intersection(keys).size >= 2) ||
      refuted.some((of) => of.symmetricDifference(keys).size === 0)
    );
  });
}

function noteOf(
  model: string,
  {
    verdicts,
    nominees,
    read,
    again,
    useless,
    silence,
  }: {
    verdicts: Verdicts;
    nominees: Verdicts;
    read: SheetsRead | undefined;
    again: Verdicts | undefined;
    useless: number;
    silence: string;
  },
): string {
  // What it dropped in a dream before it does not drop again.
  const { of, judged, refused, reworded } = verdicts;
  const said = [
    `judged ${judged} of ${of}, dropped ${refused}, gave a reason for ${reworded}`,
    ...(nominees.of > 0
      ? [`took ${nominees.kept.length} of ${nominees.judged} doubtful ones, of ${nominees.of}`]
      : []),
    ...(read ? [`read ${read.read} of ${read.of} sheets, found ${read.proposals.length}`] : []),
    ...(again && again.of > 0
      ? [`looked at ${again.judged} of ${again.of} again, dropped ${again.refused}`]
      : []),
    ...(useless > 0 ? [`answered nothing of use to ${useless}`] : []),
  ].join('; ');
  const isWhole = judged === of && (!read || read.read === read.of) && (!again || again.judged === again.of);
  return isWhole || (useless > 0 && silence === PASSED_OVER)
    ? `${model} ${said}`
    : `${model} ${said}; the rest stands as it was found: ${silence}`;
}
