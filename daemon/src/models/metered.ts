import type { ServerState } from './breaker.ts';
import { type LanguageModel, ModelFailure } from './language-model.ts';
import type { ModelServer } from './model-server.ts';

/** Counts what a part of Reverie takes of its model, and says when that is enough for today. */
export interface Meter {
  /** Since and until when the part rests (ms since 1970), for it has had its tokens of the day; undefined where it does not. */
  rest(): { since: number; until: number } | undefined;
  /** Tokens that may be taken in a UTC day; undefined where there is no limit. */
  readonly limit: number | undefined;
  note(call: { tokens: number; failed: boolean }): void;
}

/** Letters to a token, where nobody counted them. */
const LETTERS = 4;

/**
 * A model whose calls are counted, those that fail too: what was sent for nothing is paid for. The call that reaches the limit is
 * finished; the next ones are refused until the day is over.
 */
export function meteredModel(
  { model, server }: { model: LanguageModel; server: Pick<ModelServer, 'wait'> },
  meter: Meter,
): LanguageModel {
  return generatingBy(model, async (prompt) => {
    refuseAtLimit(meter);
    // What is not even sent costs nothing.
    const isSent = server.wait() === 0 && prompt.signal?.aborted !== true;
    try {
      const said = await model.generate(prompt);
      meter.note({ tokens: said.tokens, failed: false });
      return said;
    } catch (cause) {
      if (isSent && cause instanceof ModelFailure)
        meter.note({
          tokens: cause.tokens > 0 ? cause.tokens : tokensSent(cause, [prompt.system, prompt.prompt]),
          failed: cause.kind !== 'cancelled',
        });
      throw cause;
    }
  });
}

/** A model with another way to generate; all else is its own, read when it is asked for. */
export function generatingBy(model: LanguageModel, generate: LanguageModel['generate']): LanguageModel {
  return Object.create(model, { generate: { value: generate, enumerable: true } }) as LanguageModel;
}

/** A server whose requests are refused while the part that uses it has had its tokens of the day. */
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
  return rest && { state: 'down', since: rest.since, error: restingWords(meter) };
}

function refuseAtLimit(meter: Meter): void {
  if (meter.rest()) throw new ModelFailure('refused', restingWords(meter));
}

function restingWords({ limit = 0 }: Meter): string {
  return `its ${limit} tokens a day are used up: it rests until 00:00 UTC`;
}

/** An estimate of the tokens that a server has read when a request failed, since it did not say; 0 where it was not reached, or refused. */
export function tokensSent({ kind }: Pick<ModelFailure, 'kind'>, texts: readonly string[]): number {
  return kind === 'unreachable' || kind === 'refused' ? 0 : estimatedTokens(texts);
}

/** Tokens of some texts, where nobody counted them. */
export function estimatedTokens(texts: readonly string[]): number {
  return Math.ceil(texts.reduce((sum, { length }) => sum + length, 0) / LETTERS);
}
