import { Examination, type examineModel } from '@reverie/shared/contract/models';
import { Problem } from '@reverie/shared/contract/problems';
import type { Parsed } from '@reverie/shared/contract/route';
import { readMeta, saveMeta } from '../../db/meta.store.ts';
import type { Store } from '../../db/open-store.ts';
import { type LanguageModel, ModelFailure } from '../../models/language-model.ts';
import { createLanguageModel } from '../../models/openai-compatible.ts';
import type { Clock, Stop } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import { serverOf } from './server-address.ts';
import type { Choice } from './choices.ts';
import { type ExaminationPair, type ExaminationQuestion, type Paper, readPaper } from './examination-data.ts';
import { judged, judgedVectors, type Mark, markOf, median, type Said } from './examination-marks.ts';
import { embedded, nearestThree, type TableVectors } from './examination-vectors.ts';
import {
  type CheckDeps,
  isRefusedWith,
  reachChat,
  type Reached,
  reachVectors,
  sayOneWord,
} from './server-check.ts';
import { choiceOf } from './use.service.ts';

/** The notes of the paper, and the code that answers from notes and judges them in earnest. */
export interface Room {
  /** What ask makes of a question with a model that is shown the notes that answer it, and others. */
  answer(model: LanguageModel, question: ExaminationQuestion, signal: AbortSignal): Promise<Said>;
  /** Whether a model says that two notes contradict each other, as dreams ask; undefined where it says nothing of use. */
  contradicts(model: LanguageModel, pair: ExaminationPair, signal: AbortSignal): Promise<boolean | undefined>;
  close(): void;
}

export interface ExaminationDeps {
  store: Store;
  clock: Clock;
  log: Pick<Log, 'warn'>;
  check: CheckDeps;
  /** Lays the paper out; opened for one examination. */
  openRoom: (paper: Paper) => Promise<Room>;
  table: TableVectors;
}

/** Examines one model at a time, in the background. */
export interface Examining {
  /** The last one; null where there was none. */
  last(): Examination | null;
  start(wanted: Parsed<typeof examineModel>['body']): Promise<Examination>;
  stop(): Examination;
  /** Ends with the process: the next start finds it stopped. */
  end: Stop;
}

const KEPT_AS = 'model examination';
/** One question may take so long; what is slower is too slow for dreams, too. */
const QUESTION_MS = 60_000;
/** Questions in a row that bring nothing of use, after which nothing more is asked. */
const PATIENCE = 3;

export function createExamining(deps: ExaminationDeps): Examining {
  const { store, clock, log } = deps;
  let last = found();
  let work: AbortController | undefined;

  /** What was kept; one that was under way when Reverie ended is stopped. */
  function found(): Examination | null {
    const text = store.read((db) => readMeta(db, KEPT_AS));
    if (text === undefined) return null;
    const kept = Examination.parse(JSON.parse(text));
    return kept.status === 'running' ? { ...kept, status: 'stopped', ended_at: now() } : kept;
  }

  function keep(next: Examination): Examination {
    last = next;
    try {
      store.write((db) => saveMeta(db, KEPT_AS, JSON.stringify(next)));
    } catch (err) {
      if (!(err instanceof Problem)) throw err;
      log.warn({ err }, 'how far the examination of a model is could not be written down');
    }
    return next;
  }

  function now(): string {
    return new Date(clock.now()).toISOString();
  }

  async function run(choice: Choice, fresh: Reached['fresh'], signal: AbortSignal): Promise<void> {
    const tell = (news: Partial<Examination>) => {
      if (!signal.aborted && last) keep({ ...last, ...news });
    };
    try {
      const news = await examined(deps, { choice, fresh }, { signal, tell });
      tell({ ...news, status: 'done', ended_at: now() });
    } catch (cause) {
      if (signal.aborted) return;
      if (!(cause instanceof ModelFailure) && !(cause instanceof Problem))
        log.warn({ err: cause }, 'the examination of a model broke off');
      const isKnown = cause instanceof ModelFailure || cause instanceof Problem;
      tell({
        status: 'failed',
        error: isKnown ? cause.message : 'it broke off; the log says why',
        ended_at: now(),
      });
    }
  }

  return {
    last: () => last,
    async start(wanted) {
      if (work)
        throw new Problem(
          'conflict',
          `${last?.name ?? 'A model'} is being examined: wait for it, or stop it first.`,
        );
      const choice = choiceOf(wanted);
      const mine = (work = new AbortController());
      const over = () => {
        if (work === mine) work = undefined;
      };
      let fresh: Reached['fresh'];
      try {
        ({ fresh } = await reachChat(deps.check, choice));
        if (mine.signal.aborted) throw new Problem('conflict', 'It was stopped before it began.');
      } catch (cause) {
        over();
        throw cause;
      }
      const { questions, pairs } = readPaper();
      const begun = keep({
        server: serverOf(choice.baseUrl),
        name: choice.model,
        status: 'running',
        ...{ done: 0, total: questions.length + pairs.length },
        ...{ right: 0, wrong: 0, declined_rightly: 0, seconds_median: null, tokens: 0 },
        ...{ fit_for: [], verdict: null, error: null },
        ...{ started_at: now(), ended_at: null },
      });
      void run(choice, fresh, mine.signal).finally(over);
      return begun;
    },
    stop() {
      if (!work || last?.status !== 'running') throw new Problem('conflict', 'No model is being examined.');
      work.abort();
      work = undefined;
      return keep({ ...last, status: 'stopped', ended_at: now() });
    },
    end: () => work?.abort(),
  };
}

