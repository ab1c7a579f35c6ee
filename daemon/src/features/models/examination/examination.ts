import type { AccountId } from '@reverie/shared/accounts/caller';
import { agentAt, Examination, type examineModel } from '@reverie/shared/contract/system/models';
import { Problem } from '@reverie/shared/contract/problems';
import type { Parsed } from '@reverie/shared/contract/route';
import { readMeta, saveMeta } from '../../../db/meta.store.ts';
import type { Store } from '../../../db/open-store.ts';
import { ModelFailure } from '../../../models/language-model.ts';
import type { Clock, Stop } from '../../../platform/clock.ts';
import type { Log } from '../../../platform/log.ts';
import { readPaper } from './examination-data.ts';
import { refuseWithoutConsent } from '../consents.ts';
import type { Examinee, RunDeps } from './examination-run.ts';
import { namedModel, serverOf } from '../server-address.ts';

export interface ExaminationDeps extends RunDeps {
  store: Store;
  clock: Clock;
  log: Pick<Log, 'warn'>;
}

type Wanted = Parsed<typeof examineModel>['body'];

/** Examines one model at a time, in the background. */
export interface Examining {
  /** The last one; null where there was none. */
  last(): Examination | null;
  start(wanted: Wanted, account: AccountId): Promise<Examination>;
  stop(): Examination;
  /** Ends with the process: the next start finds it stopped. */
  end: Stop;
}

const KEPT_AS = 'model examination';

/** The tokens of an examination are counted in its own `tokens`, not against a part's limit: a person started it. */
export function createExamining(deps: ExaminationDeps): Examining {
  const { store, clock, log } = deps;
  let last = found();
  let work: AbortController | undefined;

  /** What was kept; one that was under way when Reverie ended is stopped, and what another version kept in another form is passed over. */
  function found(): Examination | null {
    const text = store.read((db) => readMeta(db, KEPT_AS));
    if (text === undefined) return null;
    const kept = Examination.safeParse(JSON.parse(text)).data;
    if (!kept) return null;
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

  async function run(examinee: Examinee, signal: AbortSignal): Promise<void> {
    const tell = (news: Partial<Examination>) => {
      if (!signal.aborted && last) keep({ ...last, ...news });
    };
    try {
      const { examined } = await import('./examination-run.ts');
      const news = await examined(deps, examinee, { signal, tell });
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

  /** Sees that a model is there and may be asked. */
  async function examineeOf(wanted: Wanted, account: AccountId): Promise<Examinee> {
    const { server, name } = wanted;
    const kind = agentAt(server);
    if (kind === undefined) {
      const choice = namedModel(wanted);
      // What asks servers is loaded when one is asked: a start should take no longer for it.
      const { reachChat } = await import('../server-check.ts');
      const { reportedContext } = await import('../reported.ts');
      const { fresh } = await reachChat(deps.check, choice);
      const contextTokens = await reportedContext(choice, wanted.beyond_this_machine);
      return { choice, account, fresh, contextTokens };
    }
    const { reachAgent, refuseWrongName } = await import('../agent-check.ts');
    refuseWrongName(name);
    refuseWithoutConsent(kind, wanted.consent);
    await reachAgent(deps.check.agents, { kind, name });
    return { choice: { baseUrl: server, model: name }, account, agent: kind };
  }

  return {
    last: () => last,
    async start(wanted, account) {
      if (work)
        throw new Problem(
          'conflict',
          `${last?.name ?? 'A model'} is being examined: wait for it, or stop it first.`,
        );
      const mine = (work = new AbortController());
      const over = () => {
        if (work === mine) work = undefined;
      };
      let examinee: Examinee;
      try {
        examinee = await examineeOf(wanted, account);
        if (mine.signal.aborted) throw new Problem('conflict', 'It was stopped before it began.');
      } catch (cause) {
        over();
        throw cause;
      }
      const { questions, pairs } = readPaper();
      const begun = keep({
        server: serverOf(examinee.choice.baseUrl),
        name: examinee.choice.model,
        status: 'running',
        done: 0,
        total: questions.length + pairs.length,
        right: 0,
        wrong: 0,
        declined_rightly: 0,
        seconds_median: null,
        tokens: 0,
        fit_for: [],
        verdict: null,
        error: null,
        started_at: now(),
        ended_at: null,
      });
      void run(examinee, mine.signal).finally(over);
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
