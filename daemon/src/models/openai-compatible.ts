import type { generateText, NoObjectGeneratedError, Output } from 'ai';
import type { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import type { ModelReach } from '@reverie/shared/contract/system/models';
import { z } from 'zod';
import { jsonIn } from './json-text.ts';
import { type LanguageModel, ModelFailure, type Prompt } from './language-model.ts';
import { isAboutRequest, type ModelServer } from './model-server.ts';

export interface ChatDeps {
  server: ModelServer;
  baseUrl: string;
  model: string;
  reach?: ModelReach | undefined;
  timeoutMs: number;
  /** Tokens that the model reads and writes at once, once its server has reported them. */
  contextTokens?: () => number | undefined;
}

interface Library {
  generateText: typeof generateText;
  NoObjectGeneratedError: typeof NoObjectGeneratedError;
  Output: typeof Output;
  createOpenAICompatible: typeof createOpenAICompatible;
}

/** Bytes of a reply, and characters of what a model says in it: thoughts count, too. */
const LONGEST_REPLY = 2 * 2 ** 20;
const LONGEST_TEXT = 262_144;

/**
 * What a server may refuse to be told; the newer models of OpenAI count tokens under another name, and have one temperature. Thinking is
 * turned off by the one (Ollama, LM Studio, llama.cpp, OpenAI) or the other (vLLM, llama.cpp): a model that thinks first has no words left.
 */
const THINKING = ['reasoning_effort', 'chat_template_kwargs'] as const;
const PARAMETERS = ['max_tokens', 'temperature', ...THINKING] as const;
type Parameter = (typeof PARAMETERS)[number];
const Refusal = z.object({ error: z.object({ param: z.enum(PARAMETERS) }) });
const NO_THINKING = { reasoning_effort: 'none', chat_template_kwargs: { enable_thinking: false } } as const;

/** Told to a model whose reply could not be read. */
const ONCE_MORE =
  'Your last answer could not be read: it was not the one JSON object that was asked for. Answer again with that JSON object and nothing else: no thoughts, no words around it.';

interface Asking {
  signal: AbortSignal;
  withSchema: boolean;
  /** What a server that names no parameter may have meant. */
  withoutThinking?: boolean;
}

let loading: Promise<Library> | undefined;

/** Some 200 ms, seconds on a slow machine: after the start of the daemon, and never within the time that a server has. */
function loadLibrary(): Promise<Library> {
  // Its warnings would stand on our stdout.
  Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false });
  loading ??= Promise.all([import('ai'), import('@ai-sdk/openai-compatible')]).then(([ai, provider]) => ({
    generateText: ai.generateText,
    NoObjectGeneratedError: ai.NoObjectGeneratedError,
    Output: ai.Output,
    createOpenAICompatible: provider.createOpenAICompatible,
  }));
  return loading;
}

/**
 * A language model of an OpenAI-compatible server (Ollama, LM Studio, vLLM, OpenAI …). Asks with the schema; a server that does
 * not take one is asked in words from then on, and one that does not take a parameter without it. What cannot be read is asked for once
 * more, in the same time; else a question has one try: who asks has an answer without it.
 */
