import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import * as sources from '@reverie/shared/contract/sessions/session-sources';
import * as sessions from '@reverie/shared/contract/sessions/sessions';
import { assistantLine, resultLine, userLine } from '@reverie/session-logs/testing/claude-lines';
import { CODEX_FILE, legacyAnswer, legacyPrompt, metaLine } from '@reverie/session-logs/testing/codex-lines';
import { type AttackedDaemon, eventually } from '../grounds.ts';
import { type Random, whole } from '../random.ts';
import { isWell, shoot, type Shot, type Surface, type SurfaceScene, startLoaded } from './surface.ts';

const rep = (text: string, length: number) => text.repeat(Math.ceil(length / text.length)).slice(0, length);
const line = (record: object) => JSON.stringify(record);
/** What stands in each log around what is hostile, and must be read. */
const around = (n: number) => [`the first question of ${n}.`, `the last question of ${n}.`] as const;

/** Logs of Claude Code and Codex: cut and damaged lines, times that are none, deep nests, lines of 20 MB, odd files. Then each session is asked for in every way. */
export const logs: Surface = {
  name: 'logs of agents',
  async run(scene) {
    const { section, grounds } = scene;
    const home = path.join(grounds.folder, 'home');
    const root = path.join(home, '.claude/projects');
    // A folder that is not there is looked for each minute.
    for (const at of [root, path.join(home, '.codex/sessions')]) fs.mkdirSync(at, { recursive: true });
    const daemon = await startLoaded(scene, 'logs', { HOME: home });
    for (const agent of ['claude-code', 'codex'] as const)
      await daemon.call(sources.setSource, { params: { agent }, body: { enabled: true } });

    const hostile = hostileLogs(scene);
    for (const [n, { what, lines }] of hostile.entries()) {
      const id = `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
      const [first, last] = around(n);
      const own = (record: object) => line({ ...record, sessionId: id });
      const file = path.join(root, `-p-${n}`, `${id}.jsonl`);
      fs.mkdirSync(path.dirname(file), { recursive: true });
      const since = Date.now();
      fs.writeFileSync(
        file,
        Buffer.concat([
          Buffer.from(`${own(userLine(`first-${n}`, first, { timestamp: new Date().toISOString() }))}\n`),
          ...lines.flatMap((one) => [
            Buffer.isBuffer(one) ? one : Buffer.from(one.replaceAll('SESSION', id)),
            Buffer.from('\n'),
          ]),
          Buffer.from(`${own(userLine(`last-${n}`, last, { timestamp: new Date().toISOString() }))}\n`),
        ]),
      );
      section.did('hostile logs');
      const isRead = await eventually(async () => ((await stand(daemon, [first, last])) ? true : undefined), {
        withinMs: 20_000,
        everyMs: 100,
      });
      section.turn(daemon.longestTurn(since), `log with ${what}`);
      if (!isRead) section.found('lost', `log with ${what}: what stands around it was not read within 20 s`);
      section.did('acknowledged lines', 2);
    }
    codexLog(home);
    section.did('odd files', oddFiles(root));
    await pause(1500);
    await askForAll(scene, daemon);
    await isWell(section, daemon);
  },
};

/** Whether a session that begins with a text has another one among its last entries. */
async function stand(daemon: AttackedDaemon, [first, last]: readonly [string, string]): Promise<boolean> {
  const { sessions: list } = await daemon.call(sessions.listSessions, {
    query: { limit: 200, subagents: 'true' },
  });
  const session = list.find(({ title }) => title.startsWith(first));
  if (!session) return false;
  const { entries } = await daemon.call(sessions.listEntries, {
    params: { id: session.id },
    query: { limit: 500, since: Math.max(0, session.entries - 100) },
  });
  return entries.some(({ text }) => text === last);
}

function hostileLogs({ random, times }: SurfaceScene): { what: string; lines: (string | Buffer)[] }[] {
  const user = (text: unknown, fields: object = {}) =>
    line({ ...userLine(`u-${Math.floor(random() * 1e9)}`, text), sessionId: 'SESSION', ...fields });
  const answer = (fields: object) =>
    line({
      ...assistantLine(`a-${Math.floor(random() * 1e9)}`, {
        content: [{ type: 'text', text: 'said' }],
        ...fields,
      }),
      sessionId: 'SESSION',
    });
  const call = { type: 'tool_use', id: 't1', name: 'Read', input: { file_path: '/p/x' } };
  const samples = [
    user('hello'),
    answer({}),
    answer({ content: [call] }),
    line({ ...resultLine('r1', { call: 't1', content: 'fine' }), sessionId: 'SESSION' }),
  ];
  const times_ = [
    '+275760-09-13T00:00:00.000Z',
    '9999-12-31T23:59:59.999Z',
    '-271821-04-20T00:00:00.000Z',
    '0000-00-00',
    8.64e15,
    -1,
    1e400,
    'x',
    null,
    {},
    '2026-02-30T25:61:61Z',
  ];
  const damaged = Array.from({ length: times }, () =>
    damagedLine(samples[whole(random, 0, samples.length - 1)] ?? '', random),
  );
  return [
    { what: `${times} damaged lines`, lines: damaged },
    { what: 'times that are none', lines: times_.map((timestamp) => user('when', { timestamp })) },
    { what: '1,000,000 brackets', lines: [rep('[', 1_000_000), `${rep('[', 500_000)}${rep(']', 500_000)}`] },
    {
      what: 'a prompt of 100,000 levels',
      lines: [
        `{"type":"user","sessionId":"SESSION","uuid":"deep","message":{"role":"user","content":${rep('[', 100_000)}${rep(']', 100_000)}}}`,
      ],
    },
    { what: 'a record of 20 MB', lines: [user(rep('All work and no play. ', 20_000_000))] },
    { what: 'a line of 20 MB that is no JSON', lines: [rep('x', 20_000_000)] },
    {
      what: 'a call of 5 MB',
      lines: [
        answer({
          content: [{ ...call, input: { file_path: rep('/a', 2_500_000), command: rep('b ', 2_500_000) } }],
        }),
      ],
    },
    {
      what: '5,000 calls in a message',
      lines: [answer({ content: Array.from({ length: 5000 }, (_, n) => ({ ...call, id: `c${n}` })) })],
    },
    {
      what: '20,000 kinds of records',
      lines: Array.from({ length: 20_000 }, (_, n) => `{"type":"kind ${n}","sessionId":"SESSION"}`),
    },
    {
      what: 'prototype names',
      lines: [
        '{"__proto__":{"type":"user"},"sessionId":"SESSION"}',
        '{"type":"__proto__","sessionId":"SESSION"}',
        '{"type":"constructor","message":{"toString":null},"sessionId":"SESSION"}',
      ],
    },
    {
      what: 'NUL, bad UTF-8, marks',
      lines: [
        '\u0000',
        user('a\u0000b'),
        Buffer.from([0xff, 0xfe, 0x00, 0x7b]),
        `\ufeff${user('marked')}`,
        Buffer.from(user('wide'), 'utf16le'),
        '\r',
        '',
      ],
    },
    {
      what: 'fields of other types',
      lines: [
        user({}),
        user([null, 1, { type: 5 }]),
        user('x', { cwd: {}, gitBranch: [], version: 1, uuid: {} }),
        answer({ content: 'x', model: {}, usage: 'x' }),
      ],
    },
    {
      what: 'folders of a million characters',
      lines: [
        user('x', {
          cwd: rep('/a', 1_000_000),
          gitBranch: rep('b', 1_000_000),
          version: rep('9', 1_000_000),
        }),
      ],
    },
    {
      what: 'parents in a ring',
      lines: [
        user('x', { uuid: 'p1', parentUuid: 'p2' }),
        user('x', { uuid: 'p2', parentUuid: 'p1' }),
        user('x', { uuid: 'p3', parentUuid: 'p3' }),
      ],
    },
    {
      what: 'the same record 5,000 times',
      lines: Array.from({ length: 5000 }, () => user('again', { uuid: 'same' })),
    },
  ];
}

/** A line with a piece cut out, doubled, overwritten by noise, or cut off. */
function damagedLine(text: string, random: Random): Buffer {
  const bytes = Buffer.from(text);
  const at = whole(random, 0, bytes.length - 1);
  const to = Math.min(bytes.length, at + whole(random, 1, 40));
  const noise = Buffer.from(
    Array.from({ length: to - at }, () => whole(random, 0, 255)).filter((byte) => byte !== 10),
  );
  const ways = [
    [bytes.subarray(0, at)],
    [bytes.subarray(0, at), bytes.subarray(to)],
    [bytes.subarray(0, to), bytes.subarray(at)],
    [bytes.subarray(0, at), noise, bytes.subarray(to)],
    [bytes, bytes],
  ];
  return Buffer.concat(ways[whole(random, 0, ways.length - 1)] ?? []);
}

function codexLog(home: string): void {
  const file = path.join(home, '.codex', CODEX_FILE);
  fs.mkdirSync(path.dirname(file), { recursive: true });
  const lines = [
    metaLine(),
    metaLine({ cwd: {}, git: 5, id: null }),
    ...legacyPrompt('hello'),
    ...legacyAnswer('said'),
  ].map(line);
  fs.writeFileSync(
    file,
    [
      ...lines,
      lines[2]?.slice(0, 30),
      rep('[', 200_000),
      `{"timestamp":"+275760-09-13T00:00:00.000Z","type":"x","payload":null}`,
      lines[3],
    ].join('\n'),
  );
}

/** Makes files of logs that are none; answers how many. */
function oddFiles(root: string): number {
  const at = (name: string) => path.join(root, '-p-odd', name);
  fs.mkdirSync(path.join(root, '-p-odd'), { recursive: true });
  const id = (n: number) => `11111111-0000-4000-8000-${String(n).padStart(12, '0')}.jsonl`;
  fs.symlinkSync('/dev/zero', at(id(1)));
  fs.symlinkSync(id(2), at(id(2)));
  fs.mkdirSync(at(id(3)));
  fs.writeFileSync(at(id(4)), '', { mode: 0o000 });
  fs.truncateSync(at(id(4)), 0);
  fs.symlinkSync('/etc/passwd', at(id(5)));
  const shrinking = at(id(6));
  fs.writeFileSync(shrinking, `${line(userLine('s1', 'soon gone'))}\n`.repeat(50));
  fs.truncateSync(shrinking, 100);
  return 6;
}

/** Asks for every session in every way that reads one. */
async function askForAll({ section }: SurfaceScene, daemon: AttackedDaemon): Promise<void> {
  const { sessions: all } = await daemon.call(sessions.listSessions, {
    query: { limit: 200, subagents: 'true' },
  });
  section.did('sessions', all.length);
  const headers = { Authorization: `Bearer ${daemon.ownerKey}` };
  const get = (at: string): Shot => ({
    what: `GET ${at.replace(/cs_\w+/, '{id}')}`,
    sent: { method: 'GET', path: `/v1/coding-sessions${at}`, headers },
    expected: [200],
  });
  const ways = [
    '',
    '/entries?limit=500&text=whole',
    '/entries?limit=100',
    '/handover',
    '/export',
    '/export?format=html',
    '/preview',
    '/preview?redacted=true&limit=200',
    '/resume?in=codex',
  ];
  // Who asks for 20 MB may wait; nobody else does, which turns tell.
  await shoot(section, daemon, {
    mayTakeMs: 30_000,
    shots: [
      ...[
        '',
        '?q=said&status=ended',
        '/sources',
        '/formats',
        '/search?q=hello',
        `/search?q=${encodeURIComponent('- a\n'.repeat(200))}`,
      ].map(get),
      ...all.flatMap(({ id }) =>
        ways.map((way) => ({
          ...get(`/${id}${way}`),
          what: `GET ${way} of a session`,
          ...(way.startsWith('/resume') && { expected: [200, 409] }),
        })),
      ),
    ],
  });
}
