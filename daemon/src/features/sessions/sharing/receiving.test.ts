import { participantLimits } from '@reverie/shared/protocol/participant-limits';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { entriesAfter } from '../entries.store.ts';
import { findSession } from '../sessions.store.ts';
import { type BareSessions, bareSessions } from '../testing/bare-sessions.ts';
import type { SessionRoom } from './ports.ts';
import { takeRecords } from './receiving.ts';
import { type EntryRecord, encodeRecord, type SessionRecord, type SharedRecord } from './record.ts';

const HOST = 'dev_host';
const ME = 'dev_me';
const OTHER = 'dev_other';

let bare: BareSessions;
beforeEach(() => {
  bare = bareSessions();
});
afterEach(() => bare.deps.store.close());

const BEGAN = Date.UTC(2026, 0);

const entry = (item: string, text: string, more: Partial<EntryRecord> = {}): EntryRecord => ({
  v: 1,
  type: 'entry',
  item,
  at: BEGAN,
  place: 1,
  kind: 'prompt',
  text,
  author: { id: 'person', name: 'ada', agent: null },
  tool: null,
  call: null,
  failed: null,
  files: [],
  reply_to: null,
  redactions: 0,
  format: 'codex',
  ...more,
});
const note = (item: string, text: string, more: Partial<EntryRecord> = {}) =>
  entry(item, text, { kind: 'note', ...more });
const facts = (title: string): SessionRecord => ({
  v: 1,
  type: 'session',
  title,
  agent: 'codex',
  project: 'acme/api',
  branch: 'main',
  models: ['gpt'],
  tokens: 7,
  ended_at: null,
});
const gone = (...items: string[]): SharedRecord => ({ v: 1, type: 'gone', items });

/** Takes records in as they stand in the room: raw, and each in the name of the device that the relay saw. */
function take(...records: (readonly [device: string, record: SharedRecord | string])[]): void {
  const { deps, account } = bare;
  const room: SessionRoom = {
    room: 'room',
    account,
    about: 'cs_shared',
    role: 'editor',
    host: HOST,
    cursor: 0,
    head: 0,
  };
  const bodies = records.map(([device, record]) => ({
    device,
    body: typeof record === 'string' ? new TextEncoder().encode(record) : encodeRecord(record),
  }));
  deps.store.write((db) => takeRecords(db, deps, { room, records: bodies, rooms: { device: () => ME } }));
}
const session = () => bare.deps.store.read((db) => findSession(db, bare.account, 'cs_shared'));
const rows = () =>
  bare.deps.store.read((db) =>
    entriesAfter(
      db,
      { session: session()?.n ?? 0, kinds: null, failed: null },
      { after: null, letters: 100, limit: 50 },
    ),
  );
const said = () => rows().map(({ item, text }) => `${item}: ${text}`);

describe('the host', () => {
  test('tells what the session is and what was said in it, and may change and take it back', () => {
    take([HOST, facts('Limits')], [HOST, entry('a', 'one')], [HOST, entry('b', 'two', { place: 2 })]);
    expect(session()).toMatchObject({ title: 'Limits', project: 'acme/api', tokens: 7 });
    expect(said()).toEqual(['a: one', 'b: two']);
    take([HOST, entry('a', 'one, changed')], [HOST, gone('b')]);
    expect(said()).toEqual(['a: one, changed']);
  });
});

test('entries stand in the order of the log that the host read, also where its clock was put right', () => {
  const at = (second: number) => bare.deps.clock.now() - 9_000 + second;
  const lines = [
    entry('a', 'one', { at: at(600), ordered_at: at(600) }),
    entry('b', 'two', { at: at(5), ordered_at: at(600), place: 2 }),
    // Of a host that knows no such order.
    entry('c', 'zero', { at: at(1), place: 3 }),
  ];
  take(...lines.map((record) => [HOST, record] as const));
  expect(said()).toEqual(['c: zero', 'a: one', 'b: two']);
  const seq = session()?.seq;
  take(...lines.map((record) => [HOST, record] as const), [HOST, { ...facts('Limits'), unread: 2 }]);
  expect(session()).toMatchObject({ seq, unread: 2 });
});

test('what comes again with a time that cannot be changes nothing', () => {
  const record = entry('a', 'one', { at: 8.64e15 });
  take([HOST, record]);
  const before = rows();
  bare.deps.clock.advance(5_000);
  take([HOST, record]);
  expect(rows()).toEqual(before);
});

