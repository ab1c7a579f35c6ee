import { listConflicts } from '@reverie/shared/contract/sync/conflicts';
import { listEvents } from '@reverie/shared/contract/events/events';
import type { JsonObject } from '@reverie/shared/contract/fields';
import { memoryHistory } from '@reverie/shared/contract/memories/history';
import { getMemory, setMemory } from '@reverie/shared/contract/memories/memories';
import { renameMemory, tagMemories } from '@reverie/shared/contract/memories/naming';
import {
  changeMember,
  joinNamespace,
  listMembers,
  shareNamespace,
} from '@reverie/shared/contract/sync/sharing';
import { linkDevice } from '@reverie/shared/contract/sync/sync';
import { listTrash, trashMemories } from '@reverie/shared/contract/memories/trash';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startTestDaemon, type TestDaemon } from '../../testing.ts';
import { type LinkedDevices, pause, says, startLinkedDevices, together } from '../testing/linked-devices.ts';

let world: LinkedDevices;
let a: TestDaemon;
let b: TestDaemon;
let c: TestDaemon;
const others: TestDaemon[] = [];
beforeEach(async () => {
  world = await startLinkedDevices(3);
  const [first, second, third] = world.devices;
  if (!first || !second || !third) throw new Error('there are three');
  [a, b, c] = [first, second, third];
});
afterEach(async () => {
  await Promise.all(others.splice(0).map((device) => device.stop()));
  await world.stop();
});

const all = () => [a, b, c, ...others];
function later(): void {
  for (const { clock } of [...all(), world.relay]) clock.advance(60_000);
}

const set = (
  device: TestDaemon,
  value: string,
  { key = 'k', ...rest }: { key?: string; metadata?: JsonObject } = {},
) => device.call(setMemory, { body: { key, value, ...rest } });
const rename = (device: TestDaemon, key: string, to: string) =>
  device.call(renameMemory, { body: { key, to: { key: to } } });
const lost = async (device: TestDaemon) =>
  (await device.call(listConflicts, { query: {} })).conflicts
    .map(({ key, value }) => `${key}: ${value}`)
    .sort();

/** What each does while no device hears of another; the first is the oldest. Then they hear of each other, in any order. */
async function apart(acts: (() => Promise<unknown>)[], order = all()): Promise<Record<string, string>> {
  for (const device of all()) await pause(device, true);
  for (const act of acts) {
    later();
    await act();
  }
  later();
  for (const device of order) await pause(device, false);
  return together(all());
}

/** Waits until no device has a conflict: a moment passes until the one that merges has said so. */
const noConflicts = () => expect.poll(async () => Promise.all(all().map(lost))).toEqual(all().map(() => []));

const TEXT = 'one\ntwo\nthree\nfour\nfive';

async function begin(value = TEXT, metadata?: JsonObject): Promise<void> {
  await set(a, value, metadata && { metadata });
  await together(all());
}

test.each([
  ['the older first', () => [a, b, c]],
  ['the newer first', () => [c, b, a]],
])('what two changed in different lines is in one text, on every device (%s)', async (_, order) => {
  await begin();
  await apart(
    [() => set(a, TEXT.replace('one', 'ONE of a')), () => set(b, TEXT.replace('five', 'FIVE of b'))],
    order(),
  );
  await expect.poll(() => says(c)).toEqual({ k: 'ONE of a\ntwo\nthree\nfour\nFIVE of b' });
  await noConflicts();
  expect(await together(all())).toEqual({ k: 'ONE of a\ntwo\nthree\nfour\nFIVE of b' });
  // Nobody is asked, and the history says who wrote what.
  for (const device of all()) {
    const { versions } = await device.call(memoryHistory, { query: { key: 'k' } });
    const told = versions.map(({ value, author }) => [value.replaceAll('\n', ' '), author?.device]);
    expect(told[0]).toEqual(['ONE of a two three four FIVE of b', 'first']);
    expect(told).toContainEqual(['one two three four FIVE of b', 'other 0']);
    expect(told).toContainEqual(['one two three four five', 'first']);
  }
});

test('many changes on both sides before they hear of each other merge, and so does what follows', async () => {
  await begin();
  for (const round of [1, 2, 3]) {
    const text = (await says(a))['k'] ?? '';
    const [one = '', , , , five = ''] = text.split('\n');
    const edits = (device: TestDaemon, from: string, to: string) =>
      Array.from({ length: 9 }, (_, n) => () => set(device, text.replace(from, `${to} ${round} ${n}`)));
    await apart([...edits(a, one, 'A'), ...edits(b, five, 'B')], round === 2 ? [b, a, c] : [a, b, c]);
    await expect.poll(() => says(c)).toEqual({ k: `A ${round} 8\ntwo\nthree\nfour\nB ${round} 8` });
    await noConflicts();
  }
});

