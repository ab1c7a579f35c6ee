import type { ModelReach } from '@reverie/shared/contract/system/models';
import type { z } from 'zod';

/** What a language model is asked: an answer of a given shape, in at most so many tokens. */
export interface Prompt<T> {
  readonly system: string;
  readonly prompt: string;
  readonly schema: z.ZodType<T>;
  readonly maxTokens: number;
  /** Numbers of the memories that the prompt shows: they are written down, and no namespace is shown to a model that may not see it. */
  readonly notes?: readonly number[] | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Whether a reply that cannot be read is not asked for once more: by whoever has counted on the tokens of one call. */
  readonly isAskedOnce?: boolean;
}

/** Why a model gave no answer that can be used; its message is for people and names no key. */
export class ModelFailure extends Error {
  readonly kind: 'unreachable' | 'timeout' | 'refused' | 'garbage' | 'cancelled';
  /** What it took all the same: an answer of no use is paid for, too. */
  tokens = 0;
  constructor(kind: ModelFailure['kind'], message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'ModelFailure';
    this.kind = kind;
  }
}

/**
 * The port of a language model that a user configured. Everything works without one: who asks has an answer of their own and takes
 * it when this rejects, always with a `ModelFailure`, within `llm.timeout_ms`.
 */
export interface LanguageModel {
  readonly model: string;
  /** How far what it is told goes; beyond this machine where nothing says so. */
  readonly reach?: ModelReach | undefined;
  /** Tokens that it reads and writes at once, where its server reports them. */
  readonly contextTokens?: number | undefined;
  /** Loads what `generate` needs of this program, so that it takes none of the time that a server has. */
  ready?(): Promise<void>;
  /** Resolves to an answer that the schema accepted, and the tokens (prompt and answer) that it took. */
  generate<T>(prompt: Prompt<T>): Promise<{ value: T; tokens: number }>;
}

/** Three letters to a token: more tokens than any of the usual vocabularies takes for English. */
const LETTERS_OF_TOKEN = 3;

/** The most tokens that a text takes: beyond ASCII, a byte is one at worst. */
export function tokensAtMost(text: string): number {
  const bytes = Buffer.byteLength(text);
  const ascii = text.length - (text.match(/[^\x00-\x7f]/g)?.length ?? 0);
  return Math.ceil(ascii / LETTERS_OF_TOKEN) + bytes - ascii;
}
