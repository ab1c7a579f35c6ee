import type { Strategy as StrategyName } from '@reverie/shared/contract/dream-strategies';
import { z } from 'zod';
import type { Answered } from '../jobs/job-state.ts';
import type { KeptAnswer } from '../thread/messages.ts';
import type { StrategyAsking } from './asking.ts';
import { mostTokens } from './within-budget.ts';
import { isJudged } from './prompts.ts';
import { type PatientModel, patientModel } from './patience.ts';
import { planSheets, type SheetProgress, sheetProgressOf, type SheetsPlanned } from './sheet-plan.ts';
import { readSheets, type SheetsRead } from './sheet-reading.ts';
import type { DreamView, Proposal, Strategy, StrategyContext } from '../strategies/strategy.ts';
import { type Verdicts, verdictsOn } from './verdicts.ts';

/** What is left of a strategy's proposals, and what was added to them, once a model has had its say. */
export interface JudgedProposals {
  readonly proposals: readonly Proposal[];
  /** Undefined where no model is asked. */
  readonly note?: string;
  /** How far the reading of the namespace is; undefined where nothing is read. */
  readonly reading?: SheetProgress;
}

interface Judging {
  readonly strategy: Pick<Strategy, 'name' | 'sheets' | 'nominees'>;
  readonly view: DreamView;
  readonly context: StrategyContext;
}

/** Where a model's answers are remembered: those of earlier dreams, those of this dream before an interruption, and those to come. */
export interface Remembering {
  /** Whether a mark or fingerprint was written down. */
  readonly known: (mark: string) => boolean;
  /** What this dream was answered before it was interrupted. */
  readonly answered: (strategy: StrategyName) => Answered | undefined;
  readonly keep: (strategy: StrategyName, kept: KeptAnswer) => void;
}

/** A strategy that has run, and what a model said of its proposals so far. */
export interface OpenedStrategy extends Judging {
  readonly found: readonly Proposal[];
  /** Undefined where no model is asked. */
  readonly asked?: {
    readonly verdicts: Verdicts;
    readonly useless: number;
    readonly silence: string;
    readonly planned?: SheetsPlanned;
  };
}

/** Has a model judge what strategies propose, and find more of it on sheets of memories. The strategies of a dream share what is left of its budget. */
export interface Judge {
  /** What rules propose is judged first, of all strategies: it yields most for a token. */
  open(found: readonly Proposal[], judging: Judging): Promise<OpenedStrategy>;
  /** The order in which all are to be concluded: what asks little for what it yields, then whatever has read least of the namespace. */
  inOrder<T extends OpenedStrategy>(opened: readonly T[]): T[];
  /** Asks about doubtful ones, reads sheets, and looks at what it found there once more. */
  conclude(opened: OpenedStrategy): Promise<JudgedProposals>;
}

/** Parts of what is left of the budget, between the strategies that still wait for some. */
const PARTS: Partial<Record<StrategyName, number>> = {
  forecast: 5,
  connect: 4,
  refine: 3,
  pattern: 3,
  contradict: 5,
};
/** What asks little is concluded first. */
const SOONER: readonly StrategyName[] = ['forecast', 'connect'];
const PASSED_OVER = 'it said nothing of it';
const SHARE = 'what is left of the budget is for other strategies';
const USED_UP = 'the budget of this dream is used up';

