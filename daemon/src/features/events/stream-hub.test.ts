import type { AccountId } from '@reverie/shared/accounts/caller';
import type { Event, EventType } from '@reverie/shared/contract/events/events';
import type { StreamQuery } from '@reverie/shared/contract/events/stream';
import { namespacesOf } from '@reverie/shared/accounts/namespace-patterns';
import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import { loadMigrations } from '../../db/migrations.ts';
import { openStore, type Store } from '../../db/open-store.ts';
import { eventsAfter, insertEvent } from './events.store.ts';
import { createStreamHub, type StreamHub } from './stream-hub.ts';

const [mine, other] = [1, 2] as AccountId[] as [AccountId, AccountId];
let store: Store;
let hub: StreamHub;
let deferred: (() => void)[];
let written: number;
/** The bytes that each connection was handed. */
let sent: Buffer[];
/** What is told once a connection has taken what it was sent. */
let pending: (() => void)[];
const limits = { streamsOf: () => 8, unsentOfOne: 8 * 1024 * 1024, unsentOfAll: 64 * 1024 * 1024 };

function newHub(): StreamHub {
  return createStreamHub({ store, logId: 'log_a', defer: (run) => void deferred.push(run), limits });
}

beforeEach(() => {
  store = openStore({ file: ':memory:', migrations: loadMigrations() });
  deferred = [];
  written = 0;
  sent = [];
  pending = [];
  hub = newHub();
});

/** Everybody takes what there is, and asks for more. */
function settle(): void {
  while (deferred.length + pending.length > 0) {
    deferred.shift()?.();
    pending.shift()?.();
  }
}

function write(
  account: AccountId,
  type: EventType = 'memory.write',
  { namespace = 'default', text = '' } = {},
): void {
  written += 1;
  const actor = { kind: 'key', id: 'k' } as const;
  store.write((db) =>
    insertEvent(db, {
      account,
      actor,
      origin: 'local',
      type,
      namespace,
      key: null,
      before: null,
      after: { n: written, text },
      id: `evt_${written}`,
      created_at: written,
    }),
  );
  hub.wake();
}

function subscribe(query: StreamQuery = {}, account = mine, namespaces: string[] | null = null) {
  const received: (Event | { type: 'reset' })[] = [];
  const closed: string[] = [];
  let buffered = 0;
  const subscription = hub.add({
    account,
    readable: namespacesOf(namespaces),
    within: namespaces && JSON.stringify(namespaces),
    namesOnly: false,
    query,
    socket: {
      send(bytes, taken) {
        sent.push(bytes);
        received.push(JSON.parse(bytes.toString('utf8')) as Event);
        if (taken) pending.push(taken);
      },
      buffered: () => buffered,
      close: (reason) => void closed.push(reason),
      drop: () => void closed.push('dropped'),
    },
  });
  const seqs = () => received.flatMap((message) => ('seq' in message ? [message.seq] : []));
  return { received, closed, ...subscription, seqs, fall: (bytes: number) => void (buffered = bytes) };
}

