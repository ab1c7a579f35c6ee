import net from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { createKey, revokeKey } from '@reverie/shared/contract/accounts/keys';
import { setMemory } from '@reverie/shared/contract/memories/memories';
import * as sessions from '@reverie/shared/contract/sessions/sessions';
import { signUpBot } from '../fuzz/furnish.ts';
import { type AttackedDaemon, eventually } from '../grounds.ts';
import { startProbe } from '../hostile/probe.ts';
import { secretWord, wordsIn } from '../planted.ts';
import { send } from '../sending.ts';
import { frame, oddFrames, sendFrames } from './frames.ts';
import { during, isWell, shoot, type Surface, startLoaded } from './surface.ts';

const SLOW_READERS = 200;
/** Streams that one account of an agent may have open. */
const ALLOWED = 8;

/** Streams: garbage instead of frames, odd cursors, many that never read, and what a key still sees that was revoked or whose session moved away. */
export const streams: Surface = {
  name: 'streams',
  async run(scene) {
    const { section, random } = scene;
    const daemon = await startLoaded(scene, 'streams');
    const owner = { Authorization: `Bearer ${daemon.ownerKey}` };
    const { id } = await daemon.call(sessions.createSession, { body: { agent: 'x', namespace: 'n' } });
    const write = (text: string) =>
      daemon.call(sessions.addEntries, { params: { id }, body: { entries: [{ kind: 'note', text }] } });
    await write('first');
    const path = `/v1/coding-sessions/${id}/stream`;

    const valid = Buffer.from(JSON.stringify({ type: 'subscribe', topics: ['memory'] }));
    for (const { what, bytes } of [
      ...oddFrames(valid, random),
      { what: 'a text of 900 kB', bytes: frame(Buffer.alloc(900_000, 0x5b), { opcode: 1 }) },
    ])
      await during({ section, target: daemon }, `stream: ${what}`, async () => {
        const { status } = await sendFrames(daemon.origin, { path: '/v1/stream', headers: owner, bytes });
        section.did('sockets');
        section.answered(status);
        if (status !== 101) section.found('wrong', `stream: ${what}: the handshake was answered ${status}`);
      });
    const odd = [
      '?since=-1',
      '?since=1e400',
      '?since=x',
      '?topics=%00',
      `?topics=${'memory,'.repeat(900)}`,
      '?log_id=%00',
      '?namespace=..',
      '?__proto__=1',
      '?since=9007199254740993',
    ];
    await shoot(section, daemon, {
      shots: [
        ...odd.map((query) => ({
          what: `GET /v1/stream${query.slice(0, 20)}`,
          sent: { method: 'GET', path: `/v1/stream${query}`, headers: owner },
        })),
        ...['cs_x', '%00', '..%2f', `cs_${'0'.repeat(26)}`].map((other) => ({
          what: `GET the stream of ${other}`,
          sent: { method: 'GET', path: `/v1/coding-sessions/${other}/stream`, headers: owner },
        })),
        { what: 'POST a stream', sent: { method: 'POST', path, headers: owner, body: '' } },
      ],
    });
    for (const cursor of ['-1', '1e400', 'x', '9'.repeat(400), '\u00e9', '0'])
      await during({ section, target: daemon }, `Last-Event-ID ${cursor.slice(0, 8)}`, async () => {
        const follower = follow(daemon, path, { ...owner, 'Last-Event-ID': cursor });
        section.did('sockets');
        section.answered(await follower.status);
        follower.end();
      });

    await silent(daemon, { section, path, write });

    // Whose key is revoked, or whose session moves away, is told nothing more.
    const reads: [string, (key: { id: string }) => Promise<unknown>][] = [
      ['a revoked key', (key) => daemon.call(revokeKey, { params: { id: key.id } })],
      [
        'a narrower key whose session moved away',
        () => daemon.call(sessions.changeSession, { params: { id }, body: { namespace: 'elsewhere' } }),
      ],
    ];
    for (const [who, takeAway] of reads) {
      const key = await daemon.call(createKey, { body: { name: who, scope: 'read', namespaces: ['n'] } });
      const follower = follow(daemon, path, { Authorization: `Bearer ${key.key}` });
      section.answered(await follower.status);
      await write('before');
      const came = await eventually(() => (follower.came().includes('before') ? true : undefined), {
        withinMs: 5000,
      });
      if (!came) section.found('wrong', `the stream told ${who} nothing while it might`);
      await takeAway(key);
      const word = secretWord(random);
      await write(word);
      await daemon.call(setMemory, { body: { key: 'after', value: word, namespace: 'elsewhere' } });
      await pause(500);
      if (wordsIn(follower.came(), new Set([word])).length > 0)
        section.found('readable', `${who} follows a session on`);
      follower.end();
    }
    await isWell(section, daemon);
  },
};