export function createLanguageModel({
  server,
  baseUrl,
  model,
  reach,
  timeoutMs,
  contextTokens,
}: ChatDeps): LanguageModel {
  let takesSchema = true;
  const refused = new Set<Parameter>();

  async function load(): Promise<Library> {
    try {
      return await loadLibrary();
    } catch (cause) {
      throw new ModelFailure('unreachable', 'what asks model servers cannot be loaded', cause);
    }
  }

  async function once<T>(
    library: Library,
    prompt: Prompt<T>,
    { signal, withSchema, without }: Asking & { without: ReadonlySet<Parameter> },
  ): Promise<{ text: string; tokens: number }> {
    const provider = library.createOpenAICompatible({
      name: 'configured',
      baseURL: baseUrl.replace(/\/+$/u, ''),
      supportsStructuredOutputs: true,
      transformRequestBody: ({ max_tokens, ...body }) => ({
        ...body,
        ...Object.fromEntries(
          Object.entries(NO_THINKING).filter(([name]) => !without.has(name as Parameter)),
        ),
        [without.has('max_tokens') ? 'max_completion_tokens' : 'max_tokens']: max_tokens as unknown,
      }),
      fetch: (address, init) => server.fetch(addressOf(address), init ?? {}, LONGEST_REPLY),
    });
    const schema = z.toJSONSchema(prompt.schema, { io: 'input', unrepresentable: 'any' });
    const inWords = `Answer with one JSON object that fits this JSON schema, and with nothing else:\n${JSON.stringify(schema)}`;
    const asked = {
      model: provider.chatModel(model),
      system: withSchema ? prompt.system : `${prompt.system}\n\n${inWords}`,
      prompt: prompt.prompt,
      maxOutputTokens: prompt.maxTokens,
      ...(!without.has('temperature') && { temperature: 0 }),
      maxRetries: 0,
      abortSignal: signal,
    };
    try {
      const { text, usage } = withSchema
        ? await library.generateText({ ...asked, output: library.Output.object({ schema: prompt.schema }) })
        : await library.generateText(asked);
      return { text, tokens: tokensOf(usage, [prompt.system, prompt.prompt, text]) };
    } catch (cause) {
      // Its own parser is strict; what the model wrote may be right all the same.
      if (!library.NoObjectGeneratedError.isInstance(cause)) throw cause;
      const text = cause.text ?? '';
      return { text, tokens: tokensOf(cause.usage, [prompt.system, prompt.prompt, text]) };
    }
  }

  async function generated<T>(
    library: Library,
    prompt: Prompt<T>,
    { signal, withSchema, withoutThinking = false }: Asking,
  ): Promise<{ text: string; tokens: number }> {
    const without = new Set<Parameter>(withoutThinking ? [...refused, ...THINKING] : refused);
    try {
      const said = await once(library, prompt, { signal, withSchema, without });
      // Only now: it was the schema that was not to its liking, not the prompt.
      if (!withSchema) takesSchema = false;
      else if (withoutThinking) for (const parameter of THINKING) refused.add(parameter);
      return said;
    } catch (cause) {
      const { statusCode, responseBody } = cause as { statusCode?: number; responseBody?: string };
      if (!isAboutRequest(statusCode)) throw cause;
      const parameter = refusedParameter(responseBody);
      // Another question may have been refused it meanwhile; this one was not asked without it yet.
      if (parameter !== undefined && !without.has(parameter)) {
        refused.add(parameter);
        return generated(library, prompt, { signal, withSchema, withoutThinking });
      }
      const isOfSchema = withSchema && /response_format|json_schema/u.test(responseBody ?? '');
      if (!isOfSchema && !THINKING.every((name) => without.has(name)))
        return generated(library, prompt, { signal, withSchema, withoutThinking: true });
      if (!withSchema) throw cause;
      return generated(library, prompt, { signal, withSchema: false, withoutThinking });
    }
  }

  return {
    model,
    reach,
    async ready() {
      await load();
    },
    get contextTokens() {
      return contextTokens?.();
    },
    async generate<T>(prompt: Prompt<T>) {
      const library = await load();
      let tokens = 0;
      const answered = async (asked: Prompt<T>, signal: AbortSignal) => {
        const said = await generated(library, asked, { signal, withSchema: takesSchema });
        tokens += said.tokens;
        return said.text.length > LONGEST_TEXT ? undefined : prompt.schema.safeParse(jsonIn(said.text)).data;
      };
      try {
        const value = await server.ask({ timeoutMs, signal: prompt.signal }, async (signal) => {
          const again = { ...prompt, prompt: `${prompt.prompt}\n\n${ONCE_MORE}` };
          const first = await answered(prompt, signal);
          return first !== undefined || prompt.isAskedOnce === true ? first : answered(again, signal);
        });
        if (value !== undefined) return { value, tokens };
      } catch (cause) {
        throw cause instanceof ModelFailure ? Object.assign(cause, { tokens: cause.tokens + tokens }) : cause;
      }
      const said = `the model ${model} answered something that is not what was asked for`;
      throw Object.assign(new ModelFailure('garbage', said), { tokens });
    },
  };
}

/** The parameter that a refusal names, as OpenAI's does (https://platform.openai.com/docs/guides/error-codes), or speaks of in words. */
function refusedParameter(body = ''): Parameter | undefined {
  const named = Refusal.safeParse(jsonIn(body)).data?.error.param;
  return named ?? THINKING.find((name) => body.includes(name));
}

function addressOf(given: string | URL | Request): string {
  return typeof given === 'string' ? given : given instanceof URL ? given.href : given.url;
}

/** The tokens that a call took; estimated at four characters each where the server does not say. */
function tokensOf(
  usage:
    | {
        totalTokens?: number | undefined;
        inputTokens?: number | undefined;
        outputTokens?: number | undefined;
      }
    | undefined,
  texts: readonly string[],
): number {
  const { totalTokens, inputTokens = 0, outputTokens = 0 } = usage ?? {};
  const counted = totalTokens ?? inputTokens + outputTokens;
  return counted > 0 ? counted : Math.ceil(texts.join('').length / 4);
}