test('one that was away merges with what another one changed many times meanwhile', async () => {
  await begin();
  await set(b, TEXT.replace('five', 'FIVE'));
  await together(all());
  await pause(a, true);
  later();
  await set(a, TEXT.replace('one', 'ONE').replace('five', 'FIVE'));
  for (let n = 0; n < 12; n += 1) {
    later();
    await set(b, TEXT.replace('five', `FIVE ${n}`));
    if (n % 4 === 0) await together([b, c]);
  }
  await together([b, c]);
  await pause(a, false);
  await expect.poll(() => says(c)).toEqual({ k: 'ONE\ntwo\nthree\nfour\nFIVE 11' });
  await noConflicts();
});

test('what two changed in the same line, or in lines side by side, is a conflict as before', async () => {
  await begin();
  await apart([() => set(a, TEXT.replace('one', 'of a')), () => set(b, TEXT.replace('one', 'of b'))]);
  expect((await says(c))['k']).toBe(TEXT.replace('one', 'of b'));
  for (const device of all())
    await expect.poll(() => lost(device)).toEqual([`k: ${TEXT.replace('one', 'of a')}`]);
  await set(a, TEXT, { key: 'l' });
  await together(all());
  await apart([
    () => set(a, TEXT.replace('two', 'of a'), { key: 'l' }),
    () => set(b, TEXT.replace('three', 'of b'), { key: 'l' }),
  ]);
  for (const device of all()) await expect.poll(() => lost(device)).toHaveLength(2);
});

test('three at once merge', async () => {
  await begin();
  await apart([
    () => set(a, TEXT.replace('one', 'of a')),
    () => set(b, TEXT.replace('three', 'of b')),
    () => set(c, TEXT.replace('five', 'of c')),
  ]);
  for (const device of all())
    await expect.poll(() => says(device)).toEqual({ k: 'of a\ntwo\nof b\nfour\nof c' });
  await noConflicts();
});

test('tags of two are a set, other metadata goes key by key; the same key is a conflict', async () => {
  await begin(TEXT, { tags: ['old', 'kept'], due: 1, who: 'x' });
  const tag = (device: TestDaemon, add: string[], remove: string[]) =>
    device.call(tagMemories, { body: { items: [{ key: 'k', namespace: 'default' }], add, remove } });
  await apart([() => tag(a, ['of a'], ['old']), () => tag(b, ['of b', 'Of A'], [])]);
  const metadata = async (device: TestDaemon) =>
    (await device.call(getMemory, { body: { key: 'k' } })).metadata;
  for (const device of all())
    await expect.poll(() => metadata(device)).toEqual({ tags: ['kept', 'of b', 'Of A'], due: 1, who: 'x' });
  await noConflicts();
  const now = { tags: ['kept'], due: 1, who: 'x' };
  await set(a, TEXT, { metadata: now });
  await together(all());
  await apart([
    () => set(a, TEXT, { metadata: { ...now, due: 2 } }),
    () => set(b, TEXT.replace('one', 'ONE'), { metadata: { tags: ['kept'], due: 1, more: { x: 1 } } }),
  ]);
  for (const device of all())
    await expect.poll(() => metadata(device)).toEqual({ tags: ['kept'], due: 2, more: { x: 1 } });
  await noConflicts();
  await apart([() => set(a, TEXT, { metadata: { due: 3 } }), () => set(b, TEXT, { metadata: { due: 4 } })]);
  for (const device of all()) await expect.poll(() => lost(device)).toHaveLength(1);
});

test.each([
  ['as it was', []],
  ['changed', [() => set(c, TEXT.replace('five', 'FIVE'))]],
])(
  'what one put into the trash (%s), and another edited, stands as it was edited, and nobody is asked',
  async (_, before) => {
    await begin();
    await apart([
      () => set(b, TEXT.replace('one', 'ONE')),
      ...before,
      () => c.call(trashMemories, { body: { items: [{ key: 'k', namespace: 'default' }] } }),
    ]);
    for (const device of all())
      await expect.poll(() => says(device)).toEqual({ k: TEXT.replace('one', 'ONE') });
    await noConflicts();
  },
);

test('what lost, and a third one writes as well, is no conflict any more', async () => {
  for (const device of all()) await pause(device, true);
  await set(a, 'coffee');
  later();
  await set(b, 'tea');
  for (const device of [a, b]) await pause(device, false);
  await together([a, b]);
  for (const device of [a, b]) await expect.poll(() => lost(device)).toEqual(['k: coffee']);
  later();
  await set(c, 'coffee');
  await pause(c, false);
  for (const device of [a, b]) await expect.poll(() => lost(device)).toEqual(['k: tea']);
  for (const device of all()) expect(await says(device)).toEqual({ k: 'coffee' });
});

