import { isOfRequest } from '../../../models/model-server.ts';
import type { AccountId } from '@reverie/shared/accounts/caller';
import { z } from 'zod';
import { type LanguageModel, ModelFailure, tokensAtMost } from '../../../models/language-model.ts';
import type { Log } from '../../../platform/log.ts';
import type { Job } from '../jobs/jobs.store.ts';
import type { FromThread, ThreadReply } from '../thread/messages.ts';
import type { CitedAnswer } from '../strategies/strategy.ts';

/** Answers a question from a namespace; `now` (RFC 3339) is the time from which its dates are counted. */
export type AskNamespace = (
  account: AccountId,
  asked: { question: string; namespace: string; now?: string },
) => Promise<CitedAnswer>;

/** What a dream may ask: a language model, and `ask`. Both may be missing; dreams do without. */
export interface Minds {
  /** That an account may use for a namespace, or why it may not; undefined where none is configured. */
  model: (
    account: AccountId,
    namespace: string,
  ) => { readonly model: LanguageModel } | { readonly withheld: string } | undefined;
  ask: AskNamespace | undefined;
}

/** The dream that asks. */
export interface AskingDream {
  job: Pick<Job, 'id' | 'account' | 'namespace' | 'clock' | 'tokensBudget'>;
  /** Tokens of the budget that are used. */
  used: () => number;
  spend: (tokens: number) => void;
  signal: AbortSignal;
}

/** What a server puts around the two texts. */
const FRAME = 32;

/** Answers, on the main thread and within the job's budget, what a dream's thread asks of a language model or of `ask`. */
export function createMinds(
  { model, ask }: Minds,
  log: Log,
  { job, used, spend, signal }: AskingDream,
): (message: FromThread & { kind: 'generate' | 'ask' }) => Promise<ThreadReply> {
  const left = () => Math.max(0, job.tokensBudget - used());
  /** What questions under way may take: two at once share what is left. */
  let reserved = 0;
  type Refusal = Omit<ThreadReply & { kind: 'refused' }, 'kind' | 'id' | 'tokensLeft'>;
  const refused = (id: number, refusal: Refusal): ThreadReply => ({
    kind: 'refused',
    id,
    ...refusal,
    tokensLeft: left(),
  });

  async function generate({ id, ...question }: FromThread & { kind: 'generate' }): Promise<ThreadReply> {
    const given = model(job.account, job.namespace);
    if (!given) return refused(id, { failure: 'unreachable', message: 'no language model is configured' });
    if ('withheld' in given) return refused(id, { failure: 'refused', message: given.withheld });
    const mind = given.model;
    const most = mostTokens(question);
    if (most > left() - reserved)
      return refused(id, { failure: 'refused', message: 'the budget of this dream is used up' });
    // What it cannot read at once comes again in shorter questions, as what its server refuses does.
    if (most > (mind.contextTokens ?? Infinity))
      return refused(id, {
        failure: 'garbage',
        message: 'the question is longer than the model reads at once',
      });
    reserved += most;
    try {
      const schema = z.fromJSONSchema(question.schema as Parameters<typeof z.fromJSONSchema>[0]);
      const { system, prompt, maxTokens, notes } = question;
      const asked = { system, prompt, maxTokens, notes, schema, signal, isAskedOnce: true };
      const { value, tokens } = await mind.generate(asked);
      spend(tokens);
      return { kind: 'generated', id, value, tokens, tokensLeft: left() };
    } catch (cause) {
      return refused(id, failed(cause, most));
    } finally {
      reserved -= most;
    }
  }

  /** What a failed question took is counted: one that was too slow may have written all of it. */
  function failed(cause: unknown, most: number): Refusal {
    try {
      if (!(cause instanceof ModelFailure)) throw cause;
      const took = cause.kind === 'timeout' ? most : cause.tokens;
      if (took > 0) spend(took);
      return { failure: isOfRequest(cause) ? 'garbage' : cause.kind, message: cause.message };
    } catch (err) {
      // What cannot be counted, on a full disk, say, is the last that is asked.
      log.warn({ err, job: job.id }, 'a language model failed in a dream');
      return { failure: 'unreachable', message: 'it failed' };
    }
  }

  async function answer({ id, question }: FromThread & { kind: 'ask' }): Promise<ThreadReply> {
    if (!ask) return refused(id, { failure: 'unreachable', message: 'asking is not built in' });
    try {
      const now = job.clock === null ? {} : { now: new Date(job.clock).toISOString() };
      const reply = await ask(job.account, { question, namespace: job.namespace, ...now });
      const citations = reply.citations.map(({ key, quote, score }) => ({ key, quote, score }));
      return { kind: 'asked', id, asked: { answer: reply.answer, found: reply.found, citations } };
    } catch (err) {
      log.warn({ err, job: job.id }, 'a dream could not ask');
      return refused(id, { failure: 'unreachable', message: 'asking failed' });
    }
  }

  return (message) => (message.kind === 'generate' ? generate(message) : answer(message));
}

interface Question {
  system: string;
  prompt: string;
  maxTokens: number;
  schema: object;
}

/** The most tokens that a question and its answer take, with the answer's schema, which some servers have to be told in words. */
export function mostTokens({ system, prompt, maxTokens, schema }: Question): number {
  return tokensAtMost(system + prompt + JSON.stringify(schema)) + FRAME + maxTokens;
}
