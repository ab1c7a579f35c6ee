import { deepTest } from '@reverie/shared/testing/depth';
import { deleteMemory, setMemory } from '@reverie/shared/contract/memories/memories';
import { entryHash } from '@reverie/shared/protocol/entry-hash';
import type { Message } from '@reverie/shared/protocol/messages';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Gateway, type Rule, startGateway } from '../../cloud/src/testing/gateway.ts';
import { hurry, linkAll, startSyncWorld, type SyncWorld, type TestDevice, together } from '../devices.ts';

let world: SyncWorld;
let gateway: Gateway;
let a: TestDevice;
let b: TestDevice;

const set = (device: TestDevice, key: string, value: string) =>
  device.call(setMemory, { body: { key, value } });

beforeEach(async () => {
  // Heads twice a second in place of every 30 s.
  world = await startSyncWorld({ env: { RELAY_HEARTBEAT_MS: '500' } });
  gateway = await startGateway(world.relay);
  [a, b] = await Promise.all([world.device(), world.device()]);
  await set(a, 'before', 'kept');
  await linkAll([a, b], gateway.origin);
  await together([a, b]);
});
afterEach(async () => {
  await gateway.stop();
  await world.stop();
});

/** Tells a device something else than the relay said: one type of message, as long as it is obeyed. */
async function lieTo<T extends Message['type']>(
  victim: TestDevice,
  type: T,
  lie: (message: Extract<Message, { type: T }>) => readonly Message[],
): Promise<{ rule: Rule; told: () => number }> {
  const id = (await victim.status()).device?.id;
  let told = 0;
  const isOfType = (message: Message): message is Extract<Message, { type: T }> => message.type === type;
  const rule: Rule = ({ message, way, device }) => {
    if (way !== 'down' || device !== id || !isOfType(message)) return [message];
    told += 1;
    return lie(message);
  };
  gateway.obey(rule);
  return { rule, told: () => told };
}

/** The device says that something is wrong with the relay, in words, and does not claim to be up to date. */
async function seesThrough(device: TestDevice, words: RegExp): Promise<void> {
  await expect
    .poll(
      async () => {
        const { daemon_live, state, error } = await device.status();
        if (daemon_live || state !== 'offline' || error?.code !== 'later' || error.advice === '')
          return state;
        return error.message;
      },
      { interval: 20 },
    )
    .toMatch(words);
}

/**
 * Loses the next message of entries to a device, and from then on lets nothing else tell it of that, and does not let it in again: what it
 * says of the loss stays until `letIn`. Answers how often something was lost.
 */
async function loseOne(victim: TestDevice): Promise<() => number> {
  const id = (await victim.status()).device?.id;
  let lost = 0;
  gateway.obey(({ message, way, device }) => {
    if (way !== 'down' || device !== id) return [message];
    if (message.type === 'entries' && lost === 0) {
      lost += 1;
      return [];
    }
    return message.type === 'heads' || message.type === 'welcome' ? [] : [message];
  });
  return () => lost;
}

/** Nothing is lied any more, but the device is not let in again: what it says of the lie stays until `letIn`. */
async function keepOut(victim: TestDevice): Promise<void> {
  const id = (await victim.status()).device?.id;
  gateway.obey(({ message, way, device }) =>
    way === 'down' && device === id && message.type === 'welcome' ? [] : [message],
  );
}

async function letIn(victim: TestDevice): Promise<void> {
  gateway.obey(undefined);
  gateway.cut();
  await hurry([victim]);
}

test('told that there is more than there is: it says that it is behind, and never that it is up to date', async () => {
  const more = 1000;
  const victim = (await b.status()).device?.id;
  const lied = new Set<string>();
  gateway.obey(({ message, way, device }) => {
    if (way !== 'down' || device !== victim) return [message];
    if (message.type === 'entries') {
      lied.add(message.room);
      return [{ ...message, head: message.head + more }];
    }
    // The heads keep to the lie: else the truth would be back at the next heartbeat, before anybody looked.
    if (message.type !== 'heads') return [message];
    const heads = message.heads.map((one) => (lied.has(one.room) ? { ...one, head: one.head + more } : one));
    return [{ ...message, heads }];
  });
  await set(a, 'k', 'v');
  await expect
    .poll(() => b.status(), { interval: 20 })
    .toMatchObject({ state: 'syncing', behind: more, daemon_live: true });
  expect(await b.says('default')).toEqual({ before: 'kept', k: 'v' });
  gateway.obey(undefined);
  await set(a, 'k', 'w');
  expect(await together([a, b])).toEqual({ before: 'kept', k: 'w' });
});

deepTest(
  'told old entries again, after newer ones, and every ack twice: nothing comes back, nothing is counted twice',
  async () => {
    const seen: Message[] = [];
    gateway.obey(({ message, way }) => {
      if (way === 'up' || (message.type !== 'entries' && message.type !== 'ack')) return [message];
      seen.push(message);
      const again = seen.filter(
        (one) => one.type === message.type && 'room' in one && one.room === message.room,
      );
      return [message, ...again, message];
    });
    await set(a, 'k', 'first');
    await set(a, 'gone', 'first');
    await together([a, b]);
    await set(b, 'k', 'second');
    await a.call(deleteMemory, { body: { key: 'gone' } });
    expect(await together([a, b])).toEqual({ before: 'kept', k: 'second' });
    expect(seen.length).toBeGreaterThan(5);
  },
);

