import fs from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ApiError } from '@reverie/shared/client';
import * as accounts from '@reverie/shared/contract/accounts/accounts';
import { listEvents } from '@reverie/shared/contract/events/events';
import * as memories from '@reverie/shared/contract/memories/memories';
import * as searchContract from '@reverie/shared/contract/search/search';
import type { Sent } from '@reverie/shared/contract/route';
import type { TestDaemon } from '../../testing.ts';
import { confirmAt, signUp, startBehindProxy } from '../../testing/sign-up.ts';
import { tablesOfAccounts } from './wipe.store.ts';

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startBehindProxy();
});
afterAll(() => daemon.stop());

async function failure(run: Promise<unknown>): Promise<ApiError> {
  const cause = await run.then(
    () => undefined,
    (failed: unknown) => failed,
  );
  if (cause instanceof ApiError) return cause;
  throw new Error(`expected a refusal, got ${String(cause)}`);
}

const show = (id: string) => daemon.call(accounts.getAccount, { params: { id } });

describe('the accounts of a machine', () => {
  test('are listed with who they are, since when, and what they hold and used', async () => {
    const { reply, account, token } = await signUp(daemon, 'listed@example.org');
    const call = daemon.as(reply.api_key);
    await call(memories.setMemory, { body: { key: 'k', value: 'four' } });
    await call(memories.getMemory, { body: { key: 'k' } });
    const { accounts: all } = await daemon.call(accounts.listAccounts, {});
    expect(all[0]).toMatchObject({
      id: account,
      kind: 'bot',
      tier: 'free',
      status: 'provisional',
      email: 'listed@example.org',
      created_at: new Date(daemon.clock.now()).toISOString(),
      confirmed_at: null,
      expires_at: reply.expires_at,
      deleted_at: new Date(Date.parse(reply.expires_at) + 7 * 86_400_000).toISOString(),
      keys: 1,
      memories: 1,
      namespaces: 1,
      bytes: 4,
      usage: { requests: 2, recalls: 1, stores: 1 },
    });
    expect(all.at(-1)).toMatchObject({ kind: 'machine', tier: 'machine', status: 'active', email: null });
    expect(JSON.stringify(all)).not.toContain(reply.api_key);
    await confirmAt(daemon, token);
    expect(await show(account)).toMatchObject({ status: 'confirmed', expires_at: null, deleted_at: null });
  });

  test('are not there under another id, and the machine has no tier to set and cannot be deleted', async () => {
    const machine = (await daemon.call(accounts.usage, {})).account;
    const refusals = async (id: string) => {
      const params = { id };
      const { call } = daemon;
      return [
        await failure(call(accounts.updateAccount, { params, body: { tier: 'pro' } })),
        await failure(call(accounts.deleteAccount, { params })),
        await failure(call(accounts.adoptMemories, { params, body: {} })),
      ].map(({ code }) => code);
    };
    for (const id of ['acc_none', '1']) {
      expect(new Set(await refusals(id))).toEqual(new Set(['account_not_found']));
      expect(await failure(show(id))).toMatchObject({ code: 'account_not_found' });
    }
    expect(new Set(await refusals(machine))).toEqual(new Set(['conflict']));
  });
});

