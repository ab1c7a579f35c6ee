import type { AccountId } from '@reverie/shared/accounts/caller';
import { openBucket } from '@reverie/shared/document/bucket-document';
import { hlcOf } from '@reverie/shared/document/clock';
import { bucketOf, type Operation } from '@reverie/shared/document/register';
import type { Entry } from '@reverie/shared/protocol/messages';
import { limits } from '@reverie/shared/protocol/version';
import { createFakeClock } from '@reverie/shared/testing/fake-clock';
import * as encoding from 'lib0/encoding';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { loadMigrations } from '../../db/migrations.ts';
import { openStore, type Store } from '../../db/open-store.ts';
import { insertAccount } from '../../features/accounts/accounts.store.ts';
import { countConflicts } from '../conflicts/conflicts.store.ts';
import { countQuarantined, insertRedaction } from './documents.store.ts';
import { insertLink } from '../link.store.ts';
import { findSynced, insertSynced } from '../namespaces/namespaces.store.ts';
import { createOutbox, type SyncOutbox } from './outbox.ts';
import { pendingByNamespace } from './outbox.store.ts';
import { createRelayTime } from '../relay/relay-time.ts';
import { createReplicas, type Replicas } from './replicas.ts';
import { sendsAfter } from './sends.store.ts';

let store: Store;
let account: AccountId;
let replicas: Replicas;
let outbox: SyncOutbox;
let namespaceId: number;
/** The rows, as the memories would have them. */
let rows: Map<string, string>;
const clock = createFakeClock();
const hash = new Uint8Array(32);

beforeEach(() => {
  store = openStore({ file: ':memory:', migrations: loadMigrations() });
  rows = new Map();
  there = openBucket({ clientId: 77, stored: [] });
  const now = clock.now();
  store.write((db) => {
    account = insertAccount(db, { public_id: 'acc', kind: 'machine', tier: 'machine', created_at: now });
    insertLink(db, {
      account,
      relay: 'http://relay',
      email: null,
      device: 'here',
      device_name: 'here',
      request: null,
      number: null,
      expires_at: null,
      confirm_by: null,
      linked_at: now,
    });
    namespaceId = insertSynced(db, account, { name: 'default', memories: 0 }).id;
  });
  replicas = newRun();
  outbox = createOutbox({
    clock,
    linked: () => account,
    wake: () => undefined,
  });
});
afterEach(() => store.close());

function newRun(): Replicas {
  return createReplicas({
    store,
    clock,
    time: createRelayTime(clock),
    log: pino({ level: 'silent' }),
    memories: {
      apply(_db, _author, { key, content }) {
        const before = rows.get(key);
        if (content) rows.set(key, content.value);
        else rows.delete(key);
        return before !== content?.value;
      },
      clear: () => rows.clear(),
      forgetTrashed: () => undefined,
      merged: () => undefined,
      restore: () => undefined,
      content: (_, { key }) => {
        const value = rows.get(key);
        return value === undefined ? undefined : { ...contentOf(value), writer: null };
      },
      namesakes: () => [],
      keptName: () => undefined,
      asOf: () => [],
    },
    device: () => 'here',
    nameOf: () => null,
  });
}

const contentOf = (value: string) => ({
  value,
  metadata: '{}',
  created_at: 1,
  updated_at: 1,
  expires_at: null,
});

/** What another device says, as an entry of the log. */
let there = openBucket({ clientId: 77, stored: [] });
function entry(seq: number, operation: Operation): Entry {
  const body = there.write([operation], { device: 'there', incarnation: 'one' }) ?? new Uint8Array();
  return { ...head(seq), kind: 'update', bucket: bucketOf(operation.key), enc: false, body };
}
const head = (seq: number) => ({
  seq,
  epoch: 0,
  n: seq,
  at: clock.now(),
  device: 'there',
  incarnation: 'one',
});
const write = (key: string, value: string) =>
  store.write((db) => {
    rows.set(key, value);
    const author = { account, actor: { kind: 'key', id: 'k' }, origin: 'local' } as const;
    outbox.wrote(db, { author, namespace: 'default', key }, contentOf(value));
  });
const pending = () => store.read(pendingByNamespace)[0]?.pending;

test('an operation waits until its entry is confirmed, whatever else is', () => {
  write('k', 'one');
  expect(pending()).toBe(1);
  while (replicas.write(() => true));
  const [send] = store.read((db) => sendsAfter(db, namespaceId, { after: 0, limit: 10 }));
  expect(pending()).toBe(1);
  replicas.settle(namespaceId, [{ incarnation: 'another', n: send?.n ?? 0 }]);
  expect(pending()).toBe(1);
  replicas.settle(namespaceId, [{ incarnation: replicas.incarnation, n: send?.n ?? 0 }]);
  expect(pending()).toBe(0);
});

