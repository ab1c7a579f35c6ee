import { pairDevice } from '@reverie/shared/contract/sync/devices';
import * as dreams from '@reverie/shared/contract/dreams/dreams';
import { listEvents } from '@reverie/shared/contract/events/events';
import * as memory from '@reverie/shared/contract/memories/memories';
import { renameMemory } from '@reverie/shared/contract/memories/naming';
import { searchMemories } from '@reverie/shared/contract/search/search';
import { linkDevice, rebuildSync } from '@reverie/shared/contract/sync/sync';
import { restoreTrash, trashMemories } from '@reverie/shared/contract/memories/trash';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { seconds } from '@reverie/shared/testing/patience';
import { verifyDatabase } from '../../db/backup/verify.ts';
import { proposeIn } from '../../features/dreams/testing.ts';
import { createRecorder } from '../../features/events/events.service.ts';
import { findMemory } from '../../features/memories/memories.store.ts';
import { startTestDaemon, type TestDaemon } from '../../testing.ts';
import { type LinkedPair, pause, startLinkedPair, together } from '../testing/linked-devices.ts';

let world: LinkedPair;
let a: TestDaemon;
let b: TestDaemon;
beforeEach(async () => {
  world = await startLinkedPair();
  ({ a, b } = world);
  await set(a, 'old', 'The tram leaves at nine.');
  a.clock.advance(86_400_000);
  b.clock.advance(86_400_000);
  await set(a, 'new', 'The tram leaves at ten.');
  await agree();
});
afterEach(async () => {
  for (const { home } of world.devices) expect(verifyDatabase(home.database).problems).toEqual([]);
  await world.stop();
});

const namespace = 'n';
const at = (key: string) => ({ key, namespace });
const items = (key: string) => ({ body: { items: [at(key)] } });
const set = (device: TestDaemon, key: string, value: string) =>
  device.call(memory.setMemory, { body: { ...at(key), value } });
const remove = (device: TestDaemon, key: string) => device.call(memory.deleteMemory, { body: at(key) });
const accept = (device: TestDaemon, id: string) => device.call(dreams.acceptInsight, { params: { id } });
const undo = (device: TestDaemon, id: string) => device.call(dreams.undoInsight, { params: { id } });

const sentences: Record<string, string> = {
  old: 'The tram leaves at nine.',
  new: 'The tram leaves at ten.',
  early: 'The garage code is 4711.',
  late: 'The garage  code is 4711.',
};
const both = { old: sentences['old'], new: sentences['new'] };
type Change = Parameters<typeof proposeIn>[1]['change'];

/** What a dream proposes on a device. */
function propose(device: TestDaemon, keys: readonly string[], change?: Change): string {
  const parts = { ...device, find: findMemory };
  const record = createRecorder({ clock: device.clock, written: () => undefined });
  return proposeIn(
    { ...parts, record },
    {
      strategy: change ? 'refine' : 'contradict',
      title: 'The tram: at nine or at ten?',
      body: '',
      confidence: 0.9,
      content: JSON.stringify(change ?? keys),
      evidence: keys.map((key) => ({ key, sentence: sentences[key] ?? '' })),
      ...(change && { change }),
    },
  );
}
const disagreement = (device: TestDaemon) => propose(device, ['new', 'old']);
const merge = (device: TestDaemon, hide: string, keep: string) =>
  propose(device, [keep, hide], { kind: 'merge', keep, hide: [hide] });

type Said = Record<string, string>;

/** What a device shows of the namespace, and what it hides, with why. */
async function seen(device: TestDaemon): Promise<{ shown: Said; hidden: Said }> {
  const include = [...memory.hiddenKinds];
  const list = { namespace, limit: 100 };
  const { memories: shown } = await device.call(memory.listMemories, { body: list });
  const { memories: all } = await device.call(memory.listMemories, { body: { ...list, include } });
  const keys = new Set(shown.map(({ key }) => key));
  const hidden = all.filter(({ key }) => !keys.has(key));
  return {
    shown: Object.fromEntries(shown.map(({ key, value = '' }) => [key, value])),
    hidden: Object.fromEntries(
      hidden.map(({ key, superseded_by, merged_into, archived_at }) => [
        key,
        superseded_by ? `superseded by ${superseded_by}` : (merged_into ?? archived_at ?? 'nothing'),
      ]),
    ),
  };
}

/** Both show and hide the same, also once their rows are made anew of the documents; answers what. */
async function agree(): Promise<{ shown: Said; hidden: Said }> {
  await together([a, b]);
  const said = await vi.waitFor(
    async () => {
      const [ofA, ofB] = [await seen(a), await seen(b)];
      expect(ofB).toEqual(ofA);
      return ofA;
    },
    { timeout: seconds(20), interval: 20 },
  );
  for (const device of [a, b]) expect(await device.call(rebuildSync, {})).toMatchObject({ differed: 0 });
  expect([await seen(a), await seen(b)]).toEqual([said, said]);
  return said;
}

/** What both do without knowing of each other. */
async function apart(...acts: readonly (() => Promise<unknown>)[]): Promise<void> {
  await Promise.all([pause(a, true), pause(b, true)]);
  for (const act of acts) {
    a.clock.advance(1000);
    b.clock.advance(1000);
    await act();
  }
  await Promise.all([pause(a, false), pause(b, false)]);
}

