import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { type Client, createClient } from '@reverie/shared/client';
import { listEvents } from '@reverie/shared/contract/events/events';
import { setMemory } from '@reverie/shared/contract/memories/memories';
import { listWebhooks, registerWebhook } from '@reverie/shared/contract/events/webhooks';
import { steadyPort } from '@reverie/shared/testing/steady-port';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { verifyDatabase } from '../../db/backup/verify.ts';
import { homeAt } from '../../platform/home/home.ts';
import { type DaemonProcess, spawnDaemon, temporaryFolder } from '../../testing.ts';

const ROUNDS = 4;
const EVENTS = 60;
const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
/** Retries that begin soon and go on for half a minute: an outage of the test is over before the last one. */
const QUICK = { REVERIE_WEBHOOKS_RETRY_MIN_MS: '300', REVERIE_WEBHOOKS_RETRY_MAX_MS: '20000' };

let temporary: { folder: string; remove: () => void };
let daemon: DaemonProcess;
let receivers: ChildProcess[];
beforeEach(() => {
  temporary = temporaryFolder();
  receivers = [];
});
afterEach(async () => {
  daemon.kill('SIGKILL');
  await daemon.ended;
  for (const receiver of receivers) receiver.kill('SIGKILL');
  temporary.remove();
});

async function start(): Promise<Client> {
  const folder = path.join(temporary.folder, 'home');
  daemon = spawnDaemon(folder, QUICK);
  const origin = await daemon.ready;
  const key = fs.readFileSync(homeAt(folder).ownerKey, 'utf8').trim();
  return createClient({ origin, key: () => key });
}

/** All of a receiver's lives: a port on which its process comes and goes, and the file that it writes to. */
interface Place {
  port: string;
  file: string;
  process: ChildProcess;
}

async function launch(port: string, file: string): Promise<Place> {
  const program = path.join(import.meta.dirname, 'testing/receiver-process.ts');
  const child = spawn(process.execPath, [program, port, file], { stdio: ['ignore', 'pipe', 'inherit'] });
  receivers.push(child);
  const [said] = (await once(child.stdout, 'data')) as [Buffer];
  return { port: said.toString().trim(), file, process: child };
}

const open = async (name: string) => launch(String(await steadyPort()), path.join(temporary.folder, name));

/** Every `seq` that a receiver wrote down, in the order of arrival, over all its lives. */
function seqsOf({ file }: Place): number[] {
  return fs.readFileSync(file, 'utf8').split('\n').filter(Boolean).map(Number);
}

async function got(place: Place, count: number): Promise<void> {
  while (seqsOf(place).length < count) await new Promise((resolve) => setImmediate(resolve));
}

async function kill(place: Place): Promise<void> {
  const ended = once(place.process, 'exit');
  place.process.kill('SIGKILL');
  await ended;
}

async function revive(place: Place): Promise<void> {
  Object.assign(place, await launch(place.port, place.file));
}

test('kill -9 of the daemon and of receivers loses no delivery, and with `ordered` reorders none', async () => {
  let call = await start();
  const [free, ordered] = [await open('free'), await open('ordered')];
  for (const place of [free, ordered])
    await call(registerWebhook, {
      body: {
        url: `http://127.0.0.1:${place.port}/hook`,
        events: ['memory.*'],
        secret: SECRET,
        rate_per_s: 1000,
        ordered: place === ordered,
      },
    });
  for (let round = 0; round < ROUNDS; round += 1) {
    const writing = Array.from({ length: EVENTS }, (_, n) =>
      call(setMemory, { body: { key: `${round} ${n}`, value: `value ${n}` } }),
    );
    const outcomes = Promise.allSettled(writing);
    // Now the receivers, now the daemon, each in the middle of it: after some of the events have come.
    const before = round * EVENTS;
    await got(free, before + 5 + 7 * round);
    if (round % 2 === 0) {
      await kill(round === 0 ? free : ordered);
      await outcomes;
      await revive(round === 0 ? free : ordered);
    } else await outcomes;
    daemon.kill('SIGKILL');
    await daemon.ended;
    expect(verifyDatabase(homeAt(path.join(temporary.folder, 'home')).database).problems).toEqual([]);
    call = await start();
  }
  const { events } = await call(listEvents, { query: { family: 'memory', since: 0, limit: 1000 } });
  expect(events.length).toBeGreaterThanOrEqual(ROUNDS * EVENTS);
  await done(call);
  const expected = events.map(({ seq }) => seq);
  expect([...new Set(seqsOf(free))].sort((a, b) => a - b)).toEqual(expected);
  // Each arrives again at most right after itself: what comes later never came before what comes earlier.
  const inOrder = seqsOf(ordered);
  expect(inOrder).toEqual([...inOrder].sort((a, b) => a - b));
  expect([...new Set(inOrder)]).toEqual(expected);
});

/** Resolves once nothing waits any more; what became a dead letter fails the test. */
async function done(call: Client): Promise<void> {
  for (;;) {
    const { webhooks } = await call(listWebhooks, {});
    expect(webhooks.map(({ dead_letters }) => dead_letters)).toEqual([0, 0]);
    if (webhooks.every(({ pending, status }) => pending === 0 && status === 'active')) return;
    await new Promise((resolve) => setImmediate(resolve));
  }
}
