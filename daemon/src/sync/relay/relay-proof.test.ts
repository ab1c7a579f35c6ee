import { linkDevice, moveRelay } from '@reverie/shared/contract/sync/sync';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startRelay, type TestRelay } from '../../../../cloud/src/testing/relay.ts';
import { has, run } from '../../cli/fake-terminal.ts';
import { startTestDaemon, type TestDaemon } from '../../testing.ts';
import { findLink, saveProved } from '../link.store.ts';
import { statusOf } from '../testing/linked-devices.ts';

let daemon: TestDaemon;
let relay: TestRelay;
beforeEach(async () => {
  relay = await startRelay();
  daemon = await startTestDaemon();
  await daemon.call(linkDevice, { body: { relay: relay.origin, email: 'me@example.org', name: 'first' } });
  await expect.poll(async () => (await statusOf(daemon)).state).toBe('live');
});
afterEach(async () => {
  await daemon.stop();
  await relay.stop();
});

const link = () => daemon.withStore((store) => store.read(findLink));

test('a link of an earlier version keeps the key of its relay at the next connection that lets it in', async () => {
  const before = link();
  expect(before?.relay_key).toMatch(/^[\w-]{43}$/);
  expect(before?.log_id).toMatch(/^log_/);
  daemon.withStore((store) =>
    store.write((db) => saveProved(db, { relay_key: null, log_id: '', addresses: '[]' })),
  );
  await expect(daemon.call(moveRelay, { body: { relay: 'http://127.0.0.1:9' } })).rejects.toMatchObject({
    code: 'conflict',
    message: has('--anew'),
  });
  await daemon.restart();
  await expect.poll(() => link()?.relay_key).toBe(before?.relay_key);
  await expect.poll(() => link()?.log_id).toBe(before?.log_id);
});

test('the command line moves the link, says what came of it, and is told how it is used', async () => {
  const reverie = (...args: string[]) => run({ home: daemon.home.folder }, ...args);
  const other = await startRelay();
  expect(await reverie('link', '--move', other.origin)).toMatchObject({
    code: 1,
    err: has('Another relay, or an emptied one, answers'),
  });
  await other.stop();
  expect(await reverie('link', '--move', other.origin)).toMatchObject({
    code: 1,
    err: has('does not answer'),
  });
  const localhost = relay.origin.replace('127.0.0.1', 'localhost');
  expect(await reverie('link', '--move', localhost)).toMatchObject({
    code: 0,
    out: has(`The relay is at ${localhost}`),
    err: has('nothing is sent again'),
  });
  await expect.poll(async () => (await statusOf(daemon)).state).toBe('live');
  expect((await statusOf(daemon)).relay).toBe(localhost);
  for (const args of [
    ['--move', localhost, '--anew'],
    ['http://localhost:1', '--move', localhost],
  ])
    expect(await reverie('link', ...args)).toMatchObject({ code: 2, err: has('Give --move alone') });
  expect(await reverie('link', '--email', 'me@example.org')).toMatchObject({ code: 2 });
  expect(await reverie('link', localhost, '--email', 'me@example.org')).toMatchObject({
    code: 1,
    err: has('--move NEW-ADDRESS'),
  });
  // Its own device would be asked to let it in.
  expect(await reverie('link', localhost, '--anew', '--email', 'me@example.org')).toMatchObject({
    code: 1,
    err: has('in sync with it'),
  });
});
