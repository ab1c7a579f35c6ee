import type { AccountId } from '@reverie/shared/accounts/caller';
import type { AgentKind, Examination } from '@reverie/shared/contract/system/models';
import { type LanguageModel, ModelFailure } from '../../../models/language-model.ts';
import { generatingBy, type SheetBook, tokensOfFailure } from '../../../models/metered.ts';
import { createLanguageModel } from '../../../models/openai-compatible.ts';
import type { Clock } from '../../../platform/clock.ts';
import { type AgentCheckDeps, freshAgent } from '../agent-check.ts';
import type { ModelChoice } from '../choices.ts';
import { type ExaminationPair, type ExaminationQuestion, type Paper, readPaper } from './examination-data.ts';
import {
  judged,
  judgedVectors,
  type ExaminationMark,
  markOf,
  median,
  type ExaminationOutcome,
} from './examination-marks.ts';
import { embedded, nearestThree, type TableVectors } from './examination-vectors.ts';
import { type CheckDeps, isRefusedWith, type Reached, reachVectors, sayOneWord } from '../server-check.ts';

/** Where a model is examined: the notes of the paper, and the same code that answers and judges for users. */
export interface Room {
  /** What ask makes of a question with a model that is shown the notes that answer it, and others. */
  answer(
    model: LanguageModel,
    question: ExaminationQuestion,
    signal: AbortSignal,
  ): Promise<ExaminationOutcome>;
  /** Whether a model says that two notes contradict each other, as dreams ask; undefined where it says nothing of use. */
  contradicts(model: LanguageModel, pair: ExaminationPair, signal: AbortSignal): Promise<boolean | undefined>;
  close(): void;
}

export interface RunDeps {
  clock: Pick<Clock, 'now'>;
  check: CheckDeps & { agents: AgentCheckDeps };
  /** Lays the paper out; opened for one examination. */
  openRoom: (paper: Paper) => Promise<Room>;
  table: TableVectors;
  /** Where the questions to it are written down, as those of an account. */
  book: (choice: ModelChoice, account: AccountId) => SheetBook;
}

/** One question may take so long; what is slower is too slow for dreams, too. */
const QUESTION_MS = 60_000;
/** Questions in a row that bring nothing of use, after which nothing more is asked. */
const PATIENCE = 3;

/** Where an examination says how far it is, and hears that it is to stop. */
export interface ExaminationProgress {
  readonly signal: AbortSignal;
  readonly tell: (news: Partial<Examination>) => void;
}

type Result = Pick<Examination, 'fit_for' | 'verdict'>;

/** A model of a server that answered, and how many tokens it reads at once, where its server says so; or an agent's command. */
export type Examinee = {
  readonly choice: ModelChoice;
  /** Who has it examined. */
  readonly account: AccountId;
} & (
  | { readonly fresh: Reached['fresh']; readonly contextTokens: number | undefined }
  | { readonly agent: AgentKind }
);

/**
 * Examines a model as one that talks, or, where its server refuses to have it talk, as one that makes vectors. Rejects where it can do
 * neither.
 */
export async function examined(
  deps: RunDeps,
  examinee: Examinee,
  telling: ExaminationProgress,
): Promise<Result> {
  const { choice, account } = examinee;
  const book = deps.book(choice, account);
  if ('agent' in examinee) {
    const asked = { kind: examinee.agent, name: choice.model, timeoutMs: QUESTION_MS };
    return examinedInWords({ ...deps, book }, freshAgent(deps.check.agents, asked), telling);
  }
  const { fresh, contextTokens } = examinee;
  try {
    await sayOneWord(fresh(), choice, telling.signal);
  } catch (cause) {
    // One that makes vectors does not talk: servers refuse it, each in its own way.
    if (!isRefusedWith(cause, 400, 404, 405, 422, 500, 501)) throw cause;
    const reached = await reachVectors(deps.check, choice).catch(() => undefined);
    if (!reached) throw cause;
    return examinedVectors(deps, { choice, ...reached }, telling);
  }
  // Left alone after a failure, it would fail the next question, too, without having been asked it.
  const server = {
    ...fresh(),
    ask: ((limits, ask) => fresh().ask(limits, ask)) as ReturnType<typeof fresh>['ask'],
    wait: () => 0,
  };
  const { baseUrl, model: name } = choice;
  const model = createLanguageModel({
    server,
    baseUrl,
    model: name,
    timeoutMs: QUESTION_MS,
    contextTokens: () => contextTokens,
  });
  return examinedInWords({ ...deps, book }, model, telling);
}