describe('a deleted account', () => {
  /** Names of tables that hold rows of no account, or go with a row that says whose it is; every other table has to say so itself. */
  const OF_NOBODY =
    /^(meta|accounts|signups|address_counts|model_spending|folder_sources|freed_files|sqlite_.*|text_\d+(_.*)?)$/;

  test('every table says whose its rows are, so that none can be forgotten', () => {
    daemon.withStore((store) =>
      store.read((db) => {
        const all = db
          .prepare<[], { name: string }>("SELECT name FROM sqlite_schema WHERE type = 'table'")
          .all();
        const owned = tablesOfAccounts(db);
        expect(owned.length).toBeGreaterThan(15);
        expect(
          all.map(({ name }) => name).filter((name) => !owned.includes(name) && !OF_NOBODY.test(name)),
        ).toEqual([]);
      }),
    );
  });

  test('leaves no row in any table, no index, no file and no key that works', async () => {
    const { reply, account, file } = await signUp(daemon, 'deleted@example.org');
    const ask = (path: string, body: unknown) => daemon.ask({ path: `/v1${path}`, key: reply.api_key, body });
    for (const value of ['Ada lives in an unlikely lighthouse.', 'Ada lives in another unlikely lighthouse.'])
      await ask('/memory-set', { key: 'k', value, metadata: { tags: ['a'], session: 's' } });
    await ask('/inbox/default', { from: 'a', kind: 'b', payload: { text: 'unlikely lighthouse' } });
    await daemon.ask({
      path: '/v1/import',
      headers: { 'X-Reverie-Account': account },
      body: { items: [{ key: 'i', value: 'imported', source: { id: 's', hash: 'h' } }] },
    });
    await daemon.ask({
      path: '/v1/memory-set',
      key: reply.api_key,
      headers: { 'Idempotency-Key': 'once' },
      body: { key: 'o', value: 'once' },
    });
    await ask('/memory-search', { query: 'lighthouse' });
    await ask('/memory/dream/start', {});
    const rows = () =>
      daemon.withStore((store) =>
        store.read((db) => {
          const id = db
            .prepare<[string], { id: number }>('SELECT id FROM accounts WHERE public_id = ?')
            .get(account)?.id;
          return { id, filled: id === undefined ? [] : filledTables(db, id) };
        }),
      );
    const filledTables = (db: Parameters<typeof tablesOfAccounts>[0], id: number) =>
      tablesOfAccounts(db).filter((name) =>
        db.prepare<[number]>(`SELECT 1 FROM "${name}" WHERE account = ? LIMIT 1`).get(id),
      );
    const { id, filled } = rows();
    expect(filled).toEqual(
      expect.arrayContaining([
        'account_months',
        'api_keys',
        'chunks',
        'events',
        'idempotency',
        'import_sources',
        'inbox_messages',
        'memories',
        'memory_tags',
        'memory_versions',
        'namespaces',
      ]),
    );
    expect(fs.existsSync(file)).toBe(true);

    expect(await daemon.call(accounts.deleteAccount, { params: { id: account } })).toMatchObject({
      success: true,
    });
    expect((await daemon.ask({ path: '/v1/keys/current', key: reply.api_key })).status).toBe(401);
    expect(fs.existsSync(file)).toBe(false);
    // Counts are flushed once a second, and must not come back.
    daemon.clock.advance(5000);
    daemon.withStore((store) =>
      store.read((db) => {
        expect(filledTables(db, id ?? 0)).toEqual([]);
        const indexes = db
          .prepare<[string]>('SELECT name FROM sqlite_schema WHERE name GLOB ?')
          .all(`*_${id}*`);
        expect(indexes).toEqual([]);
      }),
    );
    const bytes =
      fs.readFileSync(daemon.home.database).toString('latin1') +
      fs.readFileSync(`${daemon.home.database}-wal`).toString('latin1');
    for (const word of ['lighthouse', 'deleted@example.org'])
      expect([word, bytes.includes(word)]).toEqual([word, false]);
    await daemon.restart();
    expect(await failure(show(account))).toMatchObject({ code: 'account_not_found' });
  });
});

