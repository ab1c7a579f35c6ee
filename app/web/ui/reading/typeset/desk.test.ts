import { expect, test } from 'vitest';
import { fakeClock } from '../../../testing/fake-clock.ts';
import { type Failed, openDesk, type StartHelper } from './desk.ts';

const failures = { slow: 'it takes too long', broken: 'it did not start' };

/** A desk whose helpers answer when they are told to. */
function deskOf({ isKept = true } = {}) {
  const clock = fakeClock();
  const asked: string[] = [];
  const made: { reply: (reply: string) => void; broke: () => void; stopped: boolean }[] = [];
  const start: StartHelper<string, string> = (told) => {
    const one = { ...told, stopped: false };
    made.push(one);
    return { ask: (request) => asked.push(request), stop: () => (one.stopped = true) };
  };
  const desk = openDesk({ start, clock, failures, isKept, patience: 10_000 });
  const told: (string | Failed)[] = [];
  const ask = (request: string, signal = new AbortController().signal) =>
    void desk.ask(request, signal).then((reply) => told.push(reply));
  return { clock, asked, made, told, ask };
}

const settle = () => new Promise((done) => setImmediate(done));

test('requests are answered one after the other, by one helper', async () => {
  const { asked, made, told, ask } = deskOf();
  ask('a');
  ask('b');
  expect(asked).toEqual(['a']);
  made[0]?.reply('a!');
  made[0]?.reply('b!');
  await settle();
  expect(asked).toEqual(['a', 'b']);
  expect(told).toEqual(['a!', 'b!']);
  expect(made).toHaveLength(1);
});

test('a request that takes too long is given up with its helper, and the next gets another', async () => {
  const { clock, asked, made, told, ask } = deskOf();
  ask('knotted');
  ask('plain');
  clock.pass(9_999);
  expect(made).toHaveLength(1);
  clock.pass(1);
  await settle();
  expect(made.map(({ stopped }) => stopped)).toEqual([true, false]);
  expect(asked).toEqual(['knotted', 'plain']);
  made[1]?.reply('plain!');
  await settle();
  expect(told).toEqual([{ failed: failures.slow }, 'plain!']);
  // The clock of one that was answered is stopped.
  clock.pass(20_000);
  expect(made).toHaveLength(2);
});

test('what nobody waits for any more is not asked for, or not told', async () => {
  const { asked, made, told, ask } = deskOf();
  const leaving = new AbortController();
  ask('a', leaving.signal);
  ask('b', leaving.signal);
  ask('c');
  leaving.abort();
  made[0]?.reply('a!');
  expect(asked).toEqual(['a', 'c']);
  made[0]?.reply('c!');
  await settle();
  expect(told).toEqual(['c!']);
});

test('a helper that does not start is told, and the next request starts another', async () => {
  const { made, told, ask } = deskOf();
  ask('a');
  made[0]?.broke();
  ask('b');
  made[1]?.reply('b!');
  await settle();
  expect(told).toEqual([{ failed: failures.broken }, 'b!']);
});

test('a helper that is not kept goes with the last request, and comes with the next', async () => {
  const { made, told, ask } = deskOf({ isKept: false });
  ask('a');
  ask('b');
  made[0]?.reply('a!');
  expect(made[0]?.stopped).toBe(false);
  made[0]?.reply('b!');
  expect(made[0]?.stopped).toBe(true);
  ask('c');
  made[1]?.reply('c!');
  await settle();
  expect(told).toEqual(['a!', 'b!', 'c!']);
});
