import { createKey, revokeKey } from '@reverie/shared/contract/accounts/keys';
import { getMemory } from '@reverie/shared/contract/memories/memories';
import { furnish, signUpBot } from '../fuzz/furnish.ts';
import { secretWord } from '../planted.ts';
import { oddBodies } from './rpc.ts';
import { isWell, jsonBy, shoot, type Shot, type Surface, startLoaded } from './surface.ts';

const PATH = '/v1/a2a';
const VERSION = { 'A2A-Version': '1.0' };
const METHODS = [
  ...[
    'SendMessage',
    'SendStreamingMessage',
    'GetTask',
    'CancelTask',
    'ListTasks',
    'SubscribeToTask',
    'GetExtendedAgentCard',
  ],
  ...['CreateTaskPushNotificationConfig', 'ListTaskPushNotificationConfigs', 'message/send', 'rpc.discover'],
];

const ask = (text: unknown, more: object = {}) => ({
  message: { messageId: 'm', role: 'ROLE_USER', parts: [{ text }], ...more },
});
const data = (fields: object) => ({
  message: { messageId: 'm', role: 'ROLE_USER', parts: [{ data: fields }] },
});

/** Params that a method is sent, none of which it is made for. */
const PARAMS: readonly unknown[] = [
  ...[
    null,
    [],
    {},
    'x',
    { message: null },
    { message: [] },
    { id: null },
    { id: '' },
    { id: 'x'.repeat(60_000) },
  ],
  ...[
    { id: '\u0000' },
    { id: '../../x' },
    { pageSize: -1 },
    { pageSize: 1e9 },
    { pageToken: '\u0000' },
    { pageToken: 'e30=' },
  ],
  ...[
    { contextId: '\ud800' },
    { statusTimestampAfter: '+275760-09-13T00:00:00.000Z' },
    { historyLength: 2 ** 53 },
  ],
  ...[
    '',
    '\u0000',
    '\ud800',
    'a-'.repeat(4000),
    '"a a" '.repeat(2000),
    '漢。'.repeat(40_000),
    ' '.repeat(100_000),
  ].map((text) => ask(text)),
  ...[1, null, {}, []].map((text) => ask(text)),
  ask('x', { parts: Array(3000).fill({ text: 'x' }) }),
  ask('x', {
    parts: [{ file: { uri: 'file:///etc/passwd' } }, { raw: 'AAAA' }, { url: 'http://127.0.0.1:1/' }],
  }),
  ask('x', { contextId: 'x'.repeat(60_000), taskId: '\u0000', metadata: { namespace: '..' } }),
  ask('x', { role: 'ROLE_AGENT', referenceTaskIds: Array(3000).fill('x') }),
  ...[
    { skill: 'dream', namespace: '\u0000' },
    { skill: 'dream', strategies: ['x'] },
    { skill: '__proto__' },
  ].map(data),
  ...[
    { skill: 'ask', question: null },
    { skill: 'remember', value: { toString: null } },
    { skill: 'ask', namespace: '*', question: 'a' },
  ].map(data),
  {
    ...ask('x'),
    configuration: { returnImmediately: 'yes', historyLength: -1, acceptedOutputModes: ['\u0000'] },
  },
];

/** A2A: odd JSON-RPC, each method with params that it is not made for, and keys that have no business there. */
export const a2a: Surface = {
  name: 'A2A',
  async run(scene) {
    const { section, random } = scene;
    const daemon = await startLoaded(scene, 'a2a');
    const words = Array.from({ length: 7 }, () => secretWord(random));
    await furnish(daemon.call, { secrets: words, hook: undefined });
    const bot = await signUpBot(daemon, 'a2a@example.org');
    const narrow = await daemon.call(createKey, { body: { name: 'narrow', namespaces: ['project/narrow'] } });
    const gone = await daemon.call(createKey, { body: { name: 'gone to be' } });
    await daemon.call(revokeKey, { params: { id: gone.id } });
    const sent = (
      key: string | undefined,
      body: string | Buffer,
      more: Record<string, string> = VERSION,
    ) => ({
      method: 'POST',
      path: PATH,
      body,
      headers: jsonBy(key, more),
    });
    const called = (key: string | undefined, method: string, params: unknown) =>
      sent(key, JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }));
    const plain = { jsonrpc: '2.0', id: 1, method: 'SendMessage', params: ask('When does the bakery open?') };
    const odd = oddBodies(plain, random).map(({ what, body }): Shot => ({
      what: `A2A ${what}`,
      sent: sent(daemon.ownerKey, body),
      mayRead: true,
    }));
    const wrong = METHODS.flatMap((method) =>
      PARAMS.map((params): Shot => ({
        what: `A2A ${method} ${JSON.stringify(params).slice(0, 60)}`,
        sent: called(daemon.ownerKey, method, params),
        mayRead: true,
      })),
    );
    const headers = [
      {},
      { 'A2A-Version': '' },
      { 'A2A-Version': '9.9' },
      { ...VERSION, 'A2A-Extensions': 'x'.repeat(5000) },
      { ...VERSION, 'X-Reverie-Account': 'acc_nobody' },
      { ...VERSION, 'Content-Type': 'text/plain' },
    ];
    const seek = [
      ...[
        ask('When does the bakery open?', { metadata: { namespace: 'private' } }),
        ask('What does Ada drive?'),
      ],
      ...[
        data({ skill: 'ask', question: 'bakery', namespace: 'private' }),
        data({ skill: 'ask', question: 'bakery', namespace: '*' }),
      ],
    ];
    const strangers = [
      { who: 'a bot', key: bot.key },
      { who: 'a narrower key', key: narrow.key },
      { who: 'a revoked key', key: gone.key, expected: [401] },
      { who: 'nobody', key: undefined, expected: [401] },
    ];
    await shoot(section, daemon, {
      secrets: new Set(words),
      shots: [
        ...odd,
        ...wrong,
        ...headers.map((more, n) => ({
          what: `A2A headers ${n}`,
          sent: sent(daemon.ownerKey, JSON.stringify(plain), more),
          mayRead: true,
        })),
        ...['/.well-known/agent-card.json', '/v1/.well-known/agent-card.json'].map((path) => ({
          what: path,
          sent: { method: 'GET', path, headers: { 'If-None-Match': '"\u00e9' } },
        })),
        ...strangers.flatMap(({ who, key, expected }) =>
          [...seek.map((params) => ['SendMessage', params] as const), ['ListTasks', {}] as const].map(
            ([method, params]): Shot => ({
              what: `A2A ${method} by ${who}`,
              sent: called(key, method, params),
              ...(expected && { expected }),
            }),
          ),
        ),
      ],
    });
    const kept = await daemon.call(getMemory, { body: { namespace: 'private', key: 'note 1' } });
    section.did('acknowledged writes');
    if (!kept.value.includes('stands here')) section.found('lost', 'a memory says something else');
    await isWell(section, daemon);
  },
};