describe('the stream', () => {
  test('a new subscriber gets what comes, not what was', () => {
    write(mine);
    const client = subscribe();
    write(mine);
    settle();
    expect(client.seqs()).toEqual([2]);
  });

  test('with `since` it first gets what it missed, then what comes, each once and in order', () => {
    for (let i = 0; i < 1300; i += 1) write(mine);
    const client = subscribe({ since: 5 });
    write(mine);
    settle();
    write(mine);
    settle();
    expect(client.seqs()).toEqual(Array.from({ length: 1297 }, (_, i) => i + 6));
  });

  test('of another account it gets nothing', () => {
    const client = subscribe({ since: 0 });
    write(other);
    write(mine);
    settle();
    expect(client.seqs()).toEqual([2]);
  });

  test('topics are families or kinds, and a namespace narrows', () => {
    const family = subscribe({ topics: ['memory'] });
    const kind = subscribe({ topics: ['memory.delete', 'dream'] });
    const narrow = subscribe({ namespace: 'work' });
    write(mine, 'memory.write', { namespace: 'work' });
    write(mine, 'memory.delete');
    write(mine, 'dream.started');
    settle();
    expect(family.seqs()).toEqual([1, 2]);
    expect(kind.seqs()).toEqual([2, 3]);
    expect(narrow.seqs()).toEqual([1]);
  });

  test('a cursor of another log, or older than the log, gets an explicit reset', () => {
    write(mine);
    write(mine);
    const foreign = subscribe({ since: 1, log_id: 'log_b' });
    const ahead = subscribe({ since: 99 });
    store.write((db) => void db.prepare('DELETE FROM events WHERE seq = 1').run());
    const old = subscribe({ since: 0 });
    settle();
    expect(foreign.received[0]).toEqual({
      type: 'reset',
      reason: 'other_log',
      log_id: 'log_a',
      oldest_seq: 1,
    });
    expect(ahead.received[0]).toMatchObject({ type: 'reset', reason: 'other_log' });
    expect(old.received[0]).toMatchObject({ type: 'reset', reason: 'cursor_expired', oldest_seq: 2 });
    expect(old.seqs()).toEqual([2]);
  });

  test('a client that is more than 8 MiB behind is closed, and the others go on', () => {
    const slow = subscribe();
    const quick = subscribe();
    slow.fall(8 * 1024 * 1024 + 1);
    write(mine);
    write(mine);
    settle();
    expect(slow.closed).toEqual(['behind']);
    expect(slow.seqs()).toEqual([1]);
    expect(quick.seqs()).toEqual([1, 2]);
    expect(hub.size()).toBe(1);
  });

  test('an event is serialised once, and its bytes are shared', () => {
    const clients = Array.from({ length: 7 }, () => subscribe());
    for (let n = 0; n < 3; n += 1) write(mine, 'memory.update', { text: 'x'.repeat(1000) });
    settle();
    expect(sent).toHaveLength(21);
    expect(new Set(sent).size).toBe(3);
    for (const client of clients) expect(client.seqs()).toEqual([1, 2, 3]);
  });

  test('an event is sent as the log tells it', () => {
    write(mine);
    const client = subscribe({ since: 0 });
    settle();
    const any = { family: null, type: null, namespace: null, within: null, actorKind: null, actorId: null };
    expect(client.received).toEqual(
      store.read((db) => eventsAfter(db, { account: mine, ...any, limit: 10 }, 0)),
    );
  });

  test('who reads what it missed, and takes nothing, is handed no more than a page of it', () => {
    for (let n = 0; n < 20; n += 1) write(mine, 'memory.write', { text: 'x'.repeat(500_000) });
    const client = subscribe({ since: 0 });
    client.fall(2 * 1024 * 1024);
    while (deferred.length > 0) deferred.shift()?.();
    expect(client.seqs()).toEqual([]);
    client.fall(0);
    hub.wake();
    deferred.shift()?.();
    expect(client.seqs()).toEqual([1, 2, 3]);
    client.fall(2 * 1024 * 1024);
    write(mine);
    while (deferred.length > 0) deferred.shift()?.();
    expect(client.seqs()).toEqual([1, 2, 3]);
    client.fall(0);
    settle();
    expect(client.seqs()).toEqual(Array.from({ length: 21 }, (_, n) => n + 1));
    expect(client.closed).toEqual([]);
  });

  test('an account has so many streams, those that are told to go and are still there among them', () => {
    const clients = Array.from({ length: 8 }, () => subscribe());
    expect([hub.hasRoom(mine), hub.hasRoom(other)]).toEqual([false, true]);
    clients[0]?.fall(9 * 1024 * 1024);
    write(mine);
    settle();
    expect(clients[0]?.closed).toEqual(['behind']);
    expect(hub.hasRoom(mine)).toBe(false);
    clients[0]?.remove();
    expect(hub.hasRoom(mine)).toBe(true);
  });

  test('when all together are too far behind, the slowest of the account that is behind by most goes', () => {
    const MB = 1024 * 1024;
    const slow = Array.from({ length: 8 }, () => subscribe());
    const bystander = subscribe({}, other);
    bystander.fall(8 * MB);
    for (const [n, client] of slow.entries()) client.fall(7 * MB + n);
    // The sum is looked at when so much may be unsent.
    for (let n = 0; n < 40; n += 1) write(mine, 'memory.write', { text: 'x'.repeat(250_000) });
    settle();
    expect(slow.map(({ closed }) => closed.length)).toEqual([0, 0, 0, 0, 0, 0, 0, 1]);
    expect(slow.at(-1)?.closed).toEqual(['behind']);
    expect(bystander.closed).toEqual([]);
  });

  test('who is refused is closed, and sent nothing more', () => {
    const client = subscribe();
    const bystander = subscribe({}, other);
    client.refuse();
    write(mine);
    settle();
    expect(client.closed).toEqual(['unauthorized']);
    expect(client.seqs()).toEqual([]);
    expect(bystander.closed).toEqual([]);
  });

  test('once all are closed nothing is read any more: the database may be closed before what was deferred runs', () => {
    const { closed, seqs } = subscribe();
    settle();
    write(mine);
    hub.closeAll();
    expect(deferred.length).toBe(1);
    store.close();
    settle();
    hub.wake();
    expect([seqs(), closed, deferred.length]).toEqual([[], ['going_away'], 0]);
    expect(subscribe().closed).toEqual(['going_away']);
    expect(hub.size()).toBe(0);
  });

  test('property: whatever comes when, everybody gets all of theirs once and in order', () => {
    const step = fc.oneof(
      fc.constant('mine' as const),
      fc.constant('other' as const),
      fc.constant('settle' as const),
      fc.record({ since: fc.integer({ min: 0, max: 20 }) }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        store.write((db) => {
          db.exec('DELETE FROM events');
          db.exec("DELETE FROM sqlite_sequence WHERE name = 'events'");
        });
        deferred = [];
        written = 0;
        hub = newHub();
        const of = { mine: [] as number[], other: [] as number[] };
        const clients: { client: ReturnType<typeof subscribe>; since: number }[] = [];
        for (const one of steps) {
          if (one === 'settle') settle();
          else if (typeof one === 'string') {
            write(one === 'mine' ? mine : other);
            of[one].push(written);
          } else {
            const since = Math.min(one.since, written);
            clients.push({ client: subscribe({ since }), since });
          }
        }
        settle();
        for (const { client, since } of clients)
          expect(client.seqs()).toEqual(of.mine.filter((seq) => seq > since));
      }),
    );
  });
});
