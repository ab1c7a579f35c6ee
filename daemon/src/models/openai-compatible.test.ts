import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { expectLinear } from '@reverie/shared/testing/linear';
import { z } from 'zod';
import { jsonIn } from './json-text.ts';
import { type LanguageModel, ModelFailure } from './language-model.ts';
import { createModelServer, type ModelServer } from './model-server.ts';
import { createLanguageModel } from './openai-compatible.ts';
import { type FakeModelServer, said, startFakeModelServer } from './testing/fake-model-server.ts';

const Colour = z.object({ colour: z.string(), sure: z.boolean() });
const GOOD = '{"colour": "blue", "sure": true}';
const KEY = 'sk-very-secret';

let fake: FakeModelServer;
let server: ModelServer;
let model: LanguageModel;
let now: number;
beforeEach(async () => {
  now = 1_000_000;
  fake = await startFakeModelServer(() => said(GOOD));
  open();
});
afterEach(() => fake.stop());

function open(timeoutMs = 5000, baseUrl = fake.baseUrl): void {
  server = createModelServer({ baseUrl, key: async () => KEY, clock: { now: () => now }, random: () => 1 });
  model = createLanguageModel({ server, baseUrl, model: 'm', timeoutMs });
}

function generate(signal?: AbortSignal) {
  return model.generate({
    system: 'You know colours.',
    prompt: 'The sky?',
    schema: Colour,
    maxTokens: 50,
    signal,
  });
}

async function failure(signal?: AbortSignal): Promise<ModelFailure> {
  const cause: unknown = await generate(signal).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(cause instanceof ModelFailure)) throw new Error(`no ModelFailure: ${String(cause)}`);
  expect(cause.message).not.toContain(KEY);
  return cause;
}