test('a disagreement that is settled on one device is hidden on the other, and undo shows it on both', async () => {
  const id = disagreement(a);
  await accept(a, id);
  expect(await agree()).toEqual({
    shown: { new: sentences['new'] },
    hidden: { old: 'superseded by new' },
  });
  expect(await b.call(memory.getMemory, { body: at('old') })).toMatchObject({
    value: sentences['old'],
    superseded_by: 'new',
  });
  const { results } = await b.call(searchMemories, { body: { query: 'tram leaves at nine', namespace } });
  expect(results.map(({ key }) => key)).toEqual(['new']);
  const { events } = await b.call(listEvents, { query: { type: 'memory.update' } });
  expect(events.map(({ data }) => data.after)).toMatchObject([{ key: 'old', superseded_by: 'new' }]);
  await undo(a, id);
  expect(await agree()).toEqual({ shown: both, hidden: {} });
});

test('what the other device wrote meanwhile, without having seen that, shows it with what it says now', async () => {
  const id = disagreement(a);
  await apart(
    () => set(b, 'old', 'The tram leaves at nine on Sundays.'),
    () => accept(a, id),
  );
  expect(await agree()).toMatchObject({ shown: { old: 'The tram leaves at nine on Sundays.' }, hidden: {} });
});

test('writing it on the device that dreamt nothing shows it on both', async () => {
  await accept(a, disagreement(a));
  await agree();
  await set(b, 'old', sentences['old'] ?? '');
  expect(await agree()).toEqual({ shown: both, hidden: {} });
});

test('an archived memory is archived on both, also in the trash and back from there', async () => {
  const id = propose(a, ['old'], { kind: 'archive', keys: ['old'] });
  await accept(a, id);
  // Dated by the relay, where the clock of the machine is ahead of it.
  const { hidden: archived } = await agree();
  expect(Object.keys(archived)).toEqual(['old']);
  expect(archived['old']).toMatch(/^2031-/);
  await b.call(trashMemories, items('old'));
  expect(await agree()).toEqual({ shown: { new: sentences['new'] }, hidden: {} });
  await a.call(restoreTrash, items('old'));
  expect((await agree()).hidden).toEqual(archived);
  await undo(a, id);
  expect(await agree()).toEqual({ shown: both, hidden: {} });
});

test('it is shown on both while what it is hidden behind is in the trash, wherever that was moved', async () => {
  await accept(a, merge(a, 'old', 'new'));
  expect((await agree()).hidden).toEqual({ old: 'new' });
  await b.call(trashMemories, items('new'));
  expect(await agree()).toEqual({ shown: { old: sentences['old'] }, hidden: {} });
  await a.call(restoreTrash, items('new'));
  expect(await agree()).toEqual({ shown: { new: sentences['new'] }, hidden: { old: 'new' } });
});

test('it is shown on both where the other device deletes what it is hidden behind, seen or not', async () => {
  const id = merge(a, 'old', 'new');
  await apart(
    () => accept(a, id),
    () => remove(b, 'new'),
  );
  expect(await agree()).toEqual({ shown: { old: sentences['old'] }, hidden: {} });
  // Another memory of that key hides nothing.
  a.clock.advance(1000);
  await set(a, 'new', 'Something else.');
  expect((await agree()).hidden).toEqual({});
});

test('two that were hidden behind each other are both shown, until one of the two decisions is taken back', async () => {
  const [ofA, ofB] = [merge(a, 'old', 'new'), merge(b, 'new', 'old')];
  await apart(
    () => accept(a, ofA),
    () => accept(b, ofB),
  );
  expect(await agree()).toEqual({ shown: both, hidden: {} });
  await undo(a, ofA);
  expect(await agree()).toEqual({ shown: { old: sentences['old'] }, hidden: { new: 'old' } });
});

test('what an earlier program hid, which told nobody, is told at the next start', async () => {
  const id = disagreement(a);
  await pause(a, true);
  await accept(a, id);
  const untold =
    "DELETE FROM sync_outbox; DELETE FROM sync_sends; UPDATE meta SET value = 'untold' WHERE name = 'hiding'";
  a.withStore((store) =>
    store.write((db) => {
      db.exec(untold);
    }),
  );
  expect((await seen(b)).hidden).toEqual({});
  await a.restart();
  await pause(a, false);
  expect((await agree()).hidden).toEqual({ old: 'superseded by new' });
});

test('what a home hid before it was linked is told with its first upload', async () => {
  const c = await startTestDaemon();
  for (const key of ['early', 'late']) await set(c, key, sentences[key] ?? '');
  await accept(c, merge(c, 'early', 'late'));
  const { code } = await a.call(pairDevice, {});
  await c.call(linkDevice, { body: { relay: world.relay.origin, code, name: 'third' } });
  await vi.waitFor(async () => expect((await seen(a)).hidden).toEqual({ early: 'late' }), {
    timeout: seconds(20),
  });
  await vi.waitFor(async () => expect(await seen(c)).toEqual(await seen(a)), { timeout: seconds(20) });
  await c.stop();
});

test('it stays hidden where either of the two is renamed on the other device', async () => {
  const id = merge(a, 'old', 'new');
  await accept(a, id);
  await agree();
  const rename = (device: TestDaemon, key: string, to: string) =>
    device.call(renameMemory, { body: { ...at(key), to: { key: to } } });
  await rename(b, 'new', 'newer');
  expect(await agree()).toEqual({ shown: { newer: sentences['new'] }, hidden: { old: 'newer' } });
  await rename(b, 'old', 'older');
  expect((await agree()).hidden).toEqual({ older: 'newer' });
});

test('undo while what it was hidden behind is in the trash holds after that one is back', async () => {
  const id = merge(a, 'old', 'new');
  await accept(a, id);
  await a.call(trashMemories, items('new'));
  await undo(a, id);
  await a.call(restoreTrash, items('new'));
  expect(await agree()).toEqual({ shown: both, hidden: {} });
});
