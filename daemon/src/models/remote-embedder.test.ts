import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ModelFailure } from './language-model.ts';
import { createModelServer } from './model-server.ts';
import { createRemoteEmbedder, type RemoteEmbedder } from './remote-embedder.ts';
import {
  type Behaviour,
  embeds,
  type FakeModelServer,
  letterVector,
  startFakeModelServer,
} from './testing/fake-model-server.ts';

let fake: FakeModelServer;
let remote: RemoteEmbedder;
let now: number;
let saved: number;
beforeEach(async () => {
  now = 1_000_000;
  saved = 0;
  fake = await startFakeModelServer(embeds());
  open();
});
afterEach(() => fake.stop());

function open({ timeoutMs = 5000, batch = 4 }: { timeoutMs?: number; batch?: number } = {}): void {
  const clock = { now: () => now };
  remote = createRemoteEmbedder({
    server: createModelServer({
      baseUrl: fake.baseUrl,
      key: async () => undefined,
      clock,
      random: () => 1,
      garbageIsFailure: true,
    }),
    baseUrl: fake.baseUrl,
    model: 'letters',
    timeoutMs,
    batch,
    dimensions: { load: () => saved, save: (dimensions) => (saved = dimensions) },
    now: () => now,
  });
}

function encode(...texts: string[]) {
  return remote.background.encode(
    texts.map((text) => [
      { text, weight: 1 },
      { text: 'before', weight: 0.3 },
    ]),
  );
}

function unit(vector: readonly number[]): number[] {
  const length = Math.hypot(...vector);
  return vector.map((x) => x / length);
}

async function failure(promise: Promise<unknown>): Promise<ModelFailure> {
  const cause: unknown = await promise.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(cause instanceof ModelFailure)) throw new Error(`no ModelFailure: ${String(cause)}`);
  return cause;
}

/** Answers well, but for one thing in each vector of the reply. */
function spoilt(spoil: (vector: number[], at: number) => unknown): Behaviour {
  return (asked) => {
    const reply = embeds()(asked);
    if (typeof reply === 'string') return reply;
    const { data } = reply.body as { data: { embedding: number[] }[] };
    return { body: { data: data.map((row, at) => ({ ...row, embedding: spoil(row.embedding, at) })) } };
  };
}

describe('texts in the background', () => {
  test('are asked about in batches, and come back in order, of unit length and in one byte a number', async () => {
    const texts = ['anna', 'bruno', 'clara', 'daniel', 'emil', 'frieda'];
    const vectors = await encode(...texts);
    expect(fake.asked.map(({ body }) => body['input'])).toEqual([texts.slice(0, 4), texts.slice(4)]);
    expect(fake.asked[0]).toMatchObject({
      path: '/v1/embeddings',
      body: { model: 'letters' },
      authorization: undefined,
    });
    for (const [at, { data, scale }] of vectors.entries()) {
      const expected = unit(letterVector(texts[at] ?? ''));
      expect(Math.max(...expected.map((x, i) => Math.abs(x - (data[i] ?? 0) * scale)))).toBeLessThan(0.01);
    }
    expect([remote.embedder.model, remote.embedder.dimensions, saved]).toEqual(['letters@26', 26, 26]);
  });

  test('are matched by their index where a server answers in another order', async () => {
    fake.behave((asked) => {
      const reply = embeds()(asked);
      if (typeof reply === 'string') return reply;
      const { data } = reply.body as { data: unknown[] };
      return { body: { data: [...data].reverse() } };
    });
    const [first, second] = await encode('aaaa', 'zzzz');
    expect([first?.data[0], second?.data[25]]).toEqual([127, 127]);
  });

  test('that are refused do not hold up the others: cut short, then given up', async () => {
    await remote.background.ready?.();
    const long = 'long '.repeat(200);
    fake.behave((asked) => {
      const input = asked.body['input'] as string[];
      return input.some((text) => text.length > 500 || text === 'bad')
        ? { status: 400, body: 'too long' }
        : embeds()(asked);
    });
    const [good, cut, none] = await encode('good', long, 'bad');
    expect(good?.scale).toBeGreaterThan(0);
    expect(cut?.scale).toBeGreaterThan(0);
    expect(none?.data.every((x) => x === 0)).toBe(true);
    expect(remote.state().state).toBe('ok');
  });

  /** Tries until it succeeds, as the queue does, when the server may be asked again. */
  async function encodeAtLast(...texts: string[]) {
    for (;;) {
      const failed = await encode(...texts).then(
        (vectors) => ({ vectors }),
        () => undefined,
      );
      if (failed) return failed.vectors;
      now = remote.background.retryAt?.() ?? now;
    }
  }

  test('that take the server too long together are sent in smaller batches', async () => {
    open({ timeoutMs: 300, batch: 8 });
    fake.behave((asked) => ((asked.body['input'] as string[]).length > 2 ? 'never' : embeds()(asked)));
    const texts = ['anna', 'bruno', 'clara', 'daniel', 'emil', 'frieda', 'gustav', 'hanna'];
    const vectors = await encodeAtLast(...texts);
    expect(vectors.map(({ scale }) => scale > 0)).toEqual(texts.map(() => true));
  });

  test('on which alone a server hangs are given up, and the others are not', async () => {
    open({ timeoutMs: 300 });
    await remote.background.ready?.();
    fake.behave((asked) => ((asked.body['input'] as string[]).includes('bad') ? 'never' : embeds()(asked)));
    const [none, good] = await encodeAtLast('bad', 'good');
    expect(none?.data.every((x) => x === 0)).toBe(true);
    expect(good?.scale).toBeGreaterThan(0);
    expect(remote.state().state).toBe('ok');
  });

  test('lose nothing by a server that hangs on everything for a while', async () => {
    open({ timeoutMs: 300 });
    const long = `${'anna '.repeat(100)}${'zzz '.repeat(100)}`;
    let asked = 0;
    fake.behave((one) => ((asked += 1) <= 6 ? 'never' : embeds()(one)));
    const [vector] = await encodeAtLast(long);
    const expected = unit(letterVector(long));
    expect((vector?.data[25] ?? 0) * (vector?.scale ?? 0)).toBeCloseTo(expected[25] ?? 0, 1);
  });
});

