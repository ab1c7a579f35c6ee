import type { Memory } from '@reverie/shared/contract/memories/memories';
import { expect, test } from 'vitest';
import { createAutosave, EVERY_MS, KEPT_MS, PAUSE_MS } from './autosave.ts';
import type { MemoryDraft } from './draft.ts';
import type { Saved } from './saving.ts';

/** A clock that goes on when it is told to. */
function handClock() {
  let now = Date.parse('2026-11-20T12:00:00.000Z');
  const waiting = new Set<{ at: number; then: () => void }>();
  return {
    now: () => now,
    after: (ms: number, then: () => void) => {
      const one = { at: now + ms, then };
      waiting.add(one);
      return () => void waiting.delete(one);
    },
    pass: async (ms: number) => {
      now += ms;
      for (const one of [...waiting])
        if (one.at <= now) {
          waiting.delete(one);
          one.then();
        }
      for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
    },
  };
}

/** Somebody who writes a memory that a daemon stores. */
function writer(value = 'one two three') {
  const clock = handClock();
  let at = 0;
  const made = (text: string): Memory => ({
    key: 'a',
    namespace: 'n',
    value: text,
    metadata: {},
    class: 'note',
    title: '',
    created_at: '2026-11-20T09:00:00.000Z',
    updated_at: new Date(Date.parse('2026-11-20T09:00:00.000Z') + (at += 1)).toISOString(),
  });
  let stored: Memory | undefined = made(value);
  let text = value;
  let kept: MemoryDraft | undefined;
  const versions: string[] = [];
  let trouble: Error | undefined;
  const autosave = createAutosave({
    base: stored,
    text: () => text,
    replace: (next) => {
      text = next;
    },
    keep: (draft) => {
      kept = draft;
    },
    isKept: () => true,
    store: (draft): Promise<Saved> => {
      if (trouble) return Promise.reject(trouble);
      if (!draft.base && stored) return Promise.resolve({ kind: 'taken' });
      if (draft.base?.updated_at !== stored?.updated_at)
        return Promise.resolve({ kind: 'conflict', theirs: stored });
      stored = made(draft.value);
      versions.push(draft.value);
      return Promise.resolve({ kind: 'saved', key: 'a' });
    },
    fetch: () => Promise.resolve(stored),
    clock,
  });
  return {
    autosave,
    clock,
    versions,
    type: (next: string) => {
      text = next;
      autosave.typed();
    },
    elsewhere: (next: string | undefined) => {
      stored = next === undefined ? undefined : made(next);
      return stored;
    },
    fail: (error: Error | undefined) => {
      trouble = error;
    },
    now: () => ({ text, stored: stored?.value, kept: kept?.value, state: autosave.state.get().kind }),
  };
}

test('what is typed is kept at once, and saved in pauses, few of them', async () => {
  const { autosave, clock, versions, type, now } = writer();
  type('one two three four');
  await clock.pass(KEPT_MS);
  expect(now()).toMatchObject({ kept: 'one two three four', stored: 'one two three', state: 'typed' });
  await clock.pass(PAUSE_MS);
  expect(now()).toEqual({
    text: 'one two three four',
    stored: 'one two three four',
    kept: undefined,
    state: 'saved',
  });
  // A minute of going on with pauses between is one version more.
  for (let word = 0; word * (PAUSE_MS + 1) < EVERY_MS; word += 1) {
    type(`${now().text} w`);
    await clock.pass(PAUSE_MS + 1);
  }
  expect(versions.length).toBeLessThanOrEqual(2);
  type('the end');
  await autosave.save();
  expect(now()).toMatchObject({ stored: 'the end', kept: undefined, state: 'saved' });
});

test('what is changed elsewhere comes in, and is merged with what is written, and neither is lost', async () => {
  const { autosave, elsewhere, type, now } = writer();
  autosave.seen(elsewhere('one two three THEIRS'));
  expect(now()).toMatchObject({ text: 'one two three THEIRS', state: 'saved' });
  type('MINE one two three THEIRS');
  elsewhere('one two three THEIRS again');
  await autosave.save();
  expect(now()).toEqual({
    text: 'MINE one two three THEIRS again',
    stored: 'MINE one two three THEIRS again',
    kept: undefined,
    state: 'saved',
  });
});

test.each([
  ['mine', 'mine'],
  ['theirs', 'theirs'],
  ['both', 'mine\ntheirs'],
] as const)('of what touches %s is kept when that is chosen, and nothing before', async (choice, left) => {
  const { autosave, elsewhere, type, now } = writer('old');
  type('mine');
  elsewhere('theirs');
  await autosave.save();
  expect(now()).toEqual({ text: 'mine', stored: 'theirs', kept: 'mine', state: 'conflict' });
  await autosave.save();
  expect(now().stored).toBe('theirs');
  await autosave.settle(choice);
  expect(now()).toEqual({ text: left, stored: left, kept: undefined, state: 'saved' });
});

test('what was deleted elsewhere is kept, and stored again where that is wanted', async () => {
  const { autosave, elsewhere, type, now } = writer();
  type('still wanted');
  autosave.seen(elsewhere(undefined));
  expect(now()).toMatchObject({ text: 'still wanted', kept: 'still wanted', state: 'conflict' });
  await autosave.settle('mine');
  expect(now()).toMatchObject({ stored: 'still wanted', kept: undefined, state: 'saved' });
});

test.each([
  ['one two three THEIRS', 'MINE one two three THEIRS'],
  ['theirs alone', 'MINE one two three'],
])('what was deleted and is there again is changed, not made: over “%s”', async (again, left) => {
  const { autosave, elsewhere, type, now } = writer();
  type('MINE one two three');
  autosave.seen(elsewhere(undefined));
  elsewhere(again);
  await autosave.settle('mine');
  if (now().state === 'conflict') await autosave.settle('mine');
  expect(now()).toEqual({ text: left, stored: left, kept: undefined, state: 'saved' });
  type(`${left} on`);
  await autosave.save();
  expect(now()).toMatchObject({ stored: `${left} on`, kept: undefined, state: 'saved' });
});

test('what cannot be saved says why, and is kept', async () => {
  const { autosave, fail, type, now } = writer();
  fail(new Error('The disk is full'));
  type('more');
  await autosave.save();
  expect(autosave.state.get()).toEqual({ kind: 'failed', why: 'The disk is full' });
  expect(now().kept).toBe('more');
  fail(undefined);
  type('');
  await autosave.save();
  expect(now()).toMatchObject({ stored: 'one two three', state: 'failed' });
  type('more');
  await autosave.save();
  expect(now()).toMatchObject({ stored: 'more', kept: undefined, state: 'saved' });
});
