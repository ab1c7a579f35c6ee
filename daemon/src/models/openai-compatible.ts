import type { generateText, NoObjectGeneratedError, Output } from 'ai';
import type { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { z } from 'zod';
import { jsonIn } from './json-text.ts';
import { type LanguageModel, ModelFailure, type Prompt } from './language-model.ts';
import { isAboutRequest, type ModelServer } from './model-server.ts';

export interface ChatDeps {
  server: ModelServer;
  baseUrl: string;
  model: string;
  timeoutMs: number;
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

/** What a server may refuse to be told; the newer models of OpenAI count tokens under another name, and have one temperature. */
const PARAMETERS = ['max_tokens', 'temperature'] as const;
type Parameter = (typeof PARAMETERS)[number];
const Refusal = z.object({ error: z.object({ param: z.enum(PARAMETERS) }) });

interface Asking {
  signal: AbortSignal;
  withSchema: boolean;
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
 * not take one is asked in words from then on, and one that does not take a parameter without it. Where that is not what it refuses,
 * a question has one try: who asks has an answer without it.
 */
export function createLanguageModel({ server, baseUrl, model, timeoutMs }: ChatDeps): LanguageModel {
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
      transformRequestBody: ({ max_tokens, ...body }) =>
        without.has('max_tokens')
          ? { ...body, max_completion_tokens: max_tokens as unknown }
          : { ...body, max_tokens: max_tokens as unknown },
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
    { signal, withSchema }: Asking,
  ): Promise<{ text: string; tokens: number }> {
    const without = new Set(refused);
    try {
      const said = await once(library, prompt, { signal, withSchema, without });
      // Only now: it was the schema that was not to its liking, not the prompt.
      if (!withSchema) takesSchema = false;
      return said;
    } catch (cause) {
      const { statusCode, responseBody } = cause as { statusCode?: number; responseBody?: string };
      if (!isAboutRequest(statusCode)) throw cause;
      const parameter = refusedParameter(responseBody);
      // Another question may have been refused it meanwhile; this one was not asked without it yet.
      if (parameter !== undefined && !without.has(parameter)) {
        refused.add(parameter);
        return generated(library, prompt, { signal, withSchema });
      }
      if (!withSchema) throw cause;
      return generated(library, prompt, { signal, withSchema: false });
    }
  }

  return {
    model,
    async ready() {
      await load();
    },
    async generate<T>(prompt: Prompt<T>) {
      const library = await load();
      const { text, tokens } = await server.ask({ timeoutMs, signal: prompt.signal }, (signal) =>
        generated(library, prompt, { signal, withSchema: takesSchema }),
      );
      const read = text.length > LONGEST_TEXT ? undefined : prompt.schema.safeParse(jsonIn(text));
      if (!read?.success) {
        const said = `the model ${model} answered something that is not what was asked for`;
        throw Object.assign(new ModelFailure('garbage', said), { tokens });
      }
      return { value: read.data, tokens };
    },
  };
}

/** The parameter that a refusal names, as OpenAI's does (https://platform.openai.com/docs/guides/error-codes). */
function refusedParameter(body: string | undefined): Parameter | undefined {
  return Refusal.safeParse(jsonIn(body ?? '')).data?.error.param;
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
