import { createClient } from '@reverie/shared/client';
import { expect, test } from 'vitest';
import { fakeDaemon } from '../testing/fake-daemon.ts';
import { madeEntry, madeSession, sessionId } from '../testing/made-session.ts';
import { createEntryLog } from './entry-log.ts';

const ID = sessionId(1);

function begin(count: number) {
  const entries = Array.from({ length: count }, (_, at) =>
    madeEntry(at + 1, 'answer', { text: `Entry ${at + 1}` }),
  );
  const { home, fetch } = fakeDaemon({ sessions: [madeSession(1)], entries: new Map([[ID, entries]]) });
  let held: Promise<void> | undefined;
  const holding: typeof fetch = async (...asked) => {
    const waits = held;
    held = undefined;
    const reply = await fetch(...asked);
    await waits;
    return reply;
  };
  const log = createEntryLog(createClient({ origin: 'http://fake', fetch: holding }), ID);
  /** Has the answer to the next question wait until it is let go. */
  const hold = () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    held = promise;
    return resolve;
  };
  const seqs = () => log.state.get().entries.map(({ seq }) => seq);
  return { home, log, entries, seqs, hold };
}

const upTo = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => from + at);

test('a session is read from its beginning, a page after the other, each entry once', async () => {
  const { log, seqs } = begin(400);
  await log.open('start');
  expect(seqs()).toEqual(upTo(1, 150));
  await Promise.all([log.later(), log.later()]);
  expect(seqs()).toEqual(upTo(1, 300));
  await log.later();
  await log.later();
  expect(seqs()).toEqual(upTo(1, 400));
  expect(log.state.get()).toMatchObject({ before: null, after: null, total: 400, phase: 'idle' });
});

test('a session is read from an entry in its middle, both ways', async () => {
  const { log, seqs } = begin(900);
  await log.open({ around: 'e_500' });
  expect(seqs()).toContain(500);
  const [first = 0] = seqs();
  await log.earlier();
  expect(seqs()[0]).toBe(first - 150);
  await log.later();
  expect(seqs()).toEqual(upTo(first - 150, first + 299));
});

test('a session is read at its end, though there is no cursor of it', async () => {
  const { log, seqs } = begin(700);
  await log.open('end');
  expect(seqs().at(-1)).toBe(700);
  expect(log.state.get().after).toBe(null);
  expect(log.state.get().before).not.toBe(null);
});

test('what comes is appended at the end, and told of until it was seen', async () => {
  const { log, entries, seqs } = begin(3);
  await log.open('start');
  entries.push(madeEntry(4, 'answer', { text: 'New' }), madeEntry(5, 'answer', { text: 'Newer' }));
  await log.follow();
  expect(seqs()).toEqual([1, 2, 3, 4, 5]);
  expect(log.state.get()).toMatchObject({ unseen: 2, grownBy: 'news', total: 5 });
  log.seen();
  expect(log.state.get().unseen).toBe(0);
  await log.follow();
  expect(log.state.get().unseen).toBe(0);
});

test('an entry that is written again stays where it is', async () => {
  const { log, entries, seqs } = begin(3);
  await log.open('start');
  entries[1] = { ...madeEntry(9, 'answer', { text: 'Again' }), id: 'e_2' };
  await log.follow();
  expect(seqs()).toEqual([1, 9, 3]);
  expect(log.state.get()).toMatchObject({ unseen: 0, total: 3 });
});

test('what came late stands where it does in the session', async () => {
  const { log, entries, seqs } = begin(3);
  await log.open('start');
  entries.push({ ...madeEntry(4, 'note', { text: 'Late' }), order: `${entries[0]?.order}.5` });
  await log.follow();
  expect(seqs()).toEqual([1, 4, 2, 3]);
});

test('news are counted, and leave no gap, where the end is not read yet', async () => {
  const { log, entries, seqs } = begin(400);
  await log.open('start');
  entries.push(madeEntry(401, 'answer', { text: 'New' }));
  await log.follow();
  expect(seqs()).toEqual(upTo(1, 150));
  expect(log.state.get().unseen).toBe(1);
  log.seen();
  expect(log.state.get().unseen).toBe(1);
  await log.open('end');
  expect(log.state.get()).toMatchObject({ unseen: 0, after: null });
});

test('a text that came cut is fetched whole', async () => {
  const { log, entries } = begin(60);
  const long = madeEntry(31, 'tool_result', { text: 'x'.repeat(9_000) });
  entries[30] = long;
  await log.open('start');
  expect(log.state.get().entries[30]?.text.length).toBe(4_000);
  await log.whole('e_31');
  expect(log.state.get().entries[30]?.text).toBe(long.text);
});

test('an entry that is not there is told as a failure', async () => {
  const { log } = begin(3);
  await log.open({ around: 'e_9' });
  expect(log.state.get()).toMatchObject({ phase: 'failed' });
  expect(log.state.get().error?.message).toContain('No entry e_9');
});

test('an answer to what was asked before another place was opened changes nothing there', async () => {
  const { log, seqs, hold } = begin(900);
  await log.open('start');
  const release = hold();
  const later = log.later();
  const opened = log.open({ around: 'e_800' });
  await opened;
  // The older question is answered last.
  release();
  await later;
  const [first = 0] = seqs();
  expect(first).toBeGreaterThan(600);
  expect(seqs()).toEqual(upTo(first, seqs().at(-1) ?? 0));
  expect(log.state.get()).toMatchObject({ phase: 'idle' });
});
