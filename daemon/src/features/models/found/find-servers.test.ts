import http from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { startFakeLlamaCpp } from '../../../models/testing/fake-llama-cpp.ts';
import { startFakeLmStudio } from '../../../models/testing/fake-lm-studio.ts';
import { startFakeOllama } from '../../../models/testing/fake-ollama.ts';
import { startFakeVllm } from '../../../models/testing/fake-vllm.ts';
import {
  type Handler,
  type ProtocolServer,
  sendJson,
  sendText,
  startProtocolServer,
} from '../../../models/testing/protocol-server.ts';
import { findServer, findServers } from './find-servers.ts';

const stops: (() => unknown)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});
async function started<T extends Pick<ProtocolServer, 'stop'>>(server: Promise<T>): Promise<T> {
  const one = await server;
  stops.push(() => one.stop());
  return one;
}
const serving = (routes: Record<string, Handler>) => started(startProtocolServer({ routes }));

describe('a server is told by the shape of its answers, at whatever port', () => {
  const qwen = {
    name: 'qwen3.5:4b',
    layers: [3000, 400],
    context: 262_144,
    capabilities: ['vision', 'completion', 'tools', 'thinking'] as const,
  };
  const nomic = {
    name: 'nomic-embed-text:latest',
    layers: [270],
    context: 2048,
    capabilities: ['embedding'] as const,
  };

  test.each([false, true])('Ollama (one that tells no abilities: %s)', async (old) => {
    const { url, asked } = await started(startFakeOllama({ has: [qwen, nomic], old }));
    expect(await findServer(url)).toEqual({
      kind: 'ollama',
      url,
      version: '0.35.1',
      needs_key: false,
      consent: null,
      models: [
        {
          name: 'qwen3.5:4b',
          bytes: 3400,
          context: 262_144,
          can: old ? ['chat', 'schema'] : ['chat', 'schema', 'tools'],
        },
        { name: 'nomic-embed-text:latest', bytes: 270, context: 2048, can: ['vectors'] },
      ],
    });
    expect(
      asked.every(({ headers }) => headers.authorization === undefined && headers.cookie === undefined),
    ).toBe(true);
    expect(asked.filter(({ path }) => path === '/api/show')).toHaveLength(old ? 2 : 0);
  });

  test('a loaded model reads what it was given, and one that answers elsewhere is not on this machine', async () => {
    const list = {
      models: [
        { name: 'here', size: 1, details: { context_length: 9000 }, capabilities: ['completion'] },
        { name: 'there:cloud', size: 1, remote_host: 'https://ollama.com:443', remote_model: 'there' },
      ],
    };
    const { url } = await serving({
      'GET /api/version': (_, response) => sendJson(response, 200, { version: '1' }),
      'GET /api/tags': (_, response) => sendJson(response, 200, list),
      'GET /api/ps': (_, response) =>
        sendJson(response, 200, { models: [{ name: 'here', context_length: 4096 }] }),
    });
    expect((await findServer(url))?.models).toEqual([
      { name: 'here', bytes: 1, context: 4096, can: ['chat', 'schema'] },
    ]);
  });

  test.each(['new', 'v0', 'openai'] as const)('LM Studio (%s)', async (age) => {
    const { url } = await started(
      startFakeLmStudio({
        age,
        models: [
          { key: 'gemma-4-e4b', type: 'llm', context: 131_072, loaded: 8192, tools: true },
          { key: 'text-embedding-nomic', type: 'embedding', context: 2048 },
        ],
      }),
    );
    const isKnown = age !== 'openai';
    expect(await findServer(url)).toEqual({
      kind: 'lm-studio',
      url,
      version: null,
      needs_key: false,
      consent: null,
      models: [
        {
          name: 'gemma-4-e4b',
          bytes: age === 'new' ? 241_410_208 : null,
          context: isKnown ? 8192 : null,
          can: isKnown ? ['chat', 'schema', 'tools'] : ['chat'],
        },
        {
          name: 'text-embedding-nomic',
          bytes: age === 'new' ? 241_410_208 : null,
          context: isKnown ? 2048 : null,
          can: ['vectors'],
        },
      ],
    });
  });

  test('llama.cpp', async () => {
    const { url } = await started(startFakeLlamaCpp());
    const model = { name: 'models/qwen3.5-4b-q4_k_m.gguf', bytes: 2_700_000_000, context: 8192 };
    expect(await findServer(url)).toEqual({
      kind: 'llama-cpp',
      url,
      version: 'b9992-abc',
      needs_key: false,
      consent: null,
      models: [{ ...model, can: ['chat', 'schema', 'tools'] }],
    });
    const { url: embedding } = await started(startFakeLlamaCpp({ model: 'EmbeddingGemma.gguf' }));
    expect((await findServer(embedding))?.models[0]?.can).toEqual(['vectors']);
    const { url: loading } = await started(startFakeLlamaCpp({ isLoading: true }));
    expect(await findServer(loading)).toMatchObject({ kind: 'llama-cpp', models: [] });
  });

  test('vLLM, and any other with the same list', async () => {
    const { url } = await started(startFakeVllm());
    expect(await findServer(url)).toEqual({
      kind: 'vllm',
      url,
      version: '0.19.1',
      needs_key: false,
      consent: null,
      models: [{ name: 'Qwen/Qwen3-32B', bytes: null, context: 40_960, can: ['chat', 'schema'] }],
    });
    const { url: other } = await started(startFakeVllm({ ownedBy: 'localai' }));
    expect(await findServer(other)).toMatchObject({
      kind: 'openai-compatible',
      models: [{ name: 'Qwen/Qwen3-32B', context: null, can: ['chat'] }],
    });
  });

  test('one that wants a key says so, and is sent none', async () => {
    const locked = await Promise.all([
      started(startFakeLmStudio({ models: [], token: 'secret' })),
      started(startFakeLlamaCpp({ key: 'secret' })),
      started(startFakeVllm({ key: 'secret' })),
      serving({
        '*': (_, response) => sendJson(response, 401, { error: { message: 'You need a key', type: 'x' } }),
      }),
    ]);
    const found = await findServers(locked.map(({ url }) => url));
    expect(found.map(({ kind, needs_key }) => [kind, needs_key])).toEqual([
      ['lm-studio', true],
      ['llama-cpp', true],
      ['vllm', true],
      ['openai-compatible', true],
    ]);
    for (const { asked } of locked)
      expect(asked.every(({ headers }) => headers.authorization === undefined)).toBe(true);
  });
});

