import fs from 'node:fs';
import net from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { setMemory } from '@reverie/shared/contract/memories/memories';
import { signUpBot } from '../fuzz/furnish.ts';
import { type AttackedDaemon, eventually } from '../grounds.ts';
import { startProbe } from './probe.ts';
import { type Row, textWith } from './row.ts';

const SOCKETS = 700;
/** Streams that one account may have open, by the issue. */
const ALLOWED = 8;
const MB = 1024 * 1024;
/** What memory may grow by, and what of it may be left a minute later. */
const GROWS_BY = 300 * MB;
const LEFT = 150 * MB;

/** Sockets that follow the stream and never read take neither the memory nor the time of the owner. */
export const silentSockets: Row = {
  name: 'row 6: sockets that never read',
  async run({ section, grounds }) {
    const daemon = await grounds.daemon('sockets');
    const bot = await signUpBot(daemon, 'silent@example.org');
    await daemon.call(setMemory, { body: { key: 'warm', value: 'up' } });
    const before = residentOf(daemon);
    const sockets: net.Socket[] = [];
    const probe = startProbe(section, daemon, {
      method: 'POST',
      path: '/v1/memory-list',
      body: '{}',
      headers: { Authorization: `Bearer ${daemon.ownerKey}`, 'Content-Type': 'application/json' },
    });
    try {
      const answers = [];
      for (let n = 0; n < SOCKETS; n += 1) answers.push(followSilently(daemon, bot.key, sockets));
      const open = (await Promise.all(answers)).filter((isOpen) => isOpen).length;
      section.figure('streams let in', `${open} of ${SOCKETS}`);
      if (open > ALLOWED)
        section.found('wrong', `one account that nobody confirmed follows with ${open} streams`);
      for (const n of [1, 2, 3])
        await daemon.as(bot.key)(setMemory, {
          body: { key: 'big', value: textWith(`change ${n}`, 1_000_000) },
        });
      await pause(3000);
      const most = residentOf(daemon);
      section.figure('resident', `${Math.round(before / MB)} → ${Math.round(most / MB)} MB`);
      if (most - before > GROWS_BY)
        section.found('wrong', `${SOCKETS} silent sockets take more than ${GROWS_BY / MB} MB`);
    } finally {
      section.figure('longest wait of the owner', `${Math.round(await probe.stop())} ms`);
      for (const socket of sockets) socket.destroy();
    }
    const back = await eventually(() => (residentOf(daemon) - before < LEFT ? true : undefined), {
      withinMs: 60_000,
      everyMs: 500,
    });
    if (!back) section.found('wrong', `a minute later more than ${LEFT / MB} MB of it are not given back`);
  },
};

/** Opens a stream and reads its answer alone; nothing of what follows. */
function followSilently(daemon: AttackedDaemon, key: string, sockets: net.Socket[]): Promise<boolean> {
  const { hostname, port } = new URL(daemon.origin);
  const socket = net.connect(Number(port), hostname);
  sockets.push(socket);
  const lines = [
    'GET /v1/stream HTTP/1.1',
    `Host: ${hostname}:${port}`,
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Version: 13',
    'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
    `Authorization: Bearer ${key}`,
  ];
  socket.write(`${lines.join('\r\n')}\r\n\r\n`);
  return new Promise((resolve) => {
    socket.once('data', (data: Buffer) => {
      socket.pause();
      resolve(data.toString('latin1').startsWith('HTTP/1.1 101'));
    });
    socket.on('error', () => resolve(false));
    socket.on('close', () => resolve(false));
  });
}

/** Bytes of memory that a process holds. Linux alone; elsewhere nothing is measured. */
function residentOf({ pid }: AttackedDaemon): number {
  const file = `/proc/${pid}/status`;
  if (!fs.existsSync(file)) return 0;
  return Number(/VmRSS:\s+(\d+) kB/.exec(fs.readFileSync(file, 'utf8'))?.[1] ?? 0) * 1024;
}