describe('a device that is not the host', () => {
  beforeEach(() => take([HOST, facts('Limits')], [HOST, entry('a', 'one')]));

  test.each(['prompt', 'answer', 'tool_call', 'tool_result', 'summary', 'other'] as const)(
    'says no %s: what the agent does is told by the host alone',
    (kind) => {
      take([OTHER, entry('b', 'rm -rf', { kind, place: 2 })]);
      expect(said()).toEqual(['a: one']);
    },
  );

  test('writes notes, in its own name whatever it claims', () => {
    const author = { id: HOST, name: 'ada', agent: null };
    take([OTHER, note('n', 'why?', { author, place: 2 })]);
    expect(said()).toEqual(['a: one', 'n: why?']);
    expect(rows()[1]).toMatchObject({ device: OTHER, author: OTHER, author_name: 'ada' });
  });

  test('changes neither an entry of the host nor a note of somebody else', () => {
    take([HOST, note('h', 'of the host', { place: 2 })], [ME, note('m', 'of mine', { place: 3 })]);
    take(
      [OTHER, note('a', 'forged')],
      [OTHER, note('h', 'forged')],
      [OTHER, note('m', 'forged')],
      [OTHER, entry('a', 'forged')],
    );
    expect(said()).toEqual(['a: one', 'h: of the host', 'm: of mine']);
  });

  test('takes back what it wrote, and nothing else', () => {
    take([OTHER, note('n', 'mine', { place: 2 })], [ME, note('m', 'of here', { place: 3 })]);
    take([OTHER, gone('a', 'm', 'n', 'nothing')]);
    expect(said()).toEqual(['a: one', 'm: of here']);
  });

  test('tells nothing of the session itself', () => {
    take([OTHER, facts('Forged')]);
    expect(session()?.title).toBe('Limits');
  });

  test('changes its own note', () => {
    take([OTHER, note('n', 'mine', { place: 2 })], [OTHER, note('n', 'mine, changed', { place: 2 })]);
    expect(said()).toEqual(['a: one', 'n: mine, changed']);
  });
});

describe('whatever a device says of who it is', () => {
  const claims: EntryRecord['author'][] = [
    { id: 'person', name: 'ada', agent: null },
    { id: 'person', name: 'ada', agent: 'claude-code' },
    { id: ME, name: 'ada', agent: 'codex' },
    { id: HOST, name: 'host', agent: 'codex' },
    { id: 'codex', name: 'Codex', agent: 'codex' },
    { id: '', name: '', agent: '' },
  ];
  test.each(claims)('%o is the device that the relay saw', (author) => {
    take([HOST, entry('a', 'one', { author })], [OTHER, note('n', 'approved', { author, place: 2 })]);
    expect(rows().map((row) => row.author)).toEqual([HOST, OTHER]);
    take([OTHER, note('n', 'approved, changed', { author, place: 2 })]);
    expect(rows()[1]).toMatchObject({ author: OTHER, text: 'approved, changed' });
  });
});

describe('a time of another clock', () => {
  const [MINUTE, DAY] = [60_000, 86_400_000];
  const now = () => bare.deps.clock.now();
  test.each<[string, () => number, () => number]>([
    ['of the year 275760', () => 8.64e15, () => now() + 10 * MINUTE],
    ['of the year 9999', () => Date.UTC(9999, 11, 31), () => now() + 10 * MINUTE],
    ['of tomorrow', () => now() + DAY, () => now() + 10 * MINUTE],
    ['11 minutes ahead', () => now() + 11 * MINUTE, () => now() + 10 * MINUTE],
    ['9 minutes ahead', () => now() + 9 * MINUTE, () => now() + 9 * MINUTE],
    ['of a year ago', () => now() - 365 * DAY, () => now() - 365 * DAY],
    ['before 1970', () => -1, () => Date.UTC(2000, 0)],
    ['of the year -271821', () => -8.64e15, () => Date.UTC(2000, 0)],
  ])('%s is clamped, of the host and of others', (_, told, kept) => {
    const at = told();
    take(
      [HOST, entry('a', 'one', { at })],
      [OTHER, note('n', 'two', { at, place: 2 })],
      [HOST, { ...facts('Limits'), ended_at: at }],
    );
    expect(rows().map((row) => row.at)).toEqual([kept(), kept()]);
    expect(session()).toMatchObject({ started_at: kept(), updated_at: kept(), ended_at: kept() });
  });

  test('is clamped once: what comes again later changes nothing', () => {
    const ahead = note('n', 'two', { at: 8.64e15 });
    take([OTHER, ahead]);
    const [before, seq] = [rows(), session()?.seq];
    bare.deps.clock.advance(DAY);
    take([OTHER, ahead]);
    expect([rows(), session()?.seq]).toEqual([before, seq]);
  });
});