test('what waits keeps its number where it is written anew and says the same: what is heard of it would go on for ever', () => {
  write('k', 'one');
  while (replicas.write(() => true));
  const numbers = () =>
    store.read((db) => sendsAfter(db, namespaceId, { after: 0, limit: 10 })).map(({ n }) => n);
  const tidy = () => {
    store.write((db) => insertRedaction(db, { account, namespaceId, bucket: bucketOf('k') }));
    expect(replicas.tidy(namespaceId)).toBe('redacted');
    return numbers();
  };
  // Taken apart from what the log said it is another entry, once.
  const first = tidy();
  expect(first).toHaveLength(1);
  expect(tidy()).toEqual(first);
  write('k', 'two');
  while (replicas.write(() => true));
  expect(tidy()).not.toEqual(first);
});

/** Nothing but deletions, two bytes each: small, and seconds to merge. */
function manyDeletions(count: number): Uint8Array {
  const out = encoding.createEncoder();
  for (const one of [0, 1, 7, count]) encoding.writeVarUint(out, one);
  encoding.writeUint8Array(out, new Uint8Array(2 * count).fill(1));
  return encoding.toUint8Array(out);
}
const unwanted = [
  ['is no update', () => new Uint8Array([9, 9, 9])],
  ['is made of a million deletions', () => manyDeletions(1_000_000)],
] as const;

test.each(unwanted)('an entry that %s is put aside, and those around it count', (_what, bodyOf) => {
  const broken: Entry = {
    ...head(2),
    kind: 'update',
    bucket: 3,
    enc: false,
    body: bodyOf(),
  };
  const hlc = hlcOf(clock.now());
  const entries = [
    entry(1, { kind: 'set', key: 'a', hlc: hlc + 1, content: contentOf('first') }),
    broken,
    entry(3, { kind: 'set', key: 'a', hlc: hlc + 2, content: contentOf('second') }),
  ];
  replicas.merge(namespaceId, entries, { hash, head: 3 });
  expect([...rows]).toEqual([['a', 'second']]);
  expect(store.read(countQuarantined)).toBe(1);
  expect(store.read((db) => findSynced(db, namespaceId))).toMatchObject({ cursor: 3, head: 3 });
  replicas.merge(namespaceId, entries, { hash, head: 3 });
  expect(store.read(countQuarantined)).toBe(1);
});

test.each([
  ['of metadata that are no object', { metadata: '[1]' }],
  ['of metadata that are no JSON', { metadata: '{' }],
  ['of a time that is none', { updated_at: 9e15 }],
  ['longer than a memory may be', { value: 'x'.repeat(1024 * 1024 + 1) }],
])('a version %s is no conflict where it lost', (_what, wrong) => {
  write('b', 'here');
  while (replicas.write(() => true));
  const operation = { kind: 'set', key: 'b', hlc: 1 } as const;
  const merged = (seq: number, more: object) => {
    const content = { ...contentOf('there'), ...more };
    replicas.merge(namespaceId, [entry(seq, { ...operation, content })], { hash, head: seq });
    return store.read((db) => countConflicts(db, account, null));
  };
  expect(merged(1, wrong)).toBe(0);
  expect(rows.get('b')).toBe('here');
  // Nor is the entry put aside, in which other keys may be.
  expect(store.read(countQuarantined)).toBe(0);
});

test('what another device wrote later wins, the own version is kept, and a rebuild says the same', () => {
  write('b', 'here');
  const later = hlcOf(clock.now() + 60_000);
  replicas.merge(
    namespaceId,
    [entry(1, { kind: 'set', key: 'b', hlc: later, content: contentOf('there') })],
    { hash, head: 1 },
  );
  expect(rows.get('b')).toBe('there');
  expect(store.read((db) => countConflicts(db, account, null))).toBe(1);
  expect(replicas.rebuild(namespaceId)).toEqual({ memories: rows.size, differed: 0 });
  rows.set('b', 'damaged');
  rows.set('not in any document', 'x');
  expect(replicas.rebuild(namespaceId).differed).toBeGreaterThan(0);
  expect(rows.get('b')).toBe('there');
});

test('what is written after another device was heard is stamped later than it, though the clock here is behind', () => {
  const ahead = hlcOf(clock.now() + 300_000);
  replicas.merge(
    namespaceId,
    [entry(1, { kind: 'set', key: 'c', hlc: ahead, content: contentOf('ahead') })],
    { hash, head: 1 },
  );
  expect(rows.get('c')).toBe('ahead');
  write('c', 'mine');
  while (replicas.write(() => true));
  replicas.rebuild(namespaceId);
  expect(rows.get('c')).toBe('mine');
});