describe('what is no model server', () => {
  const nothing = { ms: 200, bytes: 100_000 };

  test.each<[string, Handler]>([
    ['a page', (_, response) => sendText(response, 200, '<html>hello</html>')],
    ['nothing at any path', (_, response) => sendText(response, 404, 'no')],
    ['a version of something else', (_, response) => sendJson(response, 200, { version: '1.2.3' })],
    ['another list', (_, response) => sendJson(response, 200, { object: 'list', data: [{ name: 'x' }] })],
    [
      'models that are none',
      (_, response) => sendJson(response, 200, { models: [{ name: 7 }], version: '1' }),
    ],
    ['a login', (_, response) => sendJson(response, 401, { error: 'Unauthorized' })],
    ['a problem', (_, response) => sendJson(response, 401, { code: 'unauthorized', title: 'No key' })],
    ['JSON of a million brackets', (_, response) => sendText(response, 200, '['.repeat(90_000))],
    [
      'deeply nested JSON',
      (_, response) => sendText(response, 200, `${'[{"a":'.repeat(10_000)}1${'}]'.repeat(10_000)}`),
    ],
    [
      'more than is read',
      (_, response) => {
        response.writeHead(200, { 'content-type': 'application/json' });
        const more = () => {
          while (response.write('x'.repeat(65_536)));
          response.once('drain', more);
        };
        more();
      },
    ],
    ['no answer', () => undefined],
    ['half an answer', (_, response) => void response.writeHead(200).write('{"version":')],
  ])('%s is not taken for one, and does no harm', async (_, handler) => {
    const { url } = await serving({ '*': handler });
    expect(await findServer(url, nothing)).toBeUndefined();
  });

  test('a redirect is not followed', async () => {
    const { url: ollama, asked } = await started(startFakeOllama());
    const { url } = await serving({
      '*': ({ path }, response) => void response.writeHead(307, { location: `${ollama}${path}` }).end(),
    });
    expect(await findServer(url, nothing)).toBeUndefined();
    expect(asked).toEqual([]);
  });

  test('what speaks no HTTP, what sends headers without end, and what is not there', async () => {
    const raw = async (say: (socket: net.Socket) => void) => {
      const server = net.createServer((socket) => {
        socket.on('error', () => undefined);
        say(socket);
      });
      await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
      stops.push(() => server.close());
      return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    };
    const places = [
      await raw((socket) => socket.end('SSH-2.0-OpenSSH_9.9\r\n')),
      await raw((socket) => socket.write(`HTTP/1.1 200 OK\r\nX-A: ${'a'.repeat(200_000)}`)),
      await raw((socket) => socket.destroy()),
    ];
    const gone = await raw(() => undefined);
    await stops.pop()?.();
    expect(await findServers([...places, gone], nothing)).toEqual([]);
  });

  test('many models are told of in part, a name that is none is none, and odd sizes are not said', async () => {
    const listed = (models: object[]) =>
      serving({
        'GET /api/version': (_, response) => sendJson(response, 200, { version: '1' }),
        'GET /api/tags': (_, response) => sendJson(response, 200, { models }),
      });
    const capabilities = ['completion'];
    const many = await listed(Array.from({ length: 900 }, (_, at) => ({ name: `m${at}`, capabilities })));
    expect((await findServer(many.url))?.models).toHaveLength(200);
    const odd = await listed([
      { name: 'odd', size: -1, details: { context_length: 'long' }, capabilities },
      { name: 'odder', size: 1e300, details: null, capabilities: 'all' },
    ]);
    expect((await findServer(odd.url))?.models).toEqual([
      { name: 'odd', bytes: null, context: null, can: ['chat', 'schema'] },
      { name: 'odder', bytes: null, context: null, can: ['chat', 'schema'] },
    ]);
    const unnamed = await listed([{ name: 'x'.repeat(301), capabilities }]);
    expect(await findServer(unnamed.url)).toBeUndefined();
  });

  test('a common agent with a proxy is not asked', async () => {
    const { url, asked } = await started(startFakeOllama());
    const before = http.globalAgent;
    const refusing = new http.Agent();
    refusing.createConnection = () => {
      throw new Error('the common agent was used');
    };
    http.globalAgent = refusing;
    try {
      expect(await findServer(url)).toMatchObject({ kind: 'ollama' });
    } finally {
      http.globalAgent = before;
    }
    expect(asked.length).toBeGreaterThan(0);
  });
});