describe('a new name on one device and an edit on another', () => {
  const edited = TEXT.replace('one', 'ONE');
  const edit = () => set(b, edited);
  const call = () => rename(a, 'k', 'new');

  test.each([
    ['the name first', () => [call, edit], () => [a, b, c]],
    ['the edit first', () => [edit, call], () => [a, b, c]],
    ['the edit first, told first', () => [edit, call], () => [b, a, c]],
    ['the name first, told last', () => [call, edit], () => [b, c, a]],
  ])('meet in one memory (%s)', async (_, acts, order) => {
    await begin();
    await apart(acts(), order());
    for (const device of all()) await expect.poll(() => says(device)).toEqual({ new: edited });
    await noConflicts();
    for (const device of all()) {
      const { versions } = await device.call(memoryHistory, { query: { key: 'new' } });
      expect(versions.map(({ value }) => value)).toContain(TEXT);
    }
  });

  test('meet where both go on: the edit is in what the renamed memory says by now', async () => {
    await begin();
    await apart([edit, call, () => set(a, TEXT.replace('five', 'FIVE'), { key: 'new' })]);
    for (const device of all())
      await expect.poll(() => says(device)).toEqual({ new: 'ONE\ntwo\nthree\nfour\nFIVE' });
    await noConflicts();
    // As any two from then on.
    await apart([
      () => set(a, 'A\ntwo\nthree\nfour\nFIVE', { key: 'new' }),
      () => set(b, 'ONE\ntwo\nthree\nfour\nB', { key: 'new' }),
    ]);
    for (const device of all())
      await expect.poll(() => says(device)).toEqual({ new: 'A\ntwo\nthree\nfour\nB' });
    await noConflicts();
  });

  test('that changed the same line are one memory and a conflict, no two memories', async () => {
    await begin();
    await apart([edit, call, () => set(a, TEXT.replace('one', 'UNO'), { key: 'new' })]);
    for (const device of all()) {
      await expect.poll(() => says(device)).toEqual({ new: TEXT.replace('one', 'UNO') });
      await expect.poll(() => lost(device)).toEqual([`new: ${edited}`]);
    }
  });

  test('of two who edited both edits are there', async () => {
    await begin();
    await apart([edit, () => set(c, TEXT.replace('five', 'FIVE')), call]);
    for (const device of all())
      await expect.poll(() => says(device)).toEqual({ new: 'ONE\ntwo\nthree\nfour\nFIVE' });
    await noConflicts();
  });

  test('who had seen the edit takes nothing back with the new name', async () => {
    await begin();
    await edit();
    await together(all());
    await call();
    expect(await together(all())).toEqual({ new: edited });
  });
});

