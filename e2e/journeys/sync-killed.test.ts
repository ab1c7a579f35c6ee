import type { Message } from '@reverie/shared/protocol/messages';
import { isDeep } from '@reverie/shared/testing/depth';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Gateway, type Passing, startGateway } from '../../cloud/src/testing/gateway.ts';
import { hurry, linkAll, startSyncWorld, type SyncWorld, type TestDevice, together } from '../devices.ts';
import { createWriting, type Writing } from '../writing.ts';

let world: SyncWorld;
let gateway: Gateway;
let writing: Writing;
let a: TestDevice;
let b: TestDevice;
let c: TestDevice;

beforeEach(async () => {
  world = await startSyncWorld({ running: 'own-process' });
  gateway = await startGateway(world.relay);
  writing = createWriting();
  [a, b, c] = await Promise.all([world.device(), world.device(), world.device()]);
  await linkAll([a, b, c], gateway.origin);
  await together([a, b, c]);
});
afterEach(async () => {
  await gateway.stop();
  await world.stop();
});

interface Kill {
  victim: 'writer' | 'reader' | 'relay';
  /** The message at which it dies. */
  at: Message['type'];
  way: Passing['way'];
  /** Whose connection that message is on. */
  of: 'writer' | 'reader';
  /** Whether it was passed on before. */
  passes: boolean;
  /** Turns of the event loop between the two, so that the receiver is in the midst of it. */
  turns?: number;
}

const kills: readonly (Kill & { step: string })[] = [
  {
    step: 'written into documents, not sent',
    victim: 'writer',
    at: 'append',
    way: 'up',
    of: 'writer',
    passes: false,
  },
  { step: 'sent', victim: 'writer', at: 'append', way: 'up', of: 'writer', passes: true },
  { step: 'taken by the relay', victim: 'relay', at: 'append', way: 'up', of: 'writer', passes: true },
  {
    step: 'being committed',
    victim: 'relay',
    at: 'append',
    way: 'up',
    of: 'writer',
    passes: true,
    turns: 20,
  },
  {
    step: 'committed, the ack on its way',
    victim: 'relay',
    at: 'ack',
    way: 'down',
    of: 'writer',
    passes: false,
  },
  {
    step: 'committed, the writer gone before the ack',
    victim: 'writer',
    at: 'ack',
    way: 'down',
    of: 'writer',
    passes: false,
  },
  { step: 'acknowledged', victim: 'writer', at: 'ack', way: 'down', of: 'writer', passes: true },
  {
    step: 'the ack being noted',
    victim: 'writer',
    at: 'ack',
    way: 'down',
    of: 'writer',
    passes: true,
    turns: 20,
  },
  {
    step: 'told to readers, and not come',
    victim: 'relay',
    at: 'entries',
    way: 'down',
    of: 'reader',
    passes: false,
  },
  {
    step: 'on the way to the reader',
    victim: 'reader',
    at: 'entries',
    way: 'down',
    of: 'reader',
    passes: false,
  },
  { step: 'come to the reader', victim: 'reader', at: 'entries', way: 'down', of: 'reader', passes: true },
  {
    step: 'being merged',
    victim: 'reader',
    at: 'entries',
    way: 'down',
    of: 'reader',
    passes: true,
    turns: 20,
  },
  {
    step: 'merged, the cursor saved or not',
    victim: 'reader',
    at: 'entries',
    way: 'down',
    of: 'reader',
    passes: true,
    turns: 200,
  },
];

const STEPS = ['committed, the writer gone before the ack', 'committed, the ack on its way', 'being merged'];

/** Kills once at a place of the path; resolves with when it has happened. */
async function killAt({ victim, at, way, of, passes, turns = 0 }: Kill): Promise<void> {
  const idOf = async (device: TestDevice) => (await device.status()).device?.id;
  const watched = await idOf(of === 'writer' ? a : b);
  const pid = { writer: a.pid, reader: b.pid, relay: world.relayPid }[victim];
  const dead = Promise.withResolvers<void>();
  let isOver = false;
  const kill = () => {
    process.kill(pid, 'SIGKILL');
    dead.resolve();
  };
  const wait = (left: number) => (left === 0 ? kill() : setImmediate(() => wait(left - 1)));
  gateway.obey((passing) => {
    const { message, device } = passing;
    if (isOver || message.type !== at || passing.way !== way || device !== watched)
      // Who is dead hears nothing any more: what comes after it in the same moment is held back, too.
      return isOver && !passes && device === watched && passing.way === way ? [] : [message];
    isOver = true;
    wait(turns);
    return passes ? [message] : [];
  });
  const running = writing.round(a, `${victim} ${at} ${turns} ${String(passes)}`);
  await dead.promise;
  await { writer: a.ended, reader: b.ended, relay: world.relayEnded }[victim]();
  // The others go on meanwhile.
  await Promise.all([running, writing.round(c, `c while ${victim} ${at} ${turns} ${String(passes)}`)]);
  if (victim === 'relay') {
    const { daemon_live, state } = await a.status();
    expect([daemon_live, state]).not.toEqual([true, 'live']);
  }
  gateway.obey(undefined);
  await { writer: a.start, reader: b.start, relay: world.startRelay }[victim]();
}

/** One death of each in `npm test`; every step, each with a start and a way back, takes half a minute. */
const tried = isDeep ? kills : kills.filter(({ step }) => STEPS.includes(step));

test('killed at every step between a write and its place on the other device: nothing that was answered is missing', async () => {
  for (const { step, ...kill } of tried) {
    await killAt(kill);
    await hurry([a, b, c]);
    const says = await together([a, b, c]);
    expect(() => writing.check(says), step).not.toThrow();
  }
  expect(writing.answered()).toBeGreaterThan(tried.length * 6);
  for (const device of [a, b, c])
    expect(await device.status()).toMatchObject({ quarantined: 0, conflicts: 0 });
});