/** Sockets that follow and never read, of one agent and of the owner, while the owner works over new connections. */
async function silent(
  daemon: AttackedDaemon,
  {
    section,
    path,
    write,
  }: {
    section: Parameters<Surface['run']>[0]['section'];
    path: string;
    write: (text: string) => Promise<unknown>;
  },
): Promise<void> {
  const bot = await signUpBot(daemon, 'streams@example.org');
  const as = daemon.as(bot.key);
  const { id } = await as(sessions.createSession, { body: { agent: 'x', namespace: 'n' } });
  const entries = Array.from({ length: 50 }, (_, n) => ({
    kind: 'note' as const,
    text: `${n} ${'\u4e2d'.repeat(4000)}`,
  }));
  for (let n = 0; n < 3; n += 1) await as(sessions.addEntries, { params: { id }, body: { entries } });
  const probe = startProbe(section, daemon, {
    method: 'GET',
    path: '/v1/status',
    headers: { Authorization: `Bearer ${daemon.ownerKey}`, Connection: 'close' },
  });
  const followers: ReturnType<typeof follow>[] = [];
  await during({ section, target: daemon }, `${SLOW_READERS} streams that never read`, async () => {
    for (let n = 0; n < SLOW_READERS; n += 1)
      followers.push(
        follow(daemon, n % 2 === 0 ? path : `/v1/coding-sessions/${id}/stream`, {
          Authorization: `Bearer ${n % 2 === 0 ? daemon.ownerKey : bot.key}`,
          'Last-Event-ID': '0',
          isSilent: true,
        }),
      );
    const answers = await Promise.all(followers.map(({ status }) => status));
    for (const status of answers) section.answered(status);
    section.did('sockets', SLOW_READERS);
    const open = answers.filter((status, n) => status === 200 && n % 2 === 1).length;
    section.figure('silent streams of an agent let in', `${open} of ${SLOW_READERS / 2}`);
    if (open > ALLOWED)
      section.found('wrong', `an account that nobody confirmed follows with ${open} streams`);
    for (let n = 0; n < 5; n += 1) await write(`while they are silent ${'x'.repeat(50_000)}`);
    await pause(300);
  });
  section.figure('longest wait of the owner', `${Math.round(await probe.stop())} ms`);
  for (const follower of followers) follower.end();
  const { status } = await send(daemon.origin, {
    method: 'GET',
    path: '/v1/status',
    headers: { Authorization: `Bearer ${daemon.ownerKey}` },
  });
  if (status !== 200) section.found('wrong', `behind silent streams /v1/status answered ${status}`);
}

/** Follows by server-sent events; `isSilent` reads nothing behind the status. */
function follow(
  daemon: AttackedDaemon,
  path: string,
  { isSilent = false, ...headers }: { isSilent?: boolean; [header: string]: string | boolean | undefined },
) {
  const { hostname, port } = new URL(daemon.origin);
  const socket = net.connect(Number(port), hostname);
  let came = '';
  const lines = Object.entries(headers)
    .map(([name, value]) => `${name}: ${String(value)}\r\n`)
    .join('');
  socket.write(`GET ${path} HTTP/1.1\r\nHost: ${hostname}:${port}\r\n${lines}\r\n`, 'latin1');
  const status = new Promise<number>((resolve) => {
    socket.on('data', (piece: Buffer) => {
      came += piece.toString('latin1');
      resolve(Number(/^HTTP\/1\.1 (\d+)/.exec(came)?.[1] ?? 0));
      if (isSilent) socket.pause();
    });
    socket.on('error', () => resolve(0));
    socket.on('close', () => resolve(0));
  });
  return { status, came: () => came, end: () => socket.destroy() };
}
