import type { ServerState } from './breaker.ts';
import { type LanguageModel, ModelFailure, type Prompt } from './language-model.ts';
import type { ModelServer } from './model-server.ts';

/** Since and until when a part rests (ms since 1970), for it has had its tokens of a time. */
export interface Rest {
  readonly since: number;
  readonly until: number;
  /** The tokens that it may take, and in which time. */
  readonly limit: number;
  readonly of: 'day' | 'month';
}

/** Counts what a part of Reverie takes of its model, and says when that is enough for the day or the month. */
export interface Meter {
  /** Undefined while the part does not rest. */
  rest(): Rest | undefined;
  note(call: { tokens: number; failed: boolean }): void;
}

/** Where each question to a model is written down before it is sent. */
export interface SheetBook {
  /** Throws a `ModelFailure` where it must not be sent; answers whom to tell what came of it. */
  open(prompt: Pick<Prompt<unknown>, 'notes'>): (outcome: { tokens: number; answered: boolean }) => void;
}

/** Letters to a token, where nobody counted them. */
const LETTERS = 4;

/**
 * A model whose calls are written down before they are sent, and counted, those that fail too: what was sent for nothing is paid for. The
 * call that reaches the limit is finished; the next ones are refused until the day or month is over.
 */
export function meteredModel(
  { model, server }: { model: LanguageModel; server: Pick<ModelServer, 'wait'> },
  { meter, book }: { meter: Meter; book: SheetBook },
): LanguageModel {
  return generatingBy(model, async (prompt) => {
    refuseAtLimit(meter);
    // What is not even sent costs nothing.
    const isSent = server.wait() === 0 && prompt.signal?.aborted !== true;
    const close = isSent ? book.open(prompt) : undefined;
    try {
      const said = await model.generate(prompt);
      meter.note({ tokens: said.tokens, failed: false });
      close?.({ tokens: said.tokens, answered: true });
      return said;
    } catch (cause) {
      if (isSent && cause instanceof ModelFailure) {
        const tokens = tokensOfFailure(cause, prompt);
        meter.note({ tokens, failed: cause.kind !== 'cancelled' });
        close?.({ tokens, answered: false });
      }
      throw cause;
    }
  });
}

/** What a failed question took: as its server says, else as much as it was sent. */
export function tokensOfFailure(
  failure: ModelFailure,
  { system, prompt }: Pick<Prompt<unknown>, 'system' | 'prompt'>,
): number {
  return failure.tokens > 0 ? failure.tokens : tokensSent(failure, [system, prompt]);
}

/** A model with another way to generate; all else is its own, read when it is asked for. */
export function generatingBy(model: LanguageModel, generate: LanguageModel['generate']): LanguageModel {
  return Object.create(model, { generate: { value: generate, enumerable: true } }) as LanguageModel;
}

/** A server whose requests are refused while the part that uses it has had its tokens of the day or month. */
export function meteredServer(server: ModelServer, meter: Meter, now: () => number): ModelServer {
  return {
    fetch: (address, init, longest) => server.fetch(address, init, longest),
    async ask(limits, run) {
      refuseAtLimit(meter);
      return server.ask(limits, run);
    },
    wait: () => Math.max(server.wait(), (meter.rest()?.until ?? 0) - now()),
    state: () => restingState(meter) ?? server.state(),
  };
}

/** The state of a part that rests; undefined while it does not. */
export function restingState(meter: Meter): ServerState | undefined {
  const rest = meter.rest();
  return rest && { state: 'down', since: rest.since, error: restingWords(rest) };
}

function refuseAtLimit(meter: Meter): void {
  const rest = meter.rest();
  if (rest) throw new ModelFailure('refused', restingWords(rest));
}

function restingWords({ limit, of, until }: Rest): string {
  const day = of === 'month' ? ` on ${new Date(until).toISOString().slice(0, 'YYYY-MM-DD'.length)}` : '';
  return `its ${limit} tokens a ${of} are used up: it rests until 00:00 UTC${day}`;
}

/** An estimate of the tokens that a server has read when a request failed, since it did not say; 0 where it was not reached, or refused. */
export function tokensSent({ kind }: Pick<ModelFailure, 'kind'>, texts: readonly string[]): number {
  return kind === 'unreachable' || kind === 'refused' ? 0 : estimatedTokens(texts);
}

/** Tokens of some texts, where nobody counted them. */
export function estimatedTokens(texts: readonly string[]): number {
  return Math.ceil(texts.reduce((sum, { length }) => sum + length, 0) / LETTERS);
}
