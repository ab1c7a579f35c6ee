import { beforeEach, expect, test } from 'vitest';
import { createFakeClock, type FakeClock } from '../testing/fake-clock.ts';
import { createLogEmptying, type LogEmptying, startEmptying } from './log-emptying.ts';

let clock: FakeClock;
let said: string[];
let answer: () => unknown;
let emptying: LogEmptying;
let told: { text: string; err?: unknown }[];
let stop: () => void;

beforeEach(() => {
  clock = createFakeClock();
  said = [];
  told = [];
  answer = () => [{ busy: 0, log: 0, checkpointed: 0 }];
  const pragma = (source: string) => {
    said.push(source);
    return source.startsWith('wal_checkpoint') ? answer() : [];
  };
  emptying = createLogEmptying({ connection: () => ({ pragma }), now: clock.now, patience: 100 });
  const note = (of: object, text: string) => void told.push({ text, ...of });
  stop = startEmptying({ emptying, clock, log: { warn: note, info: (text) => note({}, text) } });
});

const isBusy = () => [{ busy: 1, log: 7, checkpointed: 3 }];

test('waits for nobody: the busy timeout is none meanwhile, and what it was afterwards', () => {
  emptying.empty();
  expect(said).toEqual(['busy_timeout = 0', 'wal_checkpoint(TRUNCATE)', 'busy_timeout = 100']);
  expect(emptying.state()).toEqual({ kind: 'emptied' });
});

test('what could not be emptied is owed until it could, is tried each second, and nothing is tried without need', () => {
  clock.advance(5000);
  expect(said).toEqual([]);
  answer = isBusy;
  emptying.empty();
  const since = clock.now();
  clock.advance(3500);
  expect(said.filter((one) => one.startsWith('wal'))).toHaveLength(4);
  expect(emptying.state()).toEqual({ kind: 'waiting', since });
  answer = () => [{ busy: 0, log: 0, checkpointed: 0 }];
  clock.advance(1000);
  expect(emptying.state()).toEqual({ kind: 'emptied' });
  said = [];
  clock.advance(5000);
  expect(said).toEqual([]);
  expect(told.map(({ text }) => text)).toEqual([
    expect.stringContaining('another program reads the database'),
    expect.stringContaining('empty again'),
  ]);
});

test('a disk that refuses it throws at nobody: it is owed, with the cause, and the timeout is what it was', () => {
  const cause = new Error('database or disk is full');
  answer = () => {
    throw cause;
  };
  emptying.empty();
  expect(emptying.state()).toMatchObject({ kind: 'waiting', cause });
  expect(said.at(-1)).toBe('busy_timeout = 100');
  clock.advance(2000);
  expect(told).toEqual([{ text: expect.not.stringContaining('another program') as unknown, err: cause }]);
  answer = isBusy;
  clock.advance(1000);
  expect(emptying.state()).not.toHaveProperty('cause');
  stop();
  said = [];
  clock.advance(5000);
  expect(said).toEqual([]);
});
