import type { ModelPart } from '@reverie/shared/contract/system/models';
import type { Config } from '../../config/config.ts';

/** A model on a server, by the address below which OpenAI's protocol is spoken. */
export interface ModelChoice {
  readonly baseUrl: string;
  readonly model: string;
}

/** What one part uses, and how much of it. */
export interface PartSettings {
  /** Undefined where it uses none of its own: no language model, or the vectors that come with the program. */
  readonly choice: ModelChoice | undefined;
  readonly timeoutMs: number;
  /** Tokens that it may take in a UTC day; undefined where there is no limit. */
  readonly tokensPerDay: number | undefined;
  /** … and in a UTC month. */
  readonly tokensPerMonth: number | undefined;
}

export type ModelParts = Readonly<Record<ModelPart, PartSettings>>;

/** What each part uses, as the settings say. Dreams use what questions are answered with, unless they are told otherwise. */
export function partsOf({ llm, dream, embedding }: Pick<Config, 'llm' | 'dream' | 'embedding'>): ModelParts {
  const shared = choiceOf(llm.base_url, llm.model);
  const own = choiceOf(dream.llm.base_url, dream.llm.model);
  return {
    ask: {
      choice: shared,
      timeoutMs: llm.timeout_ms,
      tokensPerDay: llm.tokens_per_day,
      tokensPerMonth: llm.tokens_per_month,
    },
    dreams: {
      choice: dream.llm.off ? undefined : (own ?? shared),
      timeoutMs: dream.llm.timeout_ms ?? dreamTimeout(llm.timeout_ms),
      tokensPerDay: dream.llm.tokens_per_day,
      tokensPerMonth: dream.llm.tokens_per_month,
    },
    vectors: {
      choice: choiceOf(embedding.base_url, embedding.model),
      timeoutMs: embedding.timeout_ms,
      tokensPerDay: embedding.tokens_per_day,
      tokensPerMonth: embedding.tokens_per_month,
    },
  };
}

/** How long a sheet of a dream may take where nothing is set: writing down all that is found in hundreds of notes takes minutes. */
function dreamTimeout(ofQuestions: number): number {
  return Math.max(ofQuestions, 300_000);
}

function choiceOf(baseUrl: string | undefined, model: string | undefined): ModelChoice | undefined {
  return baseUrl === undefined || model === undefined ? undefined : { baseUrl, model };
}

/**
 * The settings, by name, that make each part use what it is to use: as few as possible, so that a file that names one model goes on naming
 * one.
 */
export function settingsOf({ ask, dreams, vectors }: ModelParts): Record<string, unknown> {
  const isSame = isSameChoice(ask.choice, dreams.choice);
  const own = isSame ? undefined : dreams.choice;
  return {
    'llm.base_url': ask.choice?.baseUrl,
    'llm.model': ask.choice?.model,
    'llm.timeout_ms': ask.timeoutMs,
    'llm.tokens_per_day': ask.tokensPerDay,
    'llm.tokens_per_month': ask.tokensPerMonth,
    'dream.llm.base_url': own?.baseUrl,
    'dream.llm.model': own?.model,
    'dream.llm.off': !isSame && own === undefined,
    'dream.llm.timeout_ms': dreams.timeoutMs === dreamTimeout(ask.timeoutMs) ? undefined : dreams.timeoutMs,
    'dream.llm.tokens_per_day': dreams.tokensPerDay,
    'dream.llm.tokens_per_month': dreams.tokensPerMonth,
    'embedding.base_url': vectors.choice?.baseUrl,
    'embedding.model': vectors.choice?.model,
    'embedding.timeout_ms': vectors.timeoutMs,
    'embedding.tokens_per_day': vectors.tokensPerDay,
    'embedding.tokens_per_month': vectors.tokensPerMonth,
  };
}

/** The settings that have to change for the parts to use what they are to use; a value of undefined removes the setting. */
export function changesTo(parts: ModelParts, config: Pick<Config, 'llm' | 'dream' | 'embedding'>) {
  return Object.fromEntries(
    Object.entries(settingsOf(parts)).filter(([name, value]) => valueOf(config, name) !== value),
  );
}

function valueOf(config: object, name: string): unknown {
  let at: unknown = config;
  for (const part of name.split('.')) at = (at as Record<string, unknown> | undefined)?.[part];
  return at;
}

export function isSameChoice(one: ModelChoice | undefined, other: ModelChoice | undefined): boolean {
  return one?.baseUrl === other?.baseUrl && one?.model === other?.model;
}
