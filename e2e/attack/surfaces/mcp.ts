import fc from 'fast-check';
import { listAccounts } from '@reverie/shared/contract/accounts/accounts';
import { createKey, revokeKey } from '@reverie/shared/contract/accounts/keys';
import { getMemory } from '@reverie/shared/contract/memories/memories';
import { furnish, signUpBot } from '../fuzz/furnish.ts';
import { fromSchema, type Schema } from '../fuzz/from-schema.ts';
import { spoiled } from '../fuzz/spoil.ts';
import { secretWord } from '../planted.ts';
import { send } from '../sending.ts';
import { oddBodies } from './rpc.ts';
import {
  createAcknowledged,
  isWell,
  jsonBy,
  shoot,
  type Shot,
  type Surface,
  startLoaded,
} from './surface.ts';

interface Tool {
  name: string;
  inputSchema: Schema;
}

/** Somebody who has no business with what is planted. */
interface Seeker {
  key: string | undefined;
  who: string;
  more?: Record<string, string>;
}

const PATH = '/mcp?tools=all';
const ACCEPT = { Accept: 'application/json, text/event-stream', 'MCP-Protocol-Version': '2025-06-18' };
const NARROW = 'project/narrow';

const call = (id: unknown, method: string, params: unknown = {}) => ({ jsonrpc: '2.0', id, method, params });
const post = (key: string | undefined, body: unknown, more: Record<string, string> = {}) => ({
  method: 'POST',
  path: PATH,
  headers: jsonBy(key, { ...ACCEPT, ...more }),
  body: typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body),
});

