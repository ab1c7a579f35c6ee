import { createHash } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { AccountStore, NewSignup } from '../account-store.ts';

export interface StoreUnderTest {
  store: AccountStore;
  close(): void | Promise<void>;
}

const hash = (text: string) => createHash('sha256').update(text).digest();
const DAY = 86_400_000;
const T0 = Date.UTC(2031, 4, 14, 12);

/** What every store of accounts does; called within a `describe` of each. */
export function accountStoreBehaves(open: () => StoreUnderTest | Promise<StoreUnderTest>): void {
  let under: StoreUnderTest;
  let store: AccountStore;
  beforeEach(async () => {
    under = await open();
    store = under.store;
  });
  afterEach(() => under.close());

  const signup = (name: string, more: Partial<NewSignup> = {}): NewSignup => ({
    account: `acc_${name}`,
    email: `${name}@example.org`,
    createdAt: T0,
    expiresAt: T0 + 7 * DAY,
    tokenHash: hash(`token of ${name}`),
    key: { id: `key_${name}`, hash: hash(`key of ${name}`), prefix: 'rv_bot_abcde' },
    ...more,
  });

  test('counts up to the limit, each address and day by itself', async () => {
    const count = (email: string, day: string) => store.countSignup({ email, day, limit: 2 });
    expect([
      await count('a@b.co', '2031-05-14'),
      await count('a@b.co', '2031-05-14'),
      await count('a@b.co', '2031-05-14'),
      await count('c@b.co', '2031-05-14'),
      await count('a@b.co', '2031-05-14'),
      await count('a@b.co', '2031-05-15'),
    ]).toEqual([true, true, false, true, false, true]);
  });

  test('counts no further when many ask at once', async () => {
    const asked = Array.from({ length: 8 }, () =>
      store.countSignup({ email: 'a@b.co', day: '2031-05-14', limit: 3 }),
    );
    expect((await Promise.all(asked)).filter(Boolean)).toHaveLength(3);
  });

  test('finds a signup by its token, and nothing by another', async () => {
    await store.create(signup('one'));
    await store.create(signup('two'));
    expect(await store.findByToken(hash('token of two'))).toEqual({
      account: 'acc_two',
      email: 'two@example.org',
      tier: 'free',
      keyPrefix: 'rv_bot_abcde',
      createdAt: T0,
      expiresAt: T0 + 7 * DAY,
      confirmedAt: null,
    });
    expect(await store.findByToken(hash('token of three'))).toBeUndefined();
    // What stands in the store is no token.
    expect(await store.findByToken(hash(hash('token of two').toString('hex')))).toBeUndefined();
  });

  test('two accounts of one address are two', async () => {
    await store.create(signup('one', { email: 'same@example.org' }));
    await store.create(signup('two', { email: 'same@example.org' }));
    expect(await store.confirm(hash('token of one'), T0)).toBe(true);
    expect((await store.findByToken(hash('token of two')))?.confirmedAt).toBeNull();
  });

  test('confirms once, up to the last millisecond, and never after it', async () => {
    await store.create(signup('early'));
    await store.create(signup('late'));
    expect(await store.confirm(hash('token of early'), T0 + 7 * DAY - 1)).toBe(true);
    expect(await store.confirm(hash('token of early'), T0 + 7 * DAY - 1)).toBe(false);
    expect(await store.confirm(hash('token of late'), T0 + 7 * DAY)).toBe(false);
    expect(await store.confirm(hash('token of nobody'), T0)).toBe(false);
    expect((await store.findByToken(hash('token of early')))?.confirmedAt).toBe(T0 + 7 * DAY - 1);
    expect((await store.findByToken(hash('token of late')))?.confirmedAt).toBeNull();
  });

  test('counts those that nobody confirmed, expired ones among them', async () => {
    expect(await store.countProvisional()).toBe(0);
    await store.create(signup('one'));
    await store.create(signup('two'));
    await store.create(signup('expired', { expiresAt: T0 - DAY }));
    await store.confirm(hash('token of one'), T0);
    expect(await store.countProvisional()).toBe(2);
    await store.remove('acc_expired');
    expect(await store.countProvisional()).toBe(1);
  });

  test('names the expired ones, the oldest first, and no confirmed one', async () => {
    for (const [name, age] of [
      ['young', 0],
      ['older', -2],
      ['oldest', -3],
      ['kept', -4],
    ] as const)
      await store.create(signup(name, { expiresAt: T0 + age }));
    await store.confirm(hash('token of kept'), T0 - 10);
    expect(await store.expiredBy(T0 - 1, 10)).toEqual(['acc_oldest', 'acc_older']);
    expect(await store.expiredBy(T0, 10)).toEqual(['acc_oldest', 'acc_older', 'acc_young']);
    expect(await store.expiredBy(T0, 1)).toEqual(['acc_oldest']);
  });

  test('removes an account with its token, and does nothing for one that is gone', async () => {
    await store.create(signup('one'));
    await store.create(signup('two'));
    await store.remove('acc_one');
    await store.remove('acc_one');
    expect(await store.findByToken(hash('token of one'))).toBeUndefined();
    expect(await store.findByToken(hash('token of two'))).toBeDefined();
  });
}
