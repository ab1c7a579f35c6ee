import { Problem } from '@reverie/shared/contract/problems';
import { z } from 'zod';
import type { BoundKeys, KeyName } from '../../models/bound-keys.ts';
import { ModelFailure } from '../../models/language-model.ts';
import { createModelServer, type ModelServer, RefusedReply } from '../../models/model-server.ts';
import { createRemoteEmbedder } from '../../models/remote-embedder.ts';
import type { Clock } from '../../platform/clock.ts';
import type { ModelChoice } from './choices.ts';

/** Milliseconds that a list of models may take, and a first answer: a model may have to be loaded for it. */
const LIST_MS = 10_000;
const FIRST_MS = 120_000;
const LONGEST_LIST = 4 * 2 ** 20;
/** Models that are named where the wanted one is not there. */
const NAMED = 8;

/** The form of https://platform.openai.com/docs/api-reference/models/list, as far as it is read. */
const Listed = z.object({ data: z.array(z.object({ id: z.string() })) });

export interface CheckDeps {
  keys: Pick<BoundKeys, 'keyFor' | 'freeKey'>;
  clock: Pick<Clock, 'now'>;
  /** The address of the server that a key without an origin is for. */
  configured: (name: KeyName) => string | undefined;
}

/** A server that answered, and whether it took a key that was kept before any server was set: from now on that key is this server's own. */
export interface Reached {
  /** The server with the key that it took, as if it had never failed. */
  readonly fresh: () => ModelServer;
  readonly isWithFreeKey: boolean;
}

/** Asks a server whether it has a language model. Throws `model_not_found` and `model_unreachable`. */
export function reachChat(deps: CheckDeps, choice: ModelChoice): Promise<Reached> {
  return reached(deps, { name: 'llm', choice }, (server) => refuseUnlisted(server, choice));
}

/** Has a server embed a word; answers how many numbers its vectors have. Throws as `reachChat`. */
export async function reachVectors(
  deps: CheckDeps,
  choice: ModelChoice,
): Promise<Reached & { dimensions: number }> {
  let dimensions = 0;
  const found = await reached(deps, { name: 'embedding', choice }, async (server) => {
    const { background } = createRemoteEmbedder({
      server,
      baseUrl: choice.baseUrl,
      model: choice.model,
      timeoutMs: FIRST_MS,
      batch: 1,
      dimensions: { load: () => 0, save: (given) => void (dimensions = given) },
      now: deps.clock.now,
    });
    await background.ready?.();
  });
  return { ...found, dimensions };
}

/** Has a model say a word, to see whether it talks and to have it loaded. Rejects with a `ModelFailure`. */
export async function sayOneWord(server: ModelServer, { baseUrl, model }: ModelChoice, signal?: AbortSignal) {
  const messages = [{ role: 'user', content: 'Say yes.' }];
  const say = (limit: object) =>
    server.ask({ timeoutMs: FIRST_MS, signal }, async (within) => {
      const response = await server.fetch(`${baseUrl}/chat/completions`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ model, messages, ...limit }),
        signal: within,
      });
      await response.text();
      if (!response.ok) throw new RefusedReply(response.status, response.headers, Date.now());
    });
  try {
    await say({ max_tokens: 16 });
  } catch (cause) {
    // The newer models of OpenAI count under another name.
    if (!isRefusedWith(cause, 400)) throw cause;
    await say({});
  }
}

/** Whether a server refused what it was asked with one of some statuses. */
export function isRefusedWith(cause: unknown, ...statuses: number[]): boolean {
  return (
    cause instanceof ModelFailure &&
    cause.cause instanceof RefusedReply &&
    statuses.includes(cause.cause.status)
  );
}

async function reached(
  { keys, clock, configured }: CheckDeps,
  { name, choice }: { name: KeyName; choice: ModelChoice },
  run: (server: ModelServer) => Promise<void>,
): Promise<Reached> {
  const { baseUrl } = choice;
  const serverWith = (key: string | undefined) =>
    createModelServer({ baseUrl, clock, key: () => Promise.resolve(key) });
  const kept = await keys.keyFor(name, baseUrl, configured(name));
  try {
    await run(serverWith(kept));
    return { fresh: () => serverWith(kept), isWithFreeKey: false };
  } catch (cause) {
    const free = kept === undefined && isRefusedWith(cause, 401, 403) ? await keys.freeKey(name) : undefined;
    if (free === undefined) throw asProblem(cause, choice, name);
    await run(serverWith(free)).catch((again: unknown) => {
      throw asProblem(again, choice, name);
    });
    return { fresh: () => serverWith(free), isWithFreeKey: true };
  }
}

async function refuseUnlisted(server: ModelServer, choice: ModelChoice): Promise<void> {
  const { baseUrl, model } = choice;
  const listed = await server
    .ask({ timeoutMs: LIST_MS }, async (signal) => {
      const response = await server.fetch(`${baseUrl}/models`, { signal }, LONGEST_LIST);
      if (response.ok) return Listed.parse(await response.json());
      await response.body?.cancel();
      throw new RefusedReply(response.status, response.headers, Date.now());
    })
    .catch((cause: unknown) => {
      // Not all of them tell what they have.
      if (isRefusedWith(cause, 404, 405, 501)) return undefined;
      throw cause;
    });
  if (!listed) return sayOneWord(server, choice);
  const names = listed.data.map(({ id }) => id);
  // Ollama takes a name without a tag for the latest.
  if (names.includes(model) || names.includes(`${model}:latest`)) return;
  const has =
    names.length === 0
      ? 'It has none.'
      : `It has ${names.slice(0, NAMED).join(', ')}${names.length > NAMED ? ' …' : ''}.`;
  throw new Problem('model_not_found', `The server at ${baseUrl} has no model ${model}. ${has}`);
}

function asProblem(cause: unknown, { baseUrl, model }: ModelChoice, name: KeyName): unknown {
  if (!(cause instanceof ModelFailure)) return cause;
  if (isRefusedWith(cause, 404))
    return new Problem('model_not_found', `The server at ${baseUrl} has no model ${model}.`, { cause });
  if (isRefusedWith(cause, 401, 403))
    return new Problem(
      'model_unreachable',
      `The server at ${baseUrl} wants a key, and none that it takes is kept for it. Set one with \`reverie secret set ${name} --server ${new URL(baseUrl).origin}\`, then try again.`,
      { cause },
    );
  return new Problem('model_unreachable', `${cause.message}. Nothing was changed.`, { cause });
}