describe('a server', () => {
  test.each<[string, Behaviour, RegExp]>([
    ['answers no JSON', () => ({ body: '<html>' }), /not what was asked for/],
    ['answers other JSON', () => ({ body: { hello: 1 } }), /no vectors for 2 texts/],
    [
      'answers too few vectors',
      () => ({ body: { data: [{ index: 0, embedding: [1, 2] }] } }),
      /1 vectors for 2/,
    ],
    [
      'answers what is no number',
      spoilt((vector, at) => (at === 1 ? vector.map(() => null) : vector)),
      /not of numbers/,
    ],
    [
      'answers NaN',
      () => ({ body: '{"data":[{"embedding":[NaN]},{"embedding":[1]}]}' }),
      /not what was asked for/,
    ],
    [
      'answers numbers without end',
      () => ({ body: '{"data":[{"embedding":[1e999]},{"embedding":[1]}]}' }),
      /not of numbers/,
    ],
    [
      'answers vectors of two lengths',
      spoilt((vector, at) => (at === 1 ? vector.slice(1) : vector)),
      /one length/,
    ],
    ['answers zeros', spoilt((vector) => vector.map(() => 0)), /not of numbers/],
    ['answers 401', () => ({ status: 401, body: {} }), /refuses the key/],
    ['answers 404', () => ({ status: 404, body: {} }), /no such model/],
    ['breaks off', () => 'cut', /no model server answers/],
  ])('that %s is down, in plain words, and is asked again later', async (_, behaviour, said) => {
    fake.behave(behaviour);
    expect((await failure(encode('a', 'b'))).message).toMatch(said);
    expect(remote.state()).toMatchObject({ state: 'down', error: expect.stringMatching(said) as string });
    const before = fake.asked.length;
    expect((await failure(encode('a', 'b'))).kind).toBe('unreachable');
    expect(fake.asked).toHaveLength(before);
    fake.behave(embeds());
    now = remote.background.retryAt?.() ?? now;
    expect(await encode('a', 'b')).toHaveLength(2);
    expect(remote.state()).toMatchObject({ state: 'ok', error: null });
  });

  test('whose vectors have another length is believed the second time, as another model', async () => {
    await encode('a');
    fake.behave(embeds(13));
    expect((await failure(encode('a'))).message).toMatch(/13 numbers, not of 26/);
    expect(remote.embedder.model).toBe('letters@26');
    now += 1000;
    expect((await failure(encode('a'))).message).toMatch(/embedded again/);
    expect([remote.embedder.model, saved]).toEqual(['letters@13', 13]);
    expect(await encode('a')).toHaveLength(1);
    expect(remote.state().state).toBe('ok');
  });

  test('that was asked before a start is known by its dimensions', () => {
    saved = 26;
    open();
    expect([remote.embedder.model, remote.embedder.encode('a').length]).toEqual(['letters@26', 26]);
  });
});

describe('queries', () => {
  test('are known once they were prepared, and asked about once', async () => {
    const { embedder } = remote;
    expect(embedder.isReady?.('anna')).toBe(false);
    await Promise.all([remote.fetchQueries(['anna']), remote.fetchQueries(['anna', 'bruno'])]);
    await remote.fetchQueries(['bruno']);
    expect(fake.asked.map(({ body }) => body['input'])).toEqual([['anna'], ['bruno']]);
    expect(embedder.isReady?.('anna')).toBe(true);
    expect(embedder.encode('anna')[0]).toBeCloseTo(unit(letterVector('anna'))[0] ?? 0, 5);
  });

  test('of one question go in batches, too', async () => {
    open({ batch: 2 });
    await remote.fetchQueries(['anna', 'bruno', 'clara']);
    expect(fake.asked.map(({ body }) => body['input'])).toEqual([['anna', 'bruno'], ['clara']]);
    expect(remote.embedder.isReady?.('clara')).toBe(true);
  });

  test('wait for a server that does not answer no longer than their limit, and then not at all', async () => {
    open({ timeoutMs: 50 });
    fake.behave(() => 'never');
    await remote.fetchQueries(['anna']);
    expect([remote.embedder.isReady?.('anna'), remote.state().state]).toEqual([false, 'down']);
    await remote.fetchQueries(['anna']);
    expect(fake.asked).toHaveLength(1);
  });
});