describe('a participant that writes and writes', () => {
  const { hourly, total, noteBytes } = participantLimits;
  const HOUR = 3_600_000;
  const written = (device: string) =>
    rows()
      .filter((row) => row.device === device)
      .map(({ item }) => item);
  /** Has an entry count as many notes, as if that many had been written. */
  const weigh = (item: string, notes: number) =>
    bare.deps.store.write((db) =>
      db
        .prepare<[number, string]>('UPDATE session_entries SET bytes = ? WHERE item = ?')
        .run(notes * noteBytes, item),
    );

  test('is taken so many notes of an hour of, and the others lose none', () => {
    take([OTHER, note('o1', 'x')]);
    weigh('o1', hourly - 1);
    take(
      [OTHER, note('o2', 'x', { place: 2 })],
      [HOST, entry('a', 'one', { place: 3 })],
      [OTHER, note('o3', 'x', { place: 4 })],
      ['dev_third', note('t', 'x', { place: 5 })],
    );
    expect([OTHER, HOST, 'dev_third'].map(written)).toEqual([['o1', 'o2'], ['a'], ['t']]);
    // What it wrote, it may change and take back, and of another hour it is taken more.
    take([OTHER, note('o2', 'changed')], [OTHER, gone('o1')]);
    take([OTHER, note('o4', 'x', { at: BEGAN + HOUR })], [OTHER, note('o5', 'x', { place: 6 })]);
    expect(said()).toEqual(['o2: changed', 'a: one', 't: x', 'o5: x', 'o4: x']);
  });

  test('writes no more by long notes, nor by a time of its own choice', () => {
    const text = 'y'.repeat(59 * noteBytes + 1);
    const long = Array.from({ length: 11 }, (_, n) => [OTHER, note(`o${n}`, text, { place: n })] as const);
    take(...long);
    expect(written(OTHER).length).toBe(10);
    // Nor by making short ones long.
    take(['dev_fourth', note('f1', 'x')], ['dev_fourth', note('f2', 'x', { place: 2 })]);
    weigh('f1', hourly - 1);
    take(['dev_fourth', note('f2', 'z'.repeat(2 * noteBytes), { place: 2 })]);
    expect(said()).toContain('f2: x');
    take(['dev_third', note('t1', 'x', { at: 8.64e15 })]);
    weigh('t1', hourly);
    take(['dev_third', note('t2', 'x', { at: 8.64e15 - 2 * HOUR })]);
    expect(written('dev_third')).toEqual(['t1']);
  });

  test('is taken so many in all of', () => {
    take([OTHER, note('o1', 'x')], [HOST, note('h1', 'x', { place: 2 })]);
    for (const item of ['o1', 'h1']) weigh(item, total - 1);
    take(...[2, 3].map((n) => [OTHER, note(`o${n}`, 'x', { at: BEGAN + n * HOUR * 2 })] as const));
    take(...[2, 3].map((n) => [HOST, note(`h${n}`, 'x', { at: BEGAN + n * HOUR * 2 })] as const));
    expect([OTHER, HOST].map(written)).toEqual([
      ['o1', 'o2'],
      ['h1', 'h2', 'h3'],
    ]);
  });
});

test('the host changes nothing that was written here, and takes none of it back', () => {
  take([HOST, entry('a', 'one')], [ME, note('m', 'of here', { place: 2 })]);
  take([HOST, note('m', 'forged', { place: 2 })], [HOST, gone('m')]);
  expect(said()).toEqual(['a: one', 'm: of here']);
});

test('what is no record, or of a later version, changes nothing, and what follows it is taken', () => {
  const later = JSON.stringify({ ...entry('b', 'two'), v: 2 });
  const lacking = JSON.stringify({ v: 1, type: 'entry', item: 'c' });
  take([HOST, 'no JSON'], [HOST, '[]'], [HOST, later], [HOST, lacking], [HOST, entry('a', 'one')]);
  expect(said()).toEqual(['a: one']);
});