describe('two new names of one memory', () => {
  /** The names that the activity of a device tells of: from which to which. */
  const namesTold = async (device: TestDaemon) => {
    const { events } = await device.call(listEvents, { query: { type: 'memory.update' } });
    return events.flatMap(({ data: { before, after } }) =>
      before && after && before['key'] !== after['key']
        ? [`${String(before['key'])} to ${String(after['key'])}`]
        : [],
    );
  };

  test.each([
    ['the first told first', () => [a, b, c]],
    ['the second told first', () => [b, a, c]],
  ])('are one, the later one, and the other is told (%s)', async (_, order) => {
    await begin();
    await set(a, TEXT.replace('one', 'ONE'));
    await together(all());
    await apart([() => rename(a, 'k', 'of a'), () => rename(b, 'k', 'of b')], order());
    for (const device of all())
      await expect.poll(() => says(device)).toEqual({ 'of b': TEXT.replace('one', 'ONE') });
    await noConflicts();
    for (const device of all()) {
      const { versions } = await device.call(memoryHistory, { query: { key: 'of b' } });
      expect(versions.map(({ value }) => value)).toEqual([TEXT.replace('one', 'ONE'), TEXT]);
    }
    for (const device of [a, c]) expect(await namesTold(device)).toContain('of a to of b');
  });

  test('are one though whoever gave the first is away by then', async () => {
    await begin();
    await pause(b, true);
    later();
    await rename(a, 'k', 'of a');
    await together([a, c]);
    await pause(a, true);
    later();
    await rename(b, 'k', 'of b');
    await set(b, TEXT.replace('five', 'FIVE'), { key: 'of b' });
    await pause(b, false);
    for (const device of [b, c])
      await expect.poll(() => says(device)).toEqual({ 'of b': TEXT.replace('five', 'FIVE') });
    // The one under which somebody wrote last is the later one.
    later();
    await set(a, TEXT.replace('one', 'ONE'), { key: 'of a' });
    await pause(a, false);
    for (const device of all())
      await expect.poll(() => says(device)).toEqual({ 'of a': 'ONE\ntwo\nthree\nfour\nFIVE' });
    await noConflicts();
  });

  test('are one with what both wrote, under each of them', async () => {
    await begin();
    await apart([
      () => rename(a, 'k', 'of a'),
      () => set(a, TEXT.replace('one', 'ONE'), { key: 'of a' }),
      () => rename(b, 'k', 'of b'),
      () => set(b, TEXT.replace('five', 'FIVE'), { key: 'of b' }),
    ]);
    for (const device of all())
      await expect.poll(() => says(device)).toEqual({ 'of b': 'ONE\ntwo\nthree\nfour\nFIVE' });
    await noConflicts();
  });

  test('are one memory and a conflict where both changed the same line', async () => {
    await begin();
    await apart([
      () => rename(a, 'k', 'of a'),
      () => set(a, TEXT.replace('one', 'ONE'), { key: 'of a' }),
      () => rename(b, 'k', 'of b'),
      () => set(b, TEXT.replace('one', 'UNO'), { key: 'of b' }),
    ]);
    for (const device of all()) {
      await expect.poll(() => says(device)).toEqual({ 'of b': TEXT.replace('one', 'UNO') });
      await expect.poll(() => lost(device)).toEqual([`of b: ${TEXT.replace('one', 'ONE')}`]);
    }
  });

  test('are the same name: nobody is asked', async () => {
    await begin();
    await apart([
      () => rename(a, 'k', 'new'),
      () => rename(b, 'k', 'new'),
      () => set(b, TEXT.replace('one', 'ONE'), { key: 'new' }),
    ]);
    for (const device of all())
      await expect.poll(() => says(device)).toEqual({ new: TEXT.replace('one', 'ONE') });
    await noConflicts();
  });
});

test('what one gave a new name and another put into the trash is there under that, and not in the trash', async () => {
  await begin();
  await apart([
    () => c.call(trashMemories, { body: { items: [{ key: 'k', namespace: 'default' }] } }),
    () => rename(a, 'k', 'new'),
  ]);
  for (const device of all()) {
    await expect.poll(() => says(device)).toEqual({ new: TEXT });
    await expect
      .poll(async () => (await device.call(listTrash, { query: {} })).memories.map(({ key }) => key))
      .toEqual([]);
  }
  await noConflicts();
});

test('two memories whose names two people exchange are exchanged once', async () => {
  await set(a, 'of l', { key: 'l' });
  later();
  await begin();
  const exchange = async (device: TestDaemon) => {
    await rename(device, 'k', 'aside');
    await rename(device, 'l', 'k');
    await rename(device, 'aside', 'l');
  };
  await apart([() => exchange(a), () => exchange(b)]);
  for (const device of all()) await expect.poll(() => says(device)).toEqual({ k: 'of l', l: TEXT });
  await noConflicts();
});

test('who may only read merges nothing, and hears of what was merged', async () => {
  const team = { namespace: 'team' };
  const write = (device: TestDaemon, value: string) =>
    device.call(setMemory, { body: { ...team, key: 'plan', value } });
  const friend = await startTestDaemon();
  others.push(friend);
  friend.clock.advance(a.clock.now() - friend.clock.now());
  await friend.call(linkDevice, {
    body: { relay: world.relay.origin, email: 'friend@example.org', name: 'friend' },
  });
  await write(a, TEXT);
  const { invite } = await a.call(shareNamespace, { body: { ...team, role: 'editor' } });
  await friend.call(joinNamespace, { body: { ...team, invite } });
  for (const device of all()) await expect.poll(() => says(device, 'team')).toEqual({ plan: TEXT });
  // What an editor had not sent when they became a viewer is theirs to keep.
  await pause(friend, true);
  later();
  await write(friend, TEXT.replace('one', 'of the friend'));
  const { members } = await a.call(listMembers, { query: team });
  const id = members.find(({ email }) => email === 'friend@example.org')?.id ?? 'none';
  await a.call(changeMember, { params: { id }, body: { ...team, role: 'viewer' } });
  later();
  await write(b, TEXT.replace('five', 'of b'));
  await pause(friend, false);
  for (const device of all())
    await expect.poll(() => says(device, 'team')).toEqual({ plan: TEXT.replace('five', 'of b') });
  await expect.poll(() => lost(friend)).toEqual([`plan: ${TEXT.replace('one', 'of the friend')}`]);
});
