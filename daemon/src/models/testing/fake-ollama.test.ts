import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type FakeOllama, startFakeOllama } from './fake-ollama.ts';

let ollama: FakeOllama;
beforeEach(async () => {
  ollama = await startFakeOllama();
});
afterEach(() => ollama.stop());

const post = (path: string, body: object) =>
  fetch(`${ollama.url}${path}`, { method: 'POST', body: JSON.stringify(body) });
const lines = async (reply: Response) =>
  (await reply.text())
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);

describe('the fake Ollama', () => {
  test('pulls, shows, lists and talks as the documentation says', async () => {
    const pulled = await lines(await post('/api/pull', { model: 'qwen3.5:4b' }));
    expect(pulled[0]).toEqual({ status: 'pulling manifest' });
    expect(pulled).toContainEqual(expect.objectContaining({ total: 3000, completed: 3000 }));
    expect(pulled.at(-1)).toEqual({ status: 'success' });
    expect(await (await fetch(`${ollama.url}/api/tags`)).json()).toMatchObject({
      models: [{ name: 'qwen3.5:4b', size: 3400 }],
    });
    expect(await (await post('/api/show', { model: 'qwen3.5:4b' })).json()).toMatchObject({
      model_info: { 'qwen35.context_length': 262144 },
    });
    ollama.talk = ({ prompt, schema }) => ({ text: `${prompt} ${JSON.stringify(schema)}` });
    const messages = [{ role: 'user', content: 'hello' }];
    const chat = { model: 'qwen3.5:4b', messages };
    const format = { type: 'json_schema', json_schema: { name: 'x', schema: { type: 'object' } } };
    expect(
      await (await post('/v1/chat/completions', { ...chat, response_format: format })).json(),
    ).toMatchObject({ choices: [{ message: { content: 'hello {"type":"object"}' } }] });
    const streamed = await lines(await post('/api/chat', { ...chat, format: { type: 'string' } }));
    expect(streamed.map(({ message }) => (message as { content: string }).content).join('')).toBe(
      'hello {"type":"string"}',
    );
    expect(streamed.at(-1)).toMatchObject({ done: true });
    expect(await (await post('/v1/chat/completions', { ...chat, stream: true })).text()).toMatch(
      /data: \[DONE\]\n\n$/,
    );
    expect((await post('/api/show', { model: 'none' })).status).toBe(404);
    expect((await post('/v1/chat/completions', { ...chat, model: 'none' })).status).toBe(404);
  });

  test('a pull that is cut goes on where it was, and one that fails says so in its stream', async () => {
    ollama.pulls.hold();
    const first = await post('/api/pull', { model: 'qwen3.5:4b' });
    ollama.pulls.arrive(1000);
    const reader = (first.body as ReadableStream<Uint8Array>).getReader();
    const cut = reader.read().then(async function on({ done, value }): Promise<void> {
      if (done) throw new Error('it ended before it was cut');
      if (Buffer.from(value).includes('"completed":1000')) ollama.pulls.breakOff();
      return reader.read().then(on);
    });
    await expect(cut).rejects.toThrow('terminated');
    await ollama.pulls.over();
    expect([ollama.pulls.arrived('qwen3.5:4b'), ollama.names()]).toEqual([1000, []]);
    ollama.pulls.arrive();
    const rest = await lines(await post('/api/pull', { model: 'qwen3.5:4b' }));
    expect(rest[1]).toMatchObject({ total: 3000, completed: 1000 });
    expect(ollama.names()).toEqual(['qwen3.5:4b']);
    ollama.pulls.fail('max retries exceeded');
    expect((await lines(await post('/api/pull', { model: 'gemma4:e4b-it-qat' }))).at(-1)).toEqual({
      error: 'max retries exceeded',
    });
    expect((await lines(await post('/api/pull', { model: 'nobody' }))).at(-1)).toEqual({
      error: 'pull model manifest: file does not exist',
    });
  });
});