/** MCP: odd JSON-RPC and headers, each tool with arguments that fit its schema and that do not, each tool by keys that have no business there. */
export const mcp: Surface = {
  name: 'MCP',
  async run(scene) {
    const { section, random, seed, times } = scene;
    const daemon = await startLoaded(scene, 'mcp');
    const words = Array.from({ length: 7 }, () => secretWord(random));
    const secrets = new Set(words);
    const own = await furnish(daemon.call, { secrets: words, hook: undefined });
    const bot = await signUpBot(daemon, 'mcp@example.org');
    const narrow = await daemon.call(createKey, {
      body: { name: 'narrow', scope: 'write', namespaces: [NARROW] },
    });
    const gone = await daemon.call(createKey, { body: { name: 'gone to be' } });
    await daemon.call(revokeKey, { params: { id: gone.id } });
    const listed = await send(daemon.origin, post(daemon.ownerKey, call(1, 'tools/list')));
    const tools = (messageIn(listed.text) as { result: { tools: Tool[] } }).result.tools;
    section.did('tools', tools.length);

    // What is written in between stands at the end.
    const acknowledged = createAcknowledged();
    const write = (n: number): Shot => ({
      what: 'memory_set',
      sent: post(
        daemon.ownerKey,
        call(n, 'tools/call', {
          name: 'memory_set',
          arguments: { namespace: 'kept', key: `kept ${n}`, value: `value ${n}` },
        }),
      ),
      expected: [200],
    });
    const writes = Array.from({ length: 20 }, (_, n) => write(n));
    const noteWrite = (shot: Shot, { status, text }: { status: number; text: string }) => {
      const n = writes.indexOf(shot);
      if (n >= 0 && status === 200 && !text.includes('"isError":true'))
        acknowledged.add(`kept ${n}`, `value ${n}`);
    };
    await shoot(section, daemon, { shots: writes.slice(0, 10), onAnswer: noteWrite });

    const plain = call(7, 'tools/call', {
      name: 'memory_search',
      arguments: { query: 'bakery', namespace: 'kept' },
    });
    const owner = daemon.ownerKey;
    const refused = (fields: Record<string, string>) => post(owner, plain, fields);
    await shoot(section, daemon, {
      secrets,
      shots: [
        ...oddBodies(plain, random).map(({ what, body }) => ({
          what: `MCP ${what}`,
          sent: post(owner, body),
        })),
        ...[
          'tools/list',
          'resources/list',
          'prompts/list',
          'resources/templates/list',
          'ping',
          'nothing/of/this',
          'logging/setLevel',
          'completion/complete',
        ].flatMap((method) =>
          [undefined, null, {}, { cursor: 'x' }, { uri: 'reverie://\u0000' }, { name: '../..' }, []].map(
            (params) => ({
              what: `MCP ${method} ${JSON.stringify(params)}`,
              sent: post(owner, { jsonrpc: '2.0', id: 1, method, ...(params !== undefined && { params }) }),
              mayRead: true,
            }),
          ),
        ),
        ...['', '1999-01-01', '2025-06-18\u00e9', 'x'.repeat(5000)].map((version) => ({
          what: `the revision ${version.slice(0, 20)}`,
          sent: refused({ 'MCP-Protocol-Version': Buffer.from(version).toString('latin1') }),
        })),
        ...['text/html', '', '*/*', 'application/json'].map((Accept) => ({
          what: `Accept ${Accept}`,
          sent: refused({ Accept }),
        })),
        ...['text/plain', '', 'application/json; charset=utf-16'].map((type) => ({
          what: `Content-Type ${type}`,
          sent: refused({ 'Content-Type': type }),
        })),
        ...['x', '../..', 'x'.repeat(3000)].flatMap((value) =>
          ['Mcp-Session-Id', 'X-Reverie-Account', 'X-Reverie-Project', 'Last-Event-ID'].map((name) => ({
            what: `${name}: ${value.slice(0, 10)}`,
            sent: refused({ [name]: value }),
          })),
        ),
        ...['GET', 'DELETE'].map((method) => ({
          what: `${method} /mcp`,
          sent: { method, path: PATH, headers: jsonBy(owner, { ...ACCEPT, Accept: 'application/json' }) },
        })),
      ],
    });

    const lookUp = () => ({});
    const known = (name: string) =>
      name === 'namespace'
        ? ['kept', own.namespace, '*']
        : name === 'key'
          ? own.keys
          : ['query', 'question'].includes(name)
            ? ['bakery', 'Ada', '*']
            : [];
    const fuzzed = tools.flatMap(({ name, inputSchema }, n) => {
      const valid = fromSchema(inputSchema, { lookUp, known });
      return fc
        .sample(fc.oneof(valid, spoiled(valid)), { seed: seed + n, numRuns: Math.ceil(times / 4) })
        .map((given): Shot => ({
          what: `MCP ${name}`,
          sent: post(owner, call(n, 'tools/call', { name, arguments: given })),
          mayRead: true,
        }));
    });
    await shoot(section, daemon, { shots: fuzzed });

    const seeking = (tool: Tool, by: Seeker): Shot[] => {
      const { key, who, more = {} } = by;
      const guess = fc.sample(fromSchema(tool.inputSchema, { lookUp, known }), { seed, numRuns: 4 });
      return guess.map((given) => ({
        what: `MCP ${tool.name} by ${who}`,
        sent: post(key, call(1, 'tools/call', { name: tool.name, arguments: given }), more),
      }));
    };
    const machine = (await daemon.call(listAccounts, { query: {} })).accounts.find(
      ({ kind }) => kind === 'machine',
    );
    const account = { 'X-Reverie-Account': machine?.id ?? '' };
    await shoot(section, daemon, {
      secrets,
      shots: tools.flatMap((tool) => [
        ...seeking(tool, { key: bot.key, who: 'a bot' }),
        ...seeking(tool, { key: bot.key, who: 'a bot that names another account', more: account }),
        ...seeking(tool, { key: narrow.key, who: 'a narrower key' }),
        ...seeking(tool, { key: gone.key, who: 'a revoked key' }).map((shot) => ({
          ...shot,
          expected: [401],
        })),
        ...seeking(tool, { key: undefined, who: 'nobody' }).map((shot) => ({ ...shot, expected: [401] })),
      ]),
    });
    await shoot(section, daemon, { shots: writes.slice(10), onAnswer: noteWrite });
    await acknowledged.check(section, async (key) => {
      const memory = await daemon
        .call(getMemory, { body: { namespace: 'kept', key } })
        .catch(() => undefined);
      return memory?.value;
    });
    await isWell(section, daemon);
  },
};

/** The one message of an answer, be it JSON or an event of a stream. */
function messageIn(text: string): unknown {
  const data = /^data: (.+)$/m.exec(text)?.[1];
  return JSON.parse(data ?? text);
}