test('an entry is left out, or says something else than was written: it is not believed, and read again', async () => {
  const lies: [string, Parameters<typeof lieTo<'entries'>>[2]][] = [
    ['left out', (message) => [{ ...message, entries: message.entries.slice(1) }]],
    [
      'changed',
      (message) => [
        { ...message, entries: message.entries.map((entry) => ({ ...entry, at: entry.at + 1 })) },
      ],
    ],
    ['a wrong hash', (message) => [{ ...message, hash: new Uint8Array(32).fill(7) }]],
  ];
  for (const [name, lie] of lies) {
    await lieTo(b, 'entries', lie);
    // Two operations of one bucket each: an entry that is left out may be noticed by nothing that comes after it.
    await set(a, name, 'told');
    await set(a, `${name} too`, 'told');
    await seesThrough(b, /entries|hash/);
    expect(Object.keys(await b.says('default'))).not.toContain(name);
    gateway.obey(undefined);
    await hurry([b]);
    expect((await together([a, b]))[name]).toBe('told');
  }
  expect(await b.status()).toMatchObject({ quarantined: 0, conflicts: 0 });
});

test('a message of entries is lost whole: the next one shows it, or the heads that are told', async () => {
  const lost = await loseOne(b);
  await set(a, 'lost on the way', 'told');
  await expect.poll(lost).toBe(1);
  await set(a, 'next', 'told');
  await seesThrough(b, /entries before/);
  await letIn(b);
  await together([a, b]);

  // And where there is no next one, the heads do.
  await lieTo(b, 'entries', () => []);
  await set(a, 'last', 'told');
  await seesThrough(b, /tells of entries and does not send them/);
  gateway.obey(undefined);
  await hurry([b]);
  expect(await together([a, b])).toEqual({
    before: 'kept',
    'lost on the way': 'told',
    next: 'told',
    last: 'told',
  });
});

deepTest(
  'an entry that nobody wrote, with a hash that fits: it is put aside and told of, and the next one shows it',
  async () => {
    let before: Uint8Array | undefined;
    await lieTo(b, 'entries', (message) => {
      const [first] = message.entries;
      if (before && first?.kind === 'update') {
        const entry = { ...first, body: new Uint8Array([9, 9, 9]) };
        return [{ ...message, entries: [entry], hash: entryHash(before, message.room, entry) }];
      }
      before = message.hash;
      return [message];
    });
    await set(a, 'true', 'told');
    await expect.poll(() => b.says('default')).toHaveProperty('true');
    await set(a, 'k', 'v');
    await expect.poll(() => b.status()).toMatchObject({ quarantined: 1 });
    await keepOut(b);
    await set(a, 'next', 'told');
    await seesThrough(b, /entries|hash/);
    await letIn(b);
    expect(await together([a, b])).toEqual({ before: 'kept', true: 'told', k: 'v', next: 'told' });
  },
);

test('acknowledges what it does not keep, and is another log after that: it is sent again', async () => {
  let seq = 1000;
  gateway.obey(({ message, way, answer }) => {
    if (way === 'down' || message.type !== 'append') return [message];
    const { room, incarnation, entries } = message;
    answer({ type: 'ack', room, incarnation, acks: entries.map(({ n }) => ({ n, seq: (seq += 1) })) });
    return [];
  });
  await set(a, 'acknowledged', 'and not kept');
  await a.call(deleteMemory, { body: { key: 'before' } });
  await expect.poll(async () => (await a.status()).pending).toBe(0);
  expect(await b.says('default')).toEqual({ before: 'kept' });

  gateway.obey(({ message, way }) => {
    if (way === 'down' && message.type === 'welcome') return [{ ...message, logId: 'log_other' }];
    return message.type === 'subscribe' ? [{ ...message, logId: '' }] : [message];
  });
  gateway.cut();
  await hurry([a, b]);
  await expect.poll(() => b.says('default')).toEqual({ acknowledged: 'and not kept' });
  expect(await together([a, b])).toEqual({ acknowledged: 'and not kept' });
});

// A device forgets what was acknowledged. To notice this it would keep each entry until it has read it back from the log, which
// costs a row for each change for as long; see "What devices believe" in docs/relay.md.
deepTest.fails('acknowledges what it does not keep, and stays the same log: nobody notices', async () => {
  gateway.obey(({ message, way, answer }) => {
    if (way === 'down' || message.type !== 'append') return [message];
    const { room, incarnation, entries } = message;
    answer({ type: 'ack', room, incarnation, acks: entries.map(({ n }, at) => ({ n, seq: 1001 + at })) });
    return [];
  });
  await set(a, 'acknowledged', 'and not kept');
  await expect.poll(async () => (await a.status()).pending).toBe(0);
  gateway.obey(undefined);
  await set(a, 'next', 'told');
  await expect.poll(() => b.says('default')).toHaveProperty('next');
  expect(await b.says('default')).toHaveProperty('acknowledged');
});