describe('adopting', () => {
  const put = (key: string, body: { key: string; value: string; namespace?: string; metadata?: object }) =>
    daemon.ask({ path: '/v1/memory-set', key, body });
  const get = async (key: string, namespace: string) =>
    (await daemon.ask({ path: '/v1/memory-get', body: { key, namespace } })).json['value'];
  const adopt = (id: string, body: Sent<typeof accounts.adoptMemories>['body']) =>
    daemon.call(accounts.adoptMemories, { params: { id }, body });

  test('previews, copies with times, overwrites nothing, and tells of each as memory.merge', async () => {
    const { reply, account } = await signUp(daemon, 'adopted@example.org');
    const theirs = reply.api_key;
    await put(theirs, { key: 'new', value: 'only theirs', namespace: 'work', metadata: { tags: ['t'] } });
    await put(theirs, { key: 'same', value: 'the same', namespace: 'work' });
    await put(theirs, { key: 'clash', value: 'their words', namespace: 'work' });
    await put(theirs, { key: 'away', value: 'elsewhere', namespace: 'home' });
    await put(daemon.ownerKey, { key: 'same', value: 'the same', namespace: 'work' });
    await put(daemon.ownerKey, { key: 'clash', value: 'my words', namespace: 'work' });
    daemon.clock.advance(1000);

    const preview = await adopt(account, { namespace: 'work', dry_run: true });
    expect(preview).toEqual({
      success: true,
      dry_run: true,
      adopted: 1,
      unchanged: 1,
      conflicts: 1,
      named: [{ namespace: 'work', key: 'clash', stored_as: null }],
    });
    expect(await get('new', 'work')).toBeUndefined();

    const { stores } = await daemon.call(accounts.usage, {});
    expect(await adopt(account, { namespace: 'work' })).toEqual({ ...preview, dry_run: false });
    // It was counted where it was written.
    expect((await daemon.call(accounts.usage, {})).stores.used).toBe(stores.used);
    expect([await get('new', 'work'), await get('clash', 'work'), await get('away', 'home')]).toEqual([
      'only theirs',
      'my words',
      undefined,
    ]);
    const [mine, original] = await Promise.all(
      [daemon.call, daemon.as(theirs)].map((call) =>
        call(memories.getMemory, { body: { key: 'new', namespace: 'work' } }),
      ),
    );
    expect(mine).toEqual(original);
    const { events } = await daemon.call(listEvents, { query: { namespace: 'work', type: 'memory.merge' } });
    expect(events.map(({ data }) => [data.before?.['account'], data.after?.['key']])).toEqual([
      [account, 'new'],
    ]);
    // Search finds it here, and theirs stays.
    const found = await daemon.call(searchContract.searchMemories, {
      body: { query: 'only theirs', namespace: 'work' },
    });
    expect(found.results[0]?.key).toBe('new');

    const again = await adopt(account, { namespace: 'work' });
    expect(again).toMatchObject({ adopted: 0, unchanged: 2, conflicts: 1 });
  });

  test('keeps both where it is asked to, once, and puts all into one namespace', async () => {
    const { reply, account } = await signUp(daemon, 'suffix@example.org');
    await put(reply.api_key, { key: 'plan', value: 'theirs in a', namespace: 'a' });
    await put(reply.api_key, { key: 'plan', value: 'theirs in b', namespace: 'b' });
    await put(daemon.ownerKey, { key: 'plan', value: 'mine', namespace: 'all' });
    const wanted = { into: 'all', on_conflict: 'suffix' } as const;
    const preview = await adopt(account, { ...wanted, dry_run: true });
    const done = await adopt(account, wanted);
    expect(done).toEqual({ ...preview, dry_run: false });
    expect(done).toMatchObject({ adopted: 2, unchanged: 0, conflicts: 2 });
    const keys = done.named.map(({ stored_as }) => stored_as ?? '');
    expect(keys.sort()).toEqual([`plan@${account}`, `plan@${account}-2`]);
    expect(await get('plan', 'all')).toBe('mine');
    expect((await Promise.all(keys.map((key) => get(key, 'all')))).sort()).toEqual([
      'theirs in a',
      'theirs in b',
    ]);
    expect(await adopt(account, wanted)).toMatchObject({ adopted: 0, unchanged: 2, conflicts: 0 });
  });

  test('goes on in steps over hundreds', async () => {
    const { account, token, reply } = await signUp(daemon, 'many@example.org');
    await confirmAt(daemon, token);
    await daemon.call(accounts.updateAccount, { params: { id: account }, body: { tier: 'pro' } });
    const items = Array.from({ length: 350 }, (_, i) => ({
      key: `m${i}`,
      value: `value ${i}`,
      namespace: 'many',
    }));
    await daemon.as(reply.api_key)(memories.storeBatch, { body: { items } });
    expect(await adopt(account, {})).toMatchObject({ adopted: 350, conflicts: 0 });
    const { total } = await daemon.call(memories.listMemories, { body: { namespace: 'many' } });
    expect(total).toBe(350);
  });
});

describe('the outbox', () => {
  test('shows the owner what was not sent, with the link that confirms', async () => {
    const { reply, account, token, file } = await signUp(daemon, 'mail@example.org');
    const { transport, mails } = await daemon.call(accounts.listOutbox, {});
    expect(transport).toBe('files');
    expect(mails.find(({ id }) => id === account)).toMatchObject({
      account,
      to: 'mail@example.org',
      subject: 'Confirm your key for Reverie',
      attempts: 0,
      file,
    });
    expect(JSON.stringify(mails)).not.toContain(token);
    const mail = await daemon.call(accounts.getMail, { params: { id: account } });
    expect(mail.link).toBe(`${reply.confirm_url}?token=${token}`);
    expect(mail.eml).toBe(fs.readFileSync(file, 'utf8'));
    for (const id of ['acc_none', '../owner-key', '..%2Fowner-key'])
      expect(await failure(daemon.call(accounts.getMail, { params: { id } }))).toMatchObject({
        code: 'mail_not_found',
      });
    await confirmAt(daemon, token);
    expect(await failure(daemon.call(accounts.getMail, { params: { id: account } }))).toMatchObject({
      status: 404,
    });
  });

  test('a mail of an account that expired is deleted, for it is of no use any more', async () => {
    const { file } = await signUp(daemon, 'late@example.org');
    daemon.clock.advance(7 * 86_400_000 + 20_000);
    await expect
      .poll(() => {
        daemon.clock.advance(10_000);
        return fs.existsSync(file);
      })
      .toBe(false);
  });
});