interface Telling {
  readonly signal: AbortSignal;
  readonly tell: (news: Partial<Examination>) => void;
}

type Result = Pick<Examination, 'fit_for' | 'verdict'>;

/** One that talks, or one that makes vectors: its server says which it is. */
async function examined(
  deps: ExaminationDeps,
  { choice, fresh }: { choice: Choice; fresh: Reached['fresh'] },
  telling: Telling,
): Promise<Result> {
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
  const model = createLanguageModel({ server, baseUrl, model: name, timeoutMs: QUESTION_MS });
  return examinedInWords(deps, model, telling);
}

/** Question by question, then pair by pair. */
async function examinedInWords(
  { clock, openRoom }: ExaminationDeps,
  model: LanguageModel,
  { signal, tell }: Telling,
): Promise<Result> {
  const paper = readPaper();
  const marks: Mark[] = [];
  const pairs: boolean[] = [];
  const seconds: number[] = [];
  let tokens = 0;
  let failures: string[] = [];
  const counted = countingTokens(model, (took) => (tokens += took));
  const progress = () => {
    const count = (...of: Mark[]) => marks.filter((mark) => of.includes(mark)).length;
    const rightPairs = pairs.filter(Boolean).length;
    const right = count('right', 'declined_rightly') + rightPairs;
    const done = marks.length + pairs.length;
    tell({
      ...{ done, right, wrong: done - right, declined_rightly: count('declined_rightly') },
      ...{ seconds_median: median(seconds), tokens },
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

/** A model whose tokens are counted, those of answers of no use too. */
function countingTokens(model: LanguageModel, count: (tokens: number) => void): LanguageModel {
  return {
    model: model.model,
    ready: async () => model.ready?.(),
    async generate(prompt) {
      try {
        const said = await model.generate(prompt);
        count(said.tokens);
        return said;
      } catch (cause) {
        if (cause instanceof ModelFailure) count(cause.tokens);
        throw cause;
      }
    },
  };
}

async function examinedVectors(
  { clock, table }: ExaminationDeps,
  {
    choice,
    fresh,
    dimensions,
  }: { choice: Choice; dimensions: number } & Awaited<ReturnType<typeof reachVectors>>,
  { signal, tell }: Telling,
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
    ...{ done: asked.length, right, wrong: asked.length - right, declined_rightly: 0 },
    ...{ seconds_median: ms / 1000, tokens },
  });
  return judgedVectors({
    ...{ dimensions, msPerText: ms, of: asked.length, found: right },
    foundByTable: foundByTable.filter(Boolean).length,
  });
}