describe('a language model', () => {
  test('of a server that hangs is left alone, whoever’s time limit comes first', async () => {
    open(300);
    await model.ready?.();
    fake.behave(() => 'never');
    expect(await failure(AbortSignal.timeout(280))).toMatchObject({ kind: 'timeout' });
    expect(server.state().state).toBe('down');
    expect(server.wait()).toBeGreaterThan(0);
  });

  test('whose asker had hardly any time left is not to blame', async () => {
    fake.behave(() => 'never');
    expect(await failure(AbortSignal.timeout(50))).toMatchObject({ kind: 'cancelled' });
    expect(server.state().state).toBe('ok');
  });

  test('loads its library before the time of the server begins', async () => {
    const order: string[] = [];
    vi.resetModules();
    vi.doMock('ai', async (original) => {
      order.push('library');
      return await original<object>();
    });
    const timeout = AbortSignal.timeout.bind(AbortSignal);
    const timing = vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
      order.push('time');
      return timeout(ms);
    });
    try {
      const fresh = await import('./openai-compatible.ts');
      model = fresh.createLanguageModel({ server, baseUrl: fake.baseUrl, model: 'm', timeoutMs: 60_000 });
      expect(await generate()).toMatchObject({ tokens: 12 });
      expect(order).toEqual(['library', 'time']);
    } finally {
      timing.mockRestore();
      vi.doUnmock('ai');
    }
  });

  test('answers what the schema accepts, with the tokens it took', async () => {
    expect(await generate()).toEqual({ value: { colour: 'blue', sure: true }, tokens: 12 });
    const [asked] = fake.asked;
    expect(asked).toMatchObject({
      path: '/v1/chat/completions',
      authorization: `Bearer ${KEY}`,
      body: { model: 'm', max_tokens: 50, response_format: { type: 'json_schema' } },
    });
  });

  test.each([
    ['a block of code', `Sure!\n\`\`\`json\n${GOOD}\n\`\`\`\nAnything else?`],
    ['thoughts', `<think>{"colour": 3}</think>${GOOD}`],
    ['a comma too many', '{"colour": "blue", "sure": true,}'],
    ['a sentence before it', `The answer is ${GOOD} as you see`],
    ['thoughts that begin nowhere', `{"colour": 3}, or …</think>${GOOD}`],
    ['a second block of code', `\`\`\`json\n${GOOD}\n\`\`\` or \`\`\`\nno\n\`\`\``],
  ])('is understood with %s around its answer', async (_, content) => {
    fake.behave(() => said(content));
    expect((await generate()).value).toEqual({ colour: 'blue', sure: true });
  });

  test('is asked in words where it takes no schema, from then on', async () => {
    fake.behave(({ body }) =>
      'response_format' in body ? { status: 400, body: { error: { message: 'no' } } } : said(GOOD),
    );
    expect((await generate()).value.colour).toBe('blue');
    expect((await generate()).value.colour).toBe('blue');
    // It does not say what it refuses: the parameters of thinking are left out first.
    expect(fake.asked.map(({ body }) => 'response_format' in body)).toEqual([true, true, false, false]);
    expect(JSON.stringify(fake.asked[2]?.body)).toContain('JSON schema');
    expect(fake.asked[3]?.body).toHaveProperty('reasoning_effort', 'none');
  });

  test('is asked without the parameters that it does not take, with the schema still, from then on', async () => {
    fake.behave(({ body }) => {
      const param = ['max_tokens', 'temperature'].find((name) => name in body);
      if (param === undefined) return said(GOOD);
      const message = `Unsupported parameter: '${param}' is not supported with this model.`;
      return { status: 400, body: { error: { message, type: 'invalid_request_error', param, code: null } } };
    });
    expect((await generate()).value.colour).toBe('blue');
    expect(fake.asked).toHaveLength(3);
    expect(fake.asked[2]?.body).toMatchObject({
      max_completion_tokens: 50,
      response_format: { type: 'json_schema' },
    });
    await generate();
    expect(fake.asked).toHaveLength(4);
  });

  test('is told not to think, in the ways of several servers', async () => {
    await generate();
    expect(fake.asked[0]?.body).toMatchObject({
      temperature: 0,
      reasoning_effort: 'none',
      chat_template_kwargs: { enable_thinking: false },
    });
  });

  test.each([
    [
      'by its name (OpenAI)',
      ['chat_template_kwargs', 'reasoning_effort'],
      (name: string) => ({
        error: { message: `Unrecognized request argument supplied: ${name}`, param: null },
      }),
    ],
    [
      'as a field too many (Mistral)',
      ['chat_template_kwargs'],
      (name: string) => ({ detail: [{ type: 'extra_forbidden', loc: ['body', name], msg: 'Extra inputs' }] }),
    ],
    [
      'in words of its own (Ollama)',
      ['reasoning_effort'],
      () => ({ error: { message: '"tiny" does not support thinking', type: 'api_error', param: null } }),
    ],
  ])('is not told so any more where it refuses that %s', async (_, names, body) => {
    fake.behave((asked) => {
      const name = names.find((one) => one in asked.body);
      return name === undefined ? said(GOOD) : { status: 400, body: body(name) };
    });
    expect((await generate()).value.colour).toBe('blue');
    const before = fake.asked.length;
    expect(before).toBe(names.length + 1);
    await generate();
    expect(fake.asked).toHaveLength(before + 1);
    expect(fake.asked.every((asked) => 'response_format' in asked.body)).toBe(true);
  });

  test('that answers no JSON is asked once more, told so, and both are counted', async () => {
    fake.behave(() => said(fake.asked.length === 1 ? 'The sky is blue, I should say.' : GOOD));
    expect(await generate()).toEqual({ value: { colour: 'blue', sure: true }, tokens: 24 });
    expect(JSON.stringify(fake.asked[1]?.body['messages'])).toContain('could not be read');
    fake.behave(() => said('The sky is blue.'));
    expect(await failure()).toMatchObject({ kind: 'garbage', tokens: 24 });
    expect(fake.asked).toHaveLength(4);
    const once = model.generate({
      system: 'You know colours.',
      prompt: 'The sky?',
      schema: Colour,
      maxTokens: 50,
      isAskedOnce: true,
    });
    await expect(once).rejects.toMatchObject({ kind: 'garbage', tokens: 12 });
    expect(fake.asked).toHaveLength(5);
  });

  test('has the same time for both', async () => {
    open(400);
    await model.ready?.();
    fake.behave(() => (fake.asked.length === 1 ? said('The sky is blue.') : 'never'));
    expect(await failure()).toMatchObject({ kind: 'timeout', tokens: 12 });
    expect(server.state()).toMatchObject({ state: 'down' });
  });

  test('says how much it reads at once as soon as its server has', () => {
    const told = { reports: undefined as number | undefined };
    model = createLanguageModel({
      server,
      baseUrl: fake.baseUrl,
      model: 'm',
      timeoutMs: 5000,
      contextTokens: () => told.reports,
    });
    expect(model.contextTokens).toBeUndefined();
    told.reports = 8_192;
    expect(model.contextTokens).toBe(8_192);
  });

  test('keeps the schema where two questions at once are refused a parameter', async () => {
    const refused = {
      status: 400,
      body: { error: { message: 'Unsupported parameter', param: 'max_tokens' } },
    };
    const both = Promise.withResolvers<void>();
    let first = 0;
    fake.behave(async ({ body }) => {
      if (!('max_tokens' in body)) return said(GOOD);
      if (++first === 2) both.resolve();
      await both.promise;
      return refused;
    });
    await Promise.all([generate(), generate()]);
    await generate();
    expect(fake.asked.map(({ body }) => 'response_format' in body)).toEqual([true, true, true, true, true]);
  });

  test('is asked without a schema and without parameters where it takes neither', async () => {
    fake.behave(({ body }) => {
      const param = ['response_format', 'max_tokens', 'temperature'].find((name) => name in body);
      if (param === undefined) return said(GOOD);
      return { status: 400, body: { error: { message: 'Unsupported parameter', param } } };
    });
    expect((await generate()).value.colour).toBe('blue');
    expect(fake.asked).toHaveLength(4);
    await generate();
    expect(fake.asked).toHaveLength(5);
  });

  test('is asked with the schema again where it was the prompt that it did not take', async () => {
    fake.behave(() => ({ status: 400, body: { error: { message: 'too long' } } }));
    expect((await failure()).kind).toBe('refused');
    fake.behave(() => said(GOOD));
    await generate();
    expect(fake.asked.at(-1)?.body).toHaveProperty('response_format');
  });

  test.each([
    ['words', 'I do not know.'],
    ['another shape', '{"color": "blue"}'],
    ['nothing', ''],
    ['half of it', '{"colour": "bl'],
  ])('that answers %s is garbage, and is asked again at once', async (_, content) => {
    fake.behave(() => said(content));
    expect((await failure()).kind).toBe('garbage');
    fake.behave(() => said(GOOD));
    expect((await generate()).value.sure).toBe(true);
  });

  test.each([
    ['no JSON', { body: '<html>hello</html>' }, 'garbage'],
    ['JSON of another kind', { body: { hello: 1 } }, 'garbage'],
    ['null', { body: 'null' }, 'garbage'],
    ['nothing at all', { body: '' }, 'garbage'],
    [
      'no choice',
      { body: { id: 'x', object: 'chat.completion', created: 1, model: 'm', choices: [] } },
      'garbage',
    ],
    ['ten megabytes', { body: 'x'.repeat(10_000_000) }, 'garbage'],
    [
      'a text of a megabyte',
      said(`{"colour": "blue", "sure": true, "why": "${'x'.repeat(1e6)}"}`),
      'garbage',
    ],
    ['JSON nested deeply', said(`{"colour": ${'['.repeat(1e5)}${']'.repeat(1e5)}}`), 'garbage'],
    ['401', { status: 401, body: { error: { message: `wrong key ${KEY}` } } }, 'refused'],
    ['404', { status: 404, body: 'no such model' }, 'refused'],
    ['500', { status: 500, body: `oh ${KEY}` }, 'refused'],
  ] as const)('behind a server that answers %s', async (_, reply, kind) => {
    fake.behave(() => reply);
    expect((await failure()).kind).toBe(kind);
    expect(server.state().state).toBe(kind === 'garbage' ? 'ok' : 'down');
  });

  test('that sends a blank now and then has no more time for it, and is hung up on', async () => {
    open(300);
    await model.ready?.();
    fake.behave(() => 'drip');
    expect((await failure()).kind).toBe('timeout');
    await fake.givenUp(1);
  });

  test('that answers an error, and then does not, is asked again after a moment', async () => {
    fake.behave(() => ({ status: 500, body: 'no' }));
    expect((await failure()).kind).toBe('refused');
    fake.behave(() => said(GOOD));
    now += server.wait();
    expect((await generate()).value.colour).toBe('blue');
    expect(server.state().state).toBe('ok');
  });

  test('that does not answer in time is left alone for longer and longer, then asked again', async () => {
    open(60);
    fake.behave(() => 'never');
    expect((await failure()).kind).toBe('timeout');
    expect(server.state()).toMatchObject({ state: 'down', since: now });
    // By what failed, for on a busy machine the time may be up before the server hears of it.
    expect((await failure()).message).toContain('left alone');
    now += 1000;
    expect((await failure()).kind).toBe('timeout');
    now += 1000;
    expect((await failure()).message).toContain('left alone');
    fake.behave(() => said(GOOD));
    now += 2000;
    open(5000);
    expect((await generate()).tokens).toBe(12);
    expect(server.state().state).toBe('ok');
  });

  test('is left alone as long as a 429 asks for', async () => {
    fake.behave(() => ({ status: 429, headers: { 'retry-after': '30' }, body: {} }));
    expect(await failure()).toMatchObject({
      kind: 'refused',
      message: expect.stringContaining('429') as string,
    });
    expect(server.wait()).toBe(30_000);
  });

  test('that nobody listens for, or that breaks off, is unreachable', async () => {
    fake.behave(() => 'cut');
    expect((await failure()).kind).toBe('unreachable');
    now += 10_000;
    fake.behave(() => 'torn');
    expect((await failure()).kind).toBe('unreachable');
    expect(server.state().error).toMatch(/broke off its answer/);
    await fake.stop();
    now += 10_000;
    expect((await failure()).kind).toBe('unreachable');
    expect(server.state().error).toMatch(/no model server answers at http:\/\/127\.0\.0\.1/);
    await fake.start();
  });

  test('is not asked any more when the caller does not wait, which is no failure of the server', async () => {
    fake.behave(() => 'never');
    const controller = new AbortController();
    await model.ready?.();
    const waiting = failure(controller.signal);
    await vi.waitFor(() => expect(fake.asked).toHaveLength(1));
    controller.abort();
    expect((await waiting).kind).toBe('cancelled');
    await fake.givenUp(1);
    expect(server.state().state).toBe('ok');
    expect((await failure(controller.signal)).kind).toBe('cancelled');
  });

  test('whose key cannot be read is not asked, and says so', async () => {
    server = createModelServer({
      baseUrl: fake.baseUrl,
      key: () => Promise.reject(new Error('secrets.json is not a JSON object')),
      clock: { now: () => now },
    });
    model = createLanguageModel({ server, baseUrl: fake.baseUrl, model: 'm', timeoutMs: 5000 });
    expect((await failure()).message).toMatch(/key .* cannot be read: secrets\.json/);
    expect([fake.asked, server.state().state]).toEqual([[], 'down']);
  });

  test('is not followed to another address', async () => {
    const other = await startFakeModelServer(() => said(GOOD));
    fake.behave(() => ({
      status: 307,
      headers: { location: `${other.baseUrl}/chat/completions` },
      body: '',
    }));
    expect((await failure()).kind).toBe('refused');
    expect(other.asked).toEqual([]);
    await expect(server.fetch(`${other.baseUrl}/chat/completions`, {})).rejects.toThrow(/only the address/);
    await expect(server.fetch(`${fake.baseUrl}x/chat`, {})).rejects.toThrow(/only the address/);
    await other.stop();
  });
});

test.each(['<think>', '```json ', '{ ', ', '])(
  'JSON is looked for in time by their length in texts of nothing but %j',
  (piece) =>
    expectLinear(
      (length) => expect(jsonIn(`\`\`\`${piece.repeat(length / piece.length)}`)).toBeUndefined(),
      200_000,
    ),
);

test('JSON is found in what models write', () => {
  expect(jsonIn('[1, {"a": "}"}] trailing }')).toEqual([1, { a: '}' }]);
  expect(jsonIn('no braces')).toBeUndefined();
  // A draft is no answer, and the end of thoughts may be quoted.
  expect(jsonIn('<think>{"colour": "red"}? No.</think>It is')).toBeUndefined();
  expect(jsonIn('So: {"says": "</think>"}')).toEqual({ says: '</think>' });
  expect(jsonIn('3')).toBeUndefined();
  expect(jsonIn('{"a": {"b": [1, 2,], }, }')).toEqual({ a: { b: [1, 2] } });
});
