import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type PathState, stepOf } from './file-plan.ts';

const own = (hash: string) => ({ hash, isOwn: true });
const taken = (hash: string) => ({ hash, isOwn: false });
const file = (hash: string) => ({ hash });

describe('what is done about a file', () => {
  test.each<[string, PathState, string]>([
    ['new here', { mine: own('a'), known: undefined, theirs: undefined }, 'set'],
    ['new there', { mine: undefined, known: undefined, theirs: file('a') }, 'fetch'],
    ['different ones that meet first', { mine: own('a'), known: undefined, theirs: file('b') }, 'none'],
    ['changed here', { mine: own('b'), known: { here: 'a', there: 'a' }, theirs: file('a') }, 'set'],
    ['changed there', { mine: taken('a'), known: { here: null, there: 'a' }, theirs: file('b') }, 'fetch'],
    [
      'changed there, with one of our own',
      { mine: own('a'), known: { here: 'a', there: 'a' }, theirs: file('b') },
      'none',
    ],
    ['gone here', { mine: undefined, known: { here: 'a', there: 'a' }, theirs: file('a') }, 'remove'],
    [
      'gone here, changed there',
      { mine: undefined, known: { here: 'a', there: 'a' }, theirs: file('b') },
      'fetch',
    ],
    ['gone there', { mine: taken('a'), known: { here: null, there: 'a' }, theirs: undefined }, 'drop'],
    [
      'gone there, with one of our own',
      { mine: own('a'), known: { here: 'a', there: 'a' }, theirs: undefined },
      'set',
    ],
    ['not fetched yet', { mine: undefined, known: { here: null, there: 'a' }, theirs: file('a') }, 'fetch'],
    ['of before, in a room that is new', { mine: own('a'), known: undefined, theirs: undefined }, 'set'],
    [
      'of another device, in a room that is new',
      { mine: taken('a'), known: undefined, theirs: undefined },
      'none',
    ],
    ['as agreed', { mine: own('a'), known: { here: 'a', there: 'a' }, theirs: file('a') }, 'none'],
  ])('%s', (_, state, step) => {
    expect(stepOf(state, true)).toBe(step);
  });

  test('a viewer tells of nothing', () => {
    for (const theirs of [undefined, file('a'), file('b')])
      for (const mine of [undefined, own('a'), taken('a'), own('c')])
        for (const known of [undefined, { here: 'a', there: 'a' }, { here: null, there: 'b' }])
          expect(['set', 'remove']).not.toContain(stepOf({ mine, known, theirs }, false));
  });
});

/** A device with a folder of its own at some paths, and what it agreed on. */
interface Device {
  folder: Map<string, string>;
  taken: Map<string, string>;
  known: Map<string, { here: string | null; there: string | null }>;
}

/** One look of a device at a room; answers whether anything changed. */
function look({ folder, taken: from, known }: Device, room: Map<string, string>): boolean {
  let isChanged = false;
  for (const path of new Set([...folder.keys(), ...from.keys(), ...known.keys(), ...room.keys()])) {
    const [ours, others, theirs] = [folder.get(path), from.get(path), room.get(path)];
    const mine = ours === undefined ? (others === undefined ? undefined : taken(others)) : own(ours);
    const step = stepOf(
      { mine, known: known.get(path), theirs: theirs === undefined ? undefined : file(theirs) },
      true,
    );
    if (step === 'set' && mine) room.set(path, mine.hash);
    if (step === 'remove') room.delete(path);
    if (step === 'fetch' && theirs !== undefined) from.set(path, theirs);
    if (step === 'drop') from.delete(path);
    if (step !== 'none') isChanged = true;
    // A file of the folder takes the place of what came from elsewhere.
    if (ours !== undefined) from.delete(path);
    const there = room.get(path) ?? null;
    if (there === null && ours === undefined) known.delete(path);
    else known.set(path, { here: ours ?? null, there });
  }
  return isChanged;
}

test('whatever is done on three devices, they come to rest, each with all files, its own above those of others', () => {
  const path = fc.constantFrom('a', 'b');
  const act = fc.record({
    device: fc.nat(2),
    path,
    hash: fc.option(fc.constantFrom('1', '2', '3'), { nil: undefined }),
    looks: fc.array(fc.nat(2), { maxLength: 3 }),
  });
  fc.assert(
    fc.property(fc.array(act, { maxLength: 20 }), (acts) => {
      const room = new Map<string, string>();
      const devices = [0, 1, 2].map((): Device => ({
        folder: new Map(),
        taken: new Map(),
        known: new Map(),
      }));
      for (const { device, path: at, hash, looks } of acts) {
        if (hash === undefined) devices[device]?.folder.delete(at);
        else {
          devices[device]?.folder.set(at, hash);
          devices[device]?.taken.delete(at);
        }
        for (const one of looks) if (devices[one]) look(devices[one], room);
      }
      let rounds = 0;
      while (devices.map((one) => look(one, room)).some(Boolean)) expect((rounds += 1)).toBeLessThan(10);
      for (const at of ['a', 'b']) {
        const folders = devices.flatMap(({ folder }) => folder.get(at) ?? []);
        expect(room.has(at)).toBe(folders.length > 0);
        if (folders.length > 0) expect(folders).toContain(room.get(at));
        for (const { folder, taken: from } of devices)
          expect(folder.get(at) ?? from.get(at)).toBe(folder.get(at) ?? room.get(at));
      }
    }),
    { numRuns: 1000 },
  );
});
