import { insertAccount } from '../../features/accounts/accounts.store.ts';
import { createFakeClock } from '@reverie/shared/testing/fake-clock';
import type { Append, Message } from '@reverie/shared/protocol/messages';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { loadMigrations } from '../../db/migrations.ts';
import { openStore, type Store } from '../../db/open-store.ts';
import { insertLink } from '../link.store.ts';
import { insertSynced, saveSyncedRow } from '../namespaces/namespaces.store.ts';
import { createOutbox } from '../replica/outbox.ts';
import { createRelayTime } from '../relay/relay-time.ts';
import { createReplicas } from '../replica/replicas.ts';
import { createSession, type RelaySession } from './session.ts';

const clock = createFakeClock();
let store: Store;
let session: RelaySession;
let sent: Message[];
let warnings: number;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  store = openStore({ file: ':memory:', migrations: loadMigrations() });
  sent = [];
  warnings = 0;
  const now = clock.now();
  const log = pino({ level: 'warn' }, { write: () => void (warnings += 1) });
  const time = createRelayTime(clock);
  const account = store.write((db) => {
    const made = insertAccount(db, { public_id: 'acc', kind: 'machine', tier: 'machine', created_at: now });
    insertLink(db, {
      account: made,
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
    saveSyncedRow(db, insertSynced(db, made, { name: 'default', memories: 0 }).id, { room: 'rm' });
    return made;
  });
  const replicas = createReplicas({
    store,
    clock,
    time,
    log,
    memories: {
      apply: () => true,
      clear: () => undefined,
      forgetTrashed: () => undefined,
      merged: () => undefined,
      restore: () => undefined,
      content: () => undefined,
      namesakes: () => [],
      keptName: () => undefined,
      asOf: () => [],
    },
    device: () => 'here',
    nameOf: () => null,
  });
  const outbox = createOutbox({
    clock,
    linked: () => account,
    wake: () => undefined,
  });
  const author = { account, actor: { kind: 'key', id: 'k' }, origin: 'local' } as const;
  const content = { value: 'v', metadata: '{}', created_at: 1, updated_at: 1, expires_at: null };
  for (let n = 0; n < 20; n += 1) {
    store.write((db) => outbox.wrote(db, { author, namespace: 'default', key: `key ${n}` }, content));
    replicas.write(() => true);
  }
  session = createSession(
    {
      store,
      log,
      time,
      replicas,
      connection: {
        send: (message) => void sent.push(message),
        waiting: () => 0,
        hold: () => undefined,
        close: () => undefined,
      },
      on: {
        wake: () => undefined,
        roomsChanged: () => undefined,
        gone: () => undefined,
        demoted: () => undefined,
        resent: () => undefined,
        moved: () => undefined,
        failed(cause) {
          throw cause;
        },
      },
    },
    { type: 'welcome', version: 1, logId: 'log', account: 'acc', now, heartbeatMs: 1000 },
  );
});
afterEach(() => {
  session.end();
  store.close();
  vi.useRealTimers();
});

const appended = () =>
  sent
    .filter((message): message is Append => message.type === 'append')
    .flatMap(({ entries }) => entries.map(({ n }) => n));
const turns = () => new Promise((resolve) => setImmediate(resolve));

test('of many entries that are refused each is sent once more after a while, not once for each refusal', async () => {
  session.pump();
  session.take({
    type: 'subscribed',
    room: 'rm',
    outcome: 'resume',
    role: 'owner',
    epoch: 0,
    head: 0,
    from: 0,
    clearedBefore: { ms: 0, counter: 0 },
  });
  await turns();
  const [append] = sent.filter((message): message is Append => message.type === 'append');
  const all = appended();
  expect(all).toHaveLength(20);
  for (let round = 0; round < 3; round += 1) {
    sent.length = 0;
    for (const n of all)
      session.take({
        type: 'error',
        code: 'quota',
        detail: 'The space is used up',
        room: 'rm',
        retryAfterMs: 0,
        entry: { incarnation: append?.incarnation ?? '', n },
      });
    await turns();
    expect(appended()).toEqual([]);
    vi.advanceTimersByTime(5000);
    expect(appended()).toEqual(all);
  }
  // One line for what is refused, not one for each entry of each round.
  expect(warnings).toBe(1);
  expect(session.refusal()).toMatchObject({ code: 'quota' });
});
