import { expect, test } from 'vitest';
import { fakeClock } from '../../../testing/fake-clock.ts';
import { openLayoutDesk, type StartLayouter } from './layout-desk.ts';
import type { LayoutReply } from './layout.worker.ts';

/** A desk whose layouters answer when they are told to. */
function deskOf() {
  const clock = fakeClock();
  const asked: string[] = [];
  const made: { reply: (reply: LayoutReply) => void; broke: () => void; stopped: boolean }[] = [];
  const start: StartLayouter = (told) => {
    const one = { ...told, stopped: false };
    made.push(one);
    return { ask: ({ source }) => asked.push(source), stop: () => (one.stopped = true) };
  };
  const desk = openLayoutDesk(start, clock);
  const told: LayoutReply[] = [];
  const layOut = (source: string, signal = new AbortController().signal) =>
    void desk.layOut({ source, marks: [] }, signal).then((reply) => told.push(reply));
  return { clock, asked, made, told, layOut };
}

const settle = () => new Promise((done) => setImmediate(done));

test('sources are laid out one after the other, by one layouter', async () => {
  const { asked, made, told, layOut } = deskOf();
  layOut('a');
  layOut('b');
  expect(asked).toEqual(['a']);
  made[0]?.reply({ blocks: ['a'] });
  made[0]?.reply({ blocks: ['b'] });
  await settle();
  expect(asked).toEqual(['a', 'b']);
  expect(told).toEqual([{ blocks: ['a'] }, { blocks: ['b'] }]);
  expect(made).toHaveLength(1);
});

test('a source that takes too long is given up with its layouter, and the next gets another', async () => {
  const { clock, asked, made, told, layOut } = deskOf();
  layOut('knotted');
  layOut('plain');
  clock.pass(9_999);
  expect(made).toHaveLength(1);
  clock.pass(1);
  await settle();
  expect(made.map(({ stopped }) => stopped)).toEqual([true, false]);
  expect(asked).toEqual(['knotted', 'plain']);
  made[1]?.reply({ blocks: [] });
  await settle();
  expect(told).toEqual([{ failed: 'it takes too long to read' }, { blocks: [] }]);
  // The clock of one that was answered is stopped.
  clock.pass(20_000);
  expect(made).toHaveLength(2);
});

test('what nobody waits for any more is not asked for, or not told', async () => {
  const { asked, made, told, layOut } = deskOf();
  const leaving = new AbortController();
  layOut('a', leaving.signal);
  layOut('b', leaving.signal);
  layOut('c');
  leaving.abort();
  made[0]?.reply({ blocks: ['a'] });
  expect(asked).toEqual(['a', 'c']);
  made[0]?.reply({ blocks: ['c'] });
  await settle();
  expect(told).toEqual([{ blocks: ['c'] }]);
});

test('a layouter that does not start is told, and the next source starts another', async () => {
  const { made, told, layOut } = deskOf();
  layOut('a');
  made[0]?.broke();
  layOut('b');
  made[1]?.reply({ blocks: ['b'] });
  await settle();
  expect(told).toEqual([
    { failed: 'the part of the page that reads notes did not start' },
    { blocks: ['b'] },
  ]);
});