/** Makes the judge of a dream. A model that fails leaves everything as the strategies found it. */
export function createJudge(
  strategies: readonly StrategyName[],
  { known, answered, keep }: Remembering,
): Judge {
  const judged = strategies.filter(isJudged);
  const [unopened, unconcluded] = [new Set(judged), new Set(judged)];
  let patient: (PatientModel & { name: string }) | undefined;

  /** What the budget and the model allow a strategy to ask, and why they do not allow more. */
  function askingOf({ strategy: { name }, view, context }: Judging, waiting: Set<StrategyName>) {
    const { model, budget, cancelled, progress } = context;
    if (!model || !isJudged(name) || view.memories().length === 0) return undefined;
    patient ??= { ...patientModel(model), name: model.model };
    const mind = patient;
    const left = budget.left();
    const own = PARTS[name] ?? 1;
    const theirs = [...waiting].reduce((sum, one) => sum + (one === name ? 0 : (PARTS[one] ?? 1)), 0);
    const others = (left * theirs) / (own + theirs);
    let isSpent = false;
    const asking: StrategyAsking = {
      strategy: name,
      view,
      model: mind,
      known,
      before: answered(name) ?? { found: [], held: {} },
      keep: (kept) => keep(name, kept),
      mayAsk(question, { spare = 0, isFirst = false } = {}) {
        if (mind.silence() !== undefined || cancelled()) return false;
        const most = mostTokens({ ...question, schema: z.toJSONSchema(question.schema) });
        const fits = budget.left() - most >= spare + (isFirst ? 0 : others);
        isSpent ||= !fits;
        return fits;
      },
      cancelled,
      progress,
    };
    return {
      asking,
      mind,
      silence: () => mind.silence() ?? (isSpent ? (others > 0 ? SHARE : USED_UP) : PASSED_OVER),
    };
  }

  return {
    async open(found, judging) {
      const { strategy } = judging;
      const of = askingOf(judging, unopened);
      unopened.delete(strategy.name);
      if (!of) return { ...judging, found };
      const useless = of.mind.useless();
      const verdicts = await verdictsOn(found, of.asking);
      const planned = strategy.sheets && (await planSheets(strategy.sheets, of.asking));
      return {
        ...judging,
        found,
        asked: {
          verdicts,
          useless: of.mind.useless() - useless,
          silence: of.silence(),
          ...(planned && { planned }),
        },
      };
    },
    inOrder(opened) {
      const byName = new Map(opened.map((one) => [one.strategy.name, one]));
      // Nothing is left for those that have read all, nor for those that failed.
      for (const name of unconcluded) {
        const one = byName.get(name);
        const hasRead = one?.asked?.planned?.sheets.length === 0;
        if (!one || (hasRead && !one.strategy.nominees)) unconcluded.delete(name);
      }
      const placeOf = ({ strategy: { name }, asked }: OpenedStrategy): number => {
        const place = SOONER.indexOf(name);
        if (place >= 0) return place - SOONER.length;
        if (!asked?.planned) return 0;
        const { read, of } = sheetProgressOf(asked.planned, asked.planned.sheets);
        return of === 0 ? 0 : read / of;
      };
      return opened.toSorted((a, b) => placeOf(a) - placeOf(b));
    },
    async conclude({ found, asked, ...judging }) {
      const { strategy, view, context } = judging;
      const of = asked && askingOf(judging, unconcluded);
      unconcluded.delete(strategy.name);
      if (!of) return { proposals: found };
      const { asking, mind, silence } = of;
      const { verdicts, planned } = asked;
      const before = mind.useless() - asked.useless;
      const nominees = await verdictsOn((await strategy.nominees?.(view, context)) ?? [], asking, {
        needsYes: true,
      });
      const read = planned && (await readSheets(planned, asking));
      const told = besides(read?.proposals ?? [], verdicts);
      const again = strategy.sheets?.isDoubted
        ? await verdictsOn(told, asking, { isAgain: true })
        : undefined;
      return {
        proposals: [...verdicts.kept, ...nominees.kept, ...(again?.kept ?? told)],
        note: noteOf(mind.name, {
          verdicts,
          nominees,
          read,
          again,
          useless: mind.useless() - before,
          silence: silence() === PASSED_OVER ? asked.silence : silence(),
        }),
        ...(read && { reading: read.reading }),
      };
    },
  };
}

/** What was found on sheets and is not what a rule had found already, or what was judged not to hold. One memory may name several days. */
function besides(told: readonly Proposal[], { kept, dropped }: Verdicts): Proposal[] {
  const keysOf = ({ evidence }: Proposal) => new Set(evidence.map(({ key }) => key));
  const isSameDay = (one: Proposal, other: Proposal) =>
    (one.content.startsWith(other.content) || other.content.startsWith(one.content)) &&
    !keysOf(one).isDisjointFrom(keysOf(other));
  const [known, refuted] = [kept.map(keysOf), dropped.map(keysOf)];
  return told.filter((proposal) => {
    if (proposal.strategy === 'forecast')
      return ![...kept, ...dropped].some((other) => isSameDay(proposal, other));
    const keys = keysOf(proposal);
    return !(
      known.some((of) => of.intersection(keys).size >= 2) ||
      refuted.some((of) => of.symmetricDifference(keys).size === 0)
    );
  });
}

interface Done {
  verdicts: Verdicts;
  nominees: Verdicts;
  read: SheetsRead | undefined;
  again: Verdicts | undefined;
  useless: number;
  silence: string;
}

/** What a model did with a strategy's proposals; what it dropped in a dream before it does not drop again. */
function noteOf(model: string, { verdicts, nominees, read, again, useless, silence }: Done): string {
  const { of, judged, refused, reworded } = verdicts;
  const misquoted = [verdicts, nominees, read, again].reduce((sum, one) => sum + (one?.misquoted ?? 0), 0);
  const said = [
    `judged ${judged} of ${of}, dropped ${refused}, gave a reason for ${reworded}`,
    nominees.of > 0 && `took ${nominees.kept.length} of ${nominees.judged} doubtful ones, of ${nominees.of}`,
    read && `read ${read.read} of ${read.of} sheets, found ${read.proposals.length}`,
    again && again.of > 0 && `looked at ${again.judged} of ${again.of} again, dropped ${again.refused}`,
    misquoted > 0 && `quoted for ${misquoted} what no note says`,
    useless > 0 && `answered nothing of use to ${useless}`,
  ].filter((part) => part !== false && part !== undefined);
  const isWhole = judged === of && (!read || read.read === read.of) && (!again || again.judged === again.of);
  const isDone = isWhole || (useless > 0 && silence === PASSED_OVER);
  return `${model} ${said.join('; ')}${isDone ? '' : `; the rest stands as it was found: ${silence}`}`;
}