/** Question by question, then pair by pair. */
async function examinedInWords(
  { clock, openRoom, book }: Pick<RunDeps, 'clock' | 'openRoom'> & { book: SheetBook },
  model: LanguageModel,
  { signal, tell }: ExaminationProgress,
): Promise<Result> {
  const paper = readPaper();
  const marks: ExaminationMark[] = [];
  const pairs: boolean[] = [];
  const seconds: number[] = [];
  let tokens = 0;
  let failures: string[] = [];
  const counted = countingTokens({ model, book }, (took) => (tokens += took));
  const progress = () => {
    const count = (...of: ExaminationMark[]) => marks.filter((mark) => of.includes(mark)).length;
    const rightPairs = pairs.filter(Boolean).length;
    const right = count('right', 'declined_rightly') + rightPairs;
    const done = marks.length + pairs.length;
    tell({
      done,
      right,
      wrong: done - right,
      declined_rightly: count('declined_rightly'),
      seconds_median: median(seconds),
      tokens,
    });
  };
  const note = (failure: string | undefined) => {
    failures = failure === undefined ? [] : [...failures, failure];
    if (failures.length >= PATIENCE)
      throw new ModelFailure('garbage', `It failed ${PATIENCE} times in a row: ${failure}`);
    signal.throwIfAborted();
  };
  const room = await openRoom(paper);
  try {
    for (const question of paper.questions) {
      const from = clock.now();
      const said = await room.answer(counted, question, signal);
      seconds.push((clock.now() - from) / 1000);
      note(said.kind === 'failed' ? said.why : undefined);
      marks.push(markOf(question, said));
      progress();
    }
    for (const pair of paper.pairs) {
      let failure: string | undefined;
      const told = await room.contradicts(counted, pair, signal).catch((cause: unknown) => {
        if (!(cause instanceof ModelFailure)) throw cause;
        failure = cause.message;
        return undefined;
      });
      note(failure);
      pairs.push(told === pair.contradicts);
      progress();
    }
  } finally {
    room.close();
  }
  return judged({ questions: marks, pairs, secondsMedian: median(seconds) ?? 0 });
}

/** A model whose questions are written down and whose tokens are counted, those of answers of no use too. */
function countingTokens(
  { model, book }: { model: LanguageModel; book: SheetBook },
  count: (tokens: number) => void,
): LanguageModel {
  return generatingBy(model, async (asked) => {
    // The notes of the paper are nobody's memories, and their numbers mean nothing elsewhere.
    const prompt = { ...asked, notes: undefined };
    const close = book.open(prompt);
    try {
      const said = await model.generate(prompt);
      count(said.tokens);
      close({ tokens: said.tokens, answered: true });
      return said;
    } catch (cause) {
      if (cause instanceof ModelFailure) {
        count(cause.tokens);
        close({ tokens: tokensOfFailure(cause, prompt), answered: false });
      }
      throw cause;
    }
  });
}

async function examinedVectors(
  { clock, table }: RunDeps,
  {
    choice,
    fresh,
    dimensions,
  }: { choice: ModelChoice; dimensions: number } & Awaited<ReturnType<typeof reachVectors>>,
  { signal, tell }: ExaminationProgress,
): Promise<Result> {
  const { notes, questions } = readPaper();
  const asked = questions.filter((one) => one.kind !== 'unanswerable');
  const texts = [...notes.map(({ value }) => value), ...asked.map(({ question }) => question)];
  tell({ total: asked.length });
  let tokens = 0;
  const from = clock.now();
  const found = await nearestThree({ notes, questions: asked }, (given) =>
    embedded({ choice, server: fresh(), clock, signal }, given, (took) => (tokens += took)),
  );
  const ms = (clock.now() - from) / texts.length;
  const foundByTable = await nearestThree({ notes, questions: asked }, table);
  const right = found.filter(Boolean).length;
  tell({
    done: asked.length,
    right,
    wrong: asked.length - right,
    declined_rightly: 0,
    seconds_median: ms / 1000,
    tokens,
  });
  return judgedVectors({
    dimensions,
    msPerText: ms,
    of: asked.length,
    found: right,
    foundByTable: foundByTable.filter(Boolean).length,
  });
}
