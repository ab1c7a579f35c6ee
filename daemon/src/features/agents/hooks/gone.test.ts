import type { Caller } from '@reverie/shared/accounts/caller';
import type { Memory } from '@reverie/shared/contract/memories/memories';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { loadMigrations } from '../../../db/migrations.ts';
import { openStore } from '../../../db/open-store.ts';
import { startTestDaemon, type TestDaemon } from '../../../testing.ts';
import { answerHook } from './hooks.service.ts';
import type { HooksWorld, Injection } from './ports.ts';

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startTestDaemon();
});
afterAll(() => daemon.stop());

const memory: Memory = {
  key: 'port',
  value: 'The staging database listens on port 5433.',
  namespace: 'default',
  metadata: {},
  class: 'note',
  title: 'The staging database listens on port 5433.',
  created_at: '2026-11-24T00:00:00.000Z',
  updated_at: '2026-11-24T00:00:00.000Z',
};

test('a hook that gave up waiting was shown nothing: no receipt is written, and the same memory is told at the next prompt', async () => {
  const { account } = daemon.addAccount('write');
  const key = { id: 'key_x', account, name: 'x', scope: 'write', purpose: 'made', key_prefix: '' } as const;
  const times = { created_at: 0, last_used_at: null, expires_at: null, revoked_at: null };
  const caller: Caller = {
    account,
    publicId: 'acc_x',
    readable: () => true,
    within: null,
    session: null,
    key: { ...key, ...times, namespaces: null, can: null },
  };
  const receipts: Injection[] = [];
  const waiting = new AbortController();
  const world: HooksWorld = {
    isMachine: () => true,
    projectOf: () => undefined,
    seen: () => undefined,
    anchors: () => Promise.resolve(new Map()),
    byId: () => new Map(),
    async search() {
      return [{ memory, score: 0.95, passage: memory.value }];
    },
    comingUp: () => [],
    unread: () => ({ unread: 0, messages: [] }),
    propose: () => undefined,
    injected: (_, injection) => receipts.push(injection),
  };
  const store = openStore({ file: daemon.home.database, migrations: loadMigrations() });
  onTestFinished(() => store.close());
  const input = JSON.stringify({ session_id: 's', prompt: 'Which port has the staging database?' });
  const ask = (gone: AbortSignal) =>
    answerHook(
      { store, clock: daemon.clock, isDoubled: () => false, world },
      { caller, gone },
      { agent: 'codex', event: 'prompt', input },
    );
  waiting.abort();
  expect(await ask(waiting.signal)).toMatchObject({ output: '', why: 'the hook gave up waiting' });
  expect(receipts).toEqual([]);
  const told = await ask(new AbortController().signal);
  expect(told.output).toContain('[port] The staging database listens on port 5433.');
  expect(receipts).toMatchObject([
    {
      agent: 'codex',
      session: 's',
      event: 'prompt',
      namespace: 'default',
      tokens: told.tokens,
      memories: [{ namespace: 'default', key: 'port', reason: 'fits the prompt', score: 0.95 }],
    },
  ]);
});
