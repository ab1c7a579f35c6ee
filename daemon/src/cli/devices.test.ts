import { afterEach, beforeEach, expect, test } from 'vitest';
import { type LinkedPair, startLinkedPair, together } from '../sync/testing/linked-devices.ts';
import { has, like, run } from './fake-terminal.ts';

let world: LinkedPair;
beforeEach(async () => {
  world = await startLinkedPair();
  await together(world.devices);
});
afterEach(() => world.stop());

const devices = (...args: string[]) => run({ home: world.a.home.folder }, 'devices', ...args);

test('those of the account are listed, and which one this is', async () => {
  const { out } = await devices();
  expect(out.split('\n').filter((line) => line.includes('this one'))).toEqual([like(/^dev_\w+\tfirst\t/)]);
  const { devices: listed } = JSON.parse((await devices('--json')).out) as { devices: { name: string }[] };
  expect(listed.map(({ name }) => name).toSorted()).toEqual(['first', 'other 0']);
});

test('a code for one more is made, for people with the command that uses it, for programs with the relay', async () => {
  const { out, err } = await devices('pair');
  expect(err).toContain(`reverie link ${world.relay.origin} --code ${out.trim()}`);
  const made = JSON.parse((await devices('pair', '--json')).out) as { code: string; relay: string };
  expect(made).toMatchObject({ code: like(/^\S+$/), relay: world.relay.origin });
});

test('one that is removed is gone from the list', async () => {
  const { devices: listed } = JSON.parse((await devices('--json')).out) as {
    devices: { id: string; name: string }[];
  };
  const other = listed.find(({ name }) => name === 'other 0');
  expect(await devices('remove', other?.id ?? '')).toMatchObject({ code: 0 });
  expect((await devices()).out).not.toContain('other 0');
  expect(await devices('approve', 'dev_nobody')).toMatchObject({ code: 1, err: has('device') });
});
