import fs from 'node:fs';
import path from 'node:path';
import { shareNamespace, joinNamespace } from '@reverie/shared/contract/sync/sharing';
import { setMemory } from '@reverie/shared/contract/memories/memories';
import { linkDevice, recoverAccount } from '@reverie/shared/contract/sync/sync';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startBalancer } from '../../../../cloud/src/testing/balancer.ts';
import { startRelay } from '../../../../cloud/src/testing/relay.ts';
import { has, run } from '../../cli/fake-terminal.ts';
import { startTestDaemon, type TestDaemon } from '../../testing.ts';
import { type LinkedPair, says, startLinkedPair, statusOf, together } from '../testing/linked-devices.ts';

const EMAIL = 'me@example.org';

let world: LinkedPair;
let friend: TestDaemon;
let fresh: TestDaemon;
beforeEach(async () => {
  world = await startLinkedPair();
  [friend, fresh] = [await startTestDaemon(), await startTestDaemon()];
  const token = new URL(world.relay.links()[0] ?? '').searchParams.get('token');
  await fetch(`${world.relay.origin}/v1/auth/confirm`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ token }),
  });
  await friend.call(linkDevice, { body: { relay: world.relay.origin, email: 'friend@example.org' } });
});
afterEach(async () => {
  await Promise.all([friend.stop(), fresh.stop()]);
  await world.stop();
});

function mailedCode(): string {
  const outbox = path.join(world.relay.home, 'outbox');
  const all = fs.readdirSync(outbox).map((name) => fs.readFileSync(path.join(outbox, name), 'utf8'));
  return all.map((text) => /^ {4}([0-9A-Z-]{14})/m.exec(text)?.[1]).find((code) => code !== undefined) ?? '';
}

test('a new machine enters by the code of the mail and has all that there was; the others, and who shares, are told', async () => {
  const { a, b, relay } = world;
  await a.call(setMemory, { body: { namespace: 'team', key: 'plan', value: 'walk' } });
  const { invite } = await a.call(shareNamespace, { body: { namespace: 'team', role: 'editor' } });
  await friend.call(joinNamespace, { body: { invite, namespace: 'team' } });
  await expect.poll(() => says(friend, 'team')).toEqual({ plan: 'walk' });
  await together([a, b]);

  const reverie = (stdin: string, ...args: string[]) => run({ home: fresh.home.folder, stdin }, ...args);
  const link = ['link', relay.origin, '--email', EMAIL];
  // Without it, a linked device would have to say yes.
  expect(await reverie('', ...link, '--recover')).toMatchObject({
    code: 2,
    err: has('If an account there has confirmed me@'),
  });
  expect(await reverie('AAAA-AAAA-AAAA', ...link, '--recover')).toMatchObject({
    code: 1,
    err: has('The code is wrong'),
  });
  expect(await reverie(`${mailedCode()}\n`, ...link, '--recover')).toMatchObject({
    code: 0,
    out: has('Linked to'),
  });
  await expect.poll(() => says(fresh, 'team')).toEqual({ plan: 'walk' });
  await expect.poll(async () => (await statusOf(fresh)).state).toBe('live');

  for (const lost of [a, b]) {
    await expect.poll(async () => (await statusOf(lost)).error?.code).toBe('recovered');
    const status = await statusOf(lost);
    expect(status).toMatchObject({ state: 'unauthorized', lost: [] });
    expect(status.error?.message).toContain('replaced by recovery on 20');
    expect(await says(lost, 'team')).toEqual({ plan: 'walk' });
  }
  await expect
    .poll(async () => (await statusOf(friend)).recovered.map(({ email }) => email))
    .toEqual([EMAIL]);
  const told = await run({ home: friend.home.folder }, 'sync');
  expect(told).toMatchObject({ code: 0, out: has(`the devices of ${EMAIL} were replaced by recovery`) });
  await fresh.call(setMemory, { body: { namespace: 'team', key: 'later', value: 'swim' } });
  await expect.poll(() => says(friend, 'team')).toEqual({ plan: 'walk', later: 'swim' });

  expect(await reverie('', ...link, '--recover')).toMatchObject({ code: 2, err: has('add --anew') });

  // One of those that were removed comes back by the new one.
  expect(await run({ home: b.home.folder }, 'link', relay.origin, '--anew', '--email', EMAIL)).toMatchObject({
    code: 0,
    err: has('let this device in on one that is linked'),
  });
});

test('a code is of no use to a machine that did not ask for it, and no machine is told whether an address has an account', async () => {
  const { relay } = world;
  const body = { relay: relay.origin, email: EMAIL };
  await fresh.call(recoverAccount, { body });
  const refused = { code: 'pairing_failed', message: has('has not asked') };
  const other = await startTestDaemon();
  await expect(other.call(linkDevice, { body: { ...body, recover: mailedCode() } })).rejects.toMatchObject(
    refused,
  );
  await other.stop();
  const mails = () => fs.readdirSync(path.join(relay.home, 'outbox')).length;
  const before = mails();
  for (const email of ['friend@example.org', 'nobody@example.org'])
    expect(await fresh.call(recoverAccount, { body: { ...body, email } })).toMatchObject({
      relay_known: false,
    });
  expect(mails()).toBe(before);
  expect(
    await run({ home: fresh.home.folder }, 'link', relay.origin, '--recover', '--code', 'x'),
  ).toMatchObject({
    code: 2,
    err: has('--recover goes with --email'),
  });
});

test('a relay proves the key that is known of it before it is asked, and the one that was asked before it is given the code', async () => {
  const { a, relay } = world;
  const balancer = await startBalancer();
  const other = await startRelay();
  try {
    balancer.nodes([relay.origin]);
    const body = { relay: balancer.origin, email: EMAIL };
    const key = (await statusOf(a)).relay_key ?? '';
    const reverie = (stdin: string, ...args: string[]) =>
      run({ home: fresh.home.folder, stdin }, 'link', balancer.origin, ...args);
    const recover = ['--email', EMAIL, '--recover'];
    expect(await reverie('', ...recover, '--relay-key', `${key.slice(0, -1)}_`)).toMatchObject({
      code: 1,
      err: has('Another relay, or an emptied one'),
    });
    expect(await reverie('', '--email', EMAIL, '--relay-key', key)).toMatchObject({
      code: 2,
      err: has('--relay-key goes with --recover'),
    });
    expect(await relay.rows('SELECT account FROM recovery_asks')).toEqual([]);
    expect(await reverie('', ...recover)).toMatchObject({
      code: 2,
      err: has(`you trust whoever answers at that address, whose key is ${key}`),
    });
    // What it had kept of its own link counts as well as what a person gives.
    expect(await a.call(recoverAccount, { body: { ...body, relay: relay.origin } })).toMatchObject({
      relay_key: key,
      relay_known: true,
    });

    balancer.nodes([other.origin]);
    expect(await reverie(`${mailedCode()}\n`, ...recover)).toMatchObject({
      code: 1,
      err: has('Another relay, or an emptied one'),
    });
    balancer.nodes([relay.origin]);
    expect(await reverie(`${mailedCode()}\n`, ...recover, '--relay-key', key)).toMatchObject({ code: 0 });
  } finally {
    await balancer.stop();
    await other.stop();
  }
});
