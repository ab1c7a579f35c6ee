import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import type { BackgroundEmbedder } from './background-embedder.ts';
import { type Embedder, normalise, quantise, type QuantisedVector } from './embedder.ts';
import { ModelFailure } from './language-model.ts';
import type { ServerState } from './breaker.ts';
import { estimatedTokens, tokensSent } from './metered.ts';
import { isAboutRequest, type ModelServer, RefusedReply } from './model-server.ts';

export interface EmbeddingsDeps {
  server: ModelServer;
  baseUrl: string;
  /** Its name on the server. */
  model: string;
  timeoutMs: number;
  /** Texts in one request. */
  batch: number;
  /** How many numbers a vector of it had when it was last asked; kept over restarts. */
  dimensions: { load(): number; save(dimensions: number): void };
  now: () => number;
  /** Told what each request took, those that failed too; nobody counts where it is missing. */
  took?: (call: { tokens: number; failed: boolean }) => void;
}

/** A server's model in the place of the built-in table: queries are embedded before they are searched, texts in the background. */
export interface RemoteEmbedder {
  readonly embedder: Embedder;
  readonly background: BackgroundEmbedder;
  /** Has the vectors of queries made, so that `encode` knows them; gives up after a short time, and never rejects. */
  fetchQueries(texts: readonly string[]): Promise<void>;
  state(): ServerState;
}

/** A query waits no longer for its vector: words find much at once. */
const QUERY_PATIENCE = 1000;
const KEPT_QUERIES = 500;
const Usage = z.object({ usage: z.object({ total_tokens: z.int().min(1) }) });
/** A text that the server refuses is cut to this many characters, and given up where that does not help. */
const SHORT = 400;
/** After so many batches in time they may be twice as long again. */
const MANY = 50;

