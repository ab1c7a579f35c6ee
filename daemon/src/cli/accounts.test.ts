import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { botSignup } from '@reverie/shared/contract/accounts/accounts';
import { setMemory } from '@reverie/shared/contract/memories/memories';
import { createClient } from '@reverie/shared/client';
import { type Running, startDaemon } from '../main.ts';
import { type Ended, has, run } from './fake-terminal.ts';

let folder: string;
let home: string;
let daemon: Running;
let id: string;

// A daemon and an account for each test: none finds what another one left.
beforeEach(async () => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'reverie-accounts-'));
  home = path.join(folder, 'home');
  daemon = await startDaemon({
    env: { REVERIE_HOME: home, REVERIE_LOG_LEVEL: 'silent' },
    flags: { port: '0' },
  });
  const { origin } = daemon;
  const { api_key } = await createClient({ origin })(botSignup, { body: { email: 'agent@example.org' } });
  const call = createClient({ origin, key: () => api_key });
  await call(setMemory, { body: { key: 'plan', value: 'theirs' } });
  await call(setMemory, { body: { key: 'new', value: 'only theirs' } });
  await run({ home }, 'set', 'plan', 'mine');
  id = /acc_[0-9a-z]{26}/.exec((await reverie('outbox')).out)?.[0] ?? '';
});

afterEach(async () => {
  await daemon.stop();
  fs.rmSync(folder, { recursive: true });
});

const reverie = (...args: string[]): Promise<Ended> => run({ home }, ...args);

test('who signed up is listed and shown', async () => {
  const listed = await reverie('accounts');
  expect(listed.out).toMatch(new RegExp(`^${id}\\tagent@example.org\\tfree\\tprovisional\\t`, 'm'));
  expect(listed.out).toContain('(machine)');
  const shown = await reverie('accounts', 'show', id);
  expect(shown.out).toMatch(/^Holds: +2 memories in 1 namespace, /m);
  expect(JSON.parse((await reverie('accounts', 'show', id, '--json')).out)).toMatchObject({
    id,
    memories: 2,
  });
  expect((await run({ home, typed: '' }, 'accounts')).out).toContain('E-mail');
});

test('a tier is set, and a wrong one refused', async () => {
  expect(await reverie('accounts', 'tier', id, 'pro')).toMatchObject({
    code: 0,
    out: has('has the tier pro'),
  });
  expect((await reverie('accounts', 'tier', id, 'gold')).code).toBe(2);
  expect((await reverie('accounts', 'tier', 'acc_none', 'pro')).code).toBe(1);
});

test('memories are adopted after a preview, and nothing is overwritten', async () => {
  expect((await reverie('accounts', 'adopt', id, '--dry-run')).out).toContain('1 memory would be copied.');
  expect((await reverie('get', 'new')).code).toBe(1);
  const done = await reverie('accounts', 'adopt', id);
  expect(done.out).toContain('Copied 1 memory.');
  expect(done.out).toContain('default\tplan\t(left out)');
  expect([(await reverie('get', 'new')).out, (await reverie('get', 'plan')).out]).toEqual([
    'only theirs',
    'mine',
  ]);
  expect((await reverie('accounts', 'adopt', id, '--keep-both')).out).toContain(`default\tplan\tplan@${id}`);
});

test('the quotas of the machine are shown', async () => {
  const shown = await reverie('usage');
  expect(shown.out).toMatch(/^requests\t\d+\t100000000\t/m);
  expect(shown.out).toMatch(/^stores\t\d+\tno limit\t/m);
  expect(JSON.parse((await reverie('usage', '--json')).out)).toMatchObject({
    tier: 'machine',
    status: 'active',
  });
});

test('an e-mail that was not sent is shown, and its link printed', async () => {
  expect((await reverie('outbox')).out).toMatch(new RegExp(`^${id}\\tagent@example.org\\t`));
  expect((await reverie('outbox', 'show', id)).out).toContain('Subject: Confirm your key for Reverie');
  const link = (await reverie('outbox', 'link', id)).out.trim();
  expect(link.startsWith(`${daemon.origin}/v1/auth/confirm?token=`)).toBe(true);
  expect(await (await fetch(link)).json()).toMatchObject({ status: 'confirmed' });
  expect(await reverie('outbox', 'link', id)).toMatchObject({ code: 1, out: '' });
});

test('an account is deleted when that is meant', async () => {
  expect((await run({ home, typed: 'no\n' }, 'accounts', 'remove', id)).code).toBe(1);
  expect(await reverie('accounts', 'remove', id, '--yes')).toMatchObject({
    code: 0,
    out: `Deleted ${id}.\n`,
  });
  expect((await reverie('accounts', 'show', id)).code).toBe(1);
});