test('a stamp of the far future, which a member put past the relay, does not carry the clock of this home along', () => {
  const never = Number.MAX_SAFE_INTEGER;
  replicas.merge(
    namespaceId,
    [entry(1, { kind: 'set', key: 'theirs', hlc: never, content: contentOf('hostile') })],
    { hash, head: 1 },
  );
  expect(rows.get('theirs')).toBe('hostile');
  write('mine', 'x');
  while (replicas.write(() => true));
  const sends = store.read((db) => sendsAfter(db, namespaceId, { after: 0, limit: 10 }));
  // The relay would take nothing of this home any more.
  for (const { at } of sends) expect(at).toBeLessThanOrEqual(clock.now() + 600_000);
  expect(sends).toHaveLength(1);
  replicas.rebuild(namespaceId);
  expect(rows.get('mine')).toBe('x');
});

test('an entry of another device that names this run as its own is merged all the same', () => {
  const said = entry(1, { kind: 'set', key: 'a', hlc: hlcOf(clock.now()), content: contentOf('said') });
  replicas.merge(namespaceId, [{ ...said, incarnation: replicas.incarnation }], { hash, head: 1 });
  expect(rows.get('a')).toBe('said');
});

test.each(unwanted.flatMap(([what, bodyOf]) => [0, 3].map((epoch) => [epoch, what, bodyOf] as const)))(
  'a snapshot of epoch %i that %s is put aside, and holds nothing back',
  (epoch, _what, bodyOf) => {
    const body = bodyOf();
    replicas.keepBase(namespaceId, {
      type: 'snapshot',
      room: 'rm',
      bucket: 2,
      epoch,
      covers: 1,
      enc: false,
      bodyHash: hash,
      body,
    });
    expect(store.read(countQuarantined)).toBe(1);
    const said = entry(2, { kind: 'set', key: 'a', hlc: hlcOf(clock.now()), content: contentOf('said') });
    replicas.merge(namespaceId, [said], { hash, head: 2 });
    expect(rows.get('a')).toBe('said');
    for (let is = 'more'; is === 'more';) is = replicas.enter(namespaceId, 3).is;
    expect(store.read((db) => findSynced(db, namespaceId))).toMatchObject({ epoch: 3, entering: null });
    expect(rows.get('a')).toBe('said');
  },
);

test('a bucket of more than one entry holds goes in several, when it is written and when it is sent again', () => {
  const keys = Array.from({ length: 2000 }, (_, n) => `large ${n}`)
    .filter((key) => bucketOf(key) === 7)
    .slice(0, 9);
  for (const key of keys) write(key, `${key} `.repeat(120_000).slice(0, 1_000_000));
  while (replicas.write(() => true));
  const bodies = () =>
    store
      .read((db) => sendsAfter(db, namespaceId, { after: 0, limit: 100 }))
      .flatMap(({ body }) => body ?? []);
  const expectAll = () => {
    expect(bodies().length).toBeGreaterThan(1);
    for (const body of bodies()) expect(body.length).toBeLessThan(limits.body);
    const there = openBucket({ clientId: 5, stored: bodies() });
    expect([...there.keys()].sort()).toEqual(keys.toSorted());
    expect(there.hasGap()).toBe(false);
    expect(pending()).toBeGreaterThanOrEqual(keys.length);
  };
  expectAll();
  const [first] = store.read((db) => sendsAfter(db, namespaceId, { after: 0, limit: 1 }));
  replicas.settle(namespaceId, [{ incarnation: replicas.incarnation, n: first?.n ?? 0 }]);
  replicas.resend(namespaceId, 0);
  expectAll();
});

test('an update that is missing is noticed, also by the next run', () => {
  const hlc = hlcOf(clock.now());
  entry(1, { kind: 'set', key: 'a', hlc: hlc + 1, content: contentOf('missing') });
  const second = entry(2, { kind: 'set', key: 'a', hlc: hlc + 2, content: contentOf('here') });
  replicas.merge(namespaceId, [second], { hash, head: 2 });
  expect(replicas.gaps()).toMatchObject([{ namespaceId }]);
  const next = newRun();
  expect(next.gaps()).toEqual([]);
  while (next.inspect(namespaceId));
  expect(next.gaps()).toMatchObject([{ namespaceId }]);
  expect(next.inspect(namespaceId)).toBe(false);
});

test('a key in a bucket that is not its own is no memory, and a bucket that there is not is put aside', () => {
  const hlc = hlcOf(clock.now());
  const right = entry(1, { kind: 'set', key: 'a', hlc: hlc + 1, content: contentOf('right') });
  const wrong = entry(2, { kind: 'set', key: 'b', hlc: hlc + 2, content: contentOf('wrong') });
  const astray = { ...wrong, bucket: bucketOf('a') } as Entry;
  const nowhere = {
    ...head(3),
    kind: 'update',
    bucket: 64,
    enc: false,
    body: new Uint8Array([0, 0]),
  } as const;
  replicas.merge(namespaceId, [right, astray, nowhere], { hash, head: 3 });
  expect([...rows]).toEqual([['a', 'right']]);
  expect(store.read(countQuarantined)).toBe(1);
  expect(replicas.rebuild(namespaceId)).toEqual({ memories: 1, differed: 0 });
});