export function createRemoteEmbedder(deps: EmbeddingsDeps): RemoteEmbedder {
  const { server, model, timeoutMs, batch } = deps;
  let dimensions = deps.dimensions.load();
  let newDimensions: number | undefined;
  let work = new AbortController();
  /** Texts that are sent together: fewer, where the server did not get ready with so many. */
  let together = batch;
  let inTime = 0;
  /** A text, by its hash, that the server did not get ready with alone, and how often while it was ready with another one. */
  let slow: { text: string; times: number } | undefined;
  const queries = new LRUCache<string, Float32Array>({ max: KEPT_QUERIES });
  const underWay = new Map<string, Promise<void>>();

  async function embed(
    input: readonly string[],
    limits: { timeoutMs: number; signal?: AbortSignal },
  ): Promise<Float32Array[]> {
    const vectors = await counted(input, limits, async (signal) => {
      const response = await server.fetch(`${deps.baseUrl.replace(/\/+$/u, '')}/embeddings`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ model, input, encoding_format: 'float' }),
        signal,
      });
      if (!response.ok) {
        await response.body?.cancel();
        throw new RefusedReply(response.status, response.headers, deps.now());
      }
      const reply: unknown = await response.json();
      const found = vectorsIn(reply, input.length);
      settleDimensions(found[0]?.length ?? 0);
      return { found, tokens: tokensOf(reply) ?? estimatedTokens(input) };
    });
    return vectors.map((vector) => normalise(Float32Array.from(vector)));
  }

  /** Asks the server, and counts what that took. */
  async function counted(
    input: readonly string[],
    limits: { timeoutMs: number; signal?: AbortSignal },
    run: (signal: AbortSignal) => Promise<{ found: number[][]; tokens: number }>,
  ): Promise<number[][]> {
    const isSent = server.wait() === 0 && limits.signal?.aborted !== true;
    try {
      const { found, tokens } = await server.ask(limits, run);
      deps.took?.({ tokens, failed: false });
      return found;
    } catch (cause) {
      if (isSent && cause instanceof ModelFailure)
        deps.took?.({ tokens: tokensSent(cause, input), failed: cause.kind !== 'cancelled' });
      throw cause;
    }
  }

  /** Another length is another model behind the same name; once may be an accident. */
  function settleDimensions(found: number): void {
    if (found === dimensions) {
      newDimensions = undefined;
      return;
    }
    if (dimensions !== 0 && newDimensions !== found) {
      newDimensions = found;
      throw new ModelFailure(
        'garbage',
        `the model ${model} answers vectors of ${found} numbers, not of ${dimensions} as before`,
      );
    }
    newDimensions = undefined;
    dimensions = found;
    queries.clear();
    deps.dimensions.save(found);
  }

  /** The vectors of one slice: where the server takes too long for it, the next one is half as long. */
  async function embedSlice(texts: readonly string[]): Promise<Float32Array[]> {
    const [text = ''] = texts;
    const isSlow = texts.length === 1 && slow?.text === hashOf(text);
    try {
      const vectors = isSlow && slow ? [await embedSlow(text, slow)] : await embedAll(texts);
      inTime += 1;
      if (isSlow) slow = undefined;
      return vectors;
    } catch (cause) {
      if (cause instanceof ModelFailure && cause.kind === 'timeout') {
        if (texts.length === 1 && !isSlow) slow = { text: hashOf(text), times: 0 };
        together = Math.max(1, texts.length >> 1);
        inTime = 0;
      }
      throw cause;
    }
  }

  /** A text that took too long, where the server is ready with another one, else it hangs: tried again, then cut, then given up. */
  async function embedSlow(text: string, found: { times: number }): Promise<Float32Array> {
    const limits = { timeoutMs, signal: work.signal };
    await embed(['Reverie'], limits);
    found.times += 1;
    const [vector] =
      found.times > 2
        ? []
        : await embed([found.times > 1 ? text.slice(0, SHORT).toWellFormed() : text], limits);
    return vector ?? new Float32Array(dimensions);
  }

  /** The vectors of some texts; what is refused together is asked one by one, so that one bad text does not hold up the rest. */
  async function embedAll(texts: readonly string[]): Promise<Float32Array[]> {
    const limits = { timeoutMs, signal: work.signal };
    try {
      return await embed(texts, limits);
    } catch (cause) {
      const refused =
        cause instanceof ModelFailure && cause.cause instanceof RefusedReply ? cause.cause.status : undefined;
      if (!isAboutRequest(refused)) throw cause;
      if (texts.length > 1) {
        const each: Float32Array[] = [];
        for (const text of texts) each.push(...(await embedAll([text])));
        return each;
      }
      const [text = ''] = texts;
      if (text.length > SHORT) return embedAll([text.slice(0, SHORT).toWellFormed()]);
      // Its words find it; a vector of zeros says that nothing is known of it. Before any vector, the server is what is wrong.
      if (dimensions === 0) throw cause;
      return [new Float32Array(dimensions)];
    }
  }

  const embedder: Embedder = {
    get model() {
      return `${model}@${dimensions}`;
    },
    get dimensions() {
      return dimensions;
    },
    isRemote: true,
    isReady: (text) => queries.has(text),
    encode: (text) => queries.get(text) ?? new Float32Array(dimensions),
  };
  const background: BackgroundEmbedder = {
    async ready() {
      if (dimensions === 0) await embed(['Reverie'], { timeoutMs, signal: work.signal });
    },
    async encode(texts) {
      const vectors: QuantisedVector[] = [];
      const before = dimensions;
      if (inTime >= MANY) {
        together = Math.min(batch, 2 * together);
        inTime = 0;
      }
      for (let from = 0; from < texts.length; from = vectors.length) {
        // Its own text only: what a server makes of a context is not known, and asking about it would take three times as long.
        const slice = texts.slice(from, from + together).map(([own]) => own?.text ?? '');
        vectors.push(...(await embedSlice(slice)).map(quantise));
      }
      if (before !== 0 && dimensions !== before)
        throw new ModelFailure('garbage', 'the model changed under way; the texts are embedded again');
      return vectors;
    },
    retryAt: () => deps.now() + server.wait(),
    rest() {
      work.abort();
      work = new AbortController();
    },
  };
  return { embedder, background, fetchQueries, state: server.state };

  async function fetchQueries(texts: readonly string[]): Promise<void> {
    const missing = [...new Set(texts)].filter((text) => !queries.has(text) && !underWay.has(text));
    if (missing.length > 0 && server.wait() === 0) {
      const limits = { timeoutMs: Math.min(timeoutMs, QUERY_PATIENCE) };
      const slices = Array.from({ length: Math.ceil(missing.length / batch) }, (_, at) =>
        missing.slice(at * batch, (at + 1) * batch),
      );
      const asked = Promise.all(slices.map((slice) => embed(slice, limits)))
        .then((replies) => replies.flat())
        .then((vectors) =>
          missing.forEach((text, i) => queries.set(text, vectors[i] ?? new Float32Array(dimensions))),
        )
        // The server's state says what is wrong; the search goes on with words.
        .catch((cause: unknown) => {
          if (!(cause instanceof ModelFailure)) throw cause;
        })
        .finally(() => missing.forEach((text) => underWay.delete(text)));
      for (const text of missing) underWay.set(text, asked);
    }
    await Promise.all(texts.flatMap((text) => underWay.get(text) ?? []));
  }
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('base64');
}

/** What a reply says that it took; undefined where it does not say. */
function tokensOf(reply: unknown): number | undefined {
  return Usage.safeParse(reply).data?.usage.total_tokens;
}

/** The vectors of a reply, in the order of the texts; throws where they are not what was asked for. */
function vectorsIn(reply: unknown, count: number): number[][] {
  const { data } = (reply ?? {}) as { data?: unknown };
  if (!Array.isArray(data) || data.length !== count)
    throw new ModelFailure(
      'garbage',
      `the embedding server answered ${Array.isArray(data) ? data.length : 'no'} vectors for ${count} texts`,
    );
  const rows = (data as { index?: unknown; embedding?: unknown }[]).map((row, at) => ({
    index: typeof row?.index === 'number' ? row.index : at,
    vector: row?.embedding,
  }));
  const vectors = rows.sort((a, b) => a.index - b.index).map(({ vector }) => vector);
  const [first] = vectors;
  const length = Array.isArray(first) ? first.length : 0;
  if (!vectors.every((vector) => isVector(vector, length)))
    throw new ModelFailure(
      'garbage',
      'the embedding server answered vectors that are not of one length, or not of numbers',
    );
  return vectors;
}

const LONGEST_VECTOR = 16_384;

function isVector(given: unknown, length: number): given is number[] {
  return (
    Array.isArray(given) &&
    given.length === length &&
    length > 0 &&
    length <= LONGEST_VECTOR &&
    given.every((x) => typeof x === 'number' && Number.isFinite(x)) &&
    given.some((x) => x !== 0)
  );
}
