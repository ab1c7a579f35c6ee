import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Running, startDaemon } from '../main.ts';
import { type Ended, has, run } from './fake-terminal.ts';

let folder: string;
let home: string;
let daemon: Running;

beforeAll(async () => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'reverie-dream-'));
  home = path.join(folder, 'home');
  daemon = await startDaemon({
    env: { REVERIE_HOME: home, REVERIE_LOG_LEVEL: 'silent' },
    flags: { port: '0' },
  });
  await reverie('set', 'one', 'The garage code of the house in Porto is 4711.', '-n', 'twice');
  await reverie('set', 'two', 'the garage  code of the house in Porto is 4711.', '-n', 'twice');
});

afterAll(async () => {
  await daemon.stop();
  fs.rmSync(folder, { recursive: true });
});

const reverie = (...args: string[]): Promise<Ended> => run({ home }, ...args);
const idIn = ({ out }: Ended, prefix: string): string =>
  new RegExp(`${prefix}_[0-9a-z]{26}`).exec(out)?.[0] ?? '';
const keys = async () =>
  (await reverie('list', '-n', 'twice')).out.split('\n').map((line) => line.split('\t')[0]);

test('a dream is watched, its insight accepted and taken back, and refused for good', async () => {
  const dream = await reverie('dream', '-n', 'twice', '--strategy', 'refine', '--watch');
  expect(dream).toMatchObject({ code: 0, out: has('1 new insight from 2 memories in twice.') });
  const id = idIn(dream, 'ins');
  const open = await reverie('dream', 'insights', '-n', 'twice');
  expect(open.out).toMatch(new RegExp(`^${id}\\tproposed\\trefine\\t0\\.\\d\\d\\t.+\\n$`));
  expect(await reverie('dream', 'accept', id)).toMatchObject({ code: 0, out: has(`Accepted ${id} (`) });
  expect(await keys()).not.toContain('one');
  expect((await reverie('dream', 'insights', '-n', 'twice')).out).toBe('');
  expect((await reverie('dream', 'insights', '-n', 'twice', '--status', 'accepted')).out).toContain(id);
  expect((await reverie('dream', 'undo', id)).code).toBe(0);
  expect(await keys()).toEqual(expect.arrayContaining(['one', 'two']));
  expect(await reverie('dream', 'reject', id)).toMatchObject({ code: 0, out: has(`Rejected ${id} (`) });
  const again = JSON.parse(
    (await reverie('dream', '-n', 'twice', '-s', 'evolve', '--watch', '--json')).out,
  ) as Record<string, unknown>;
  expect(again).toMatchObject({ status: 'complete', insights: 0, found: [] });
  expect((await reverie('dream', 'jobs', '-n', 'twice')).out.split('\n')).toHaveLength(3);
});

test('what holds for several kinds is said once', async () => {
  await reverie('set', 'one', 'The garage is in Porto.', '-n', 'several');
  const { err } = await reverie('dream', '-n', 'several', '-s', 'refine', '-s', 'contradict', '--watch');
  expect(err.split('by structure alone')).toHaveLength(2);
  expect(err).toMatch(/^twice, disagree: by structure alone/mu);
});

test('a person sees what an insight rests on', async () => {
  await reverie('set', 'three', 'The tram to the harbour leaves at nine from line 4.', '-n', 'person');
  await reverie('set', 'four', 'the tram to the harbour leaves at nine from line 4.', '-n', 'person');
  const { code, out } = await run({ home, typed: '' }, 'dream', '-n', 'person', '-s', 'refine', '-w');
  expect(code).toBe(0);
  expect(out).toContain('· three: The tram to the harbour leaves at nine');
});

test('of two notes that disagree one is kept, as it is said', async () => {
  const notes = [
    { key: 'march', value: 'The ledger database listens on port 5433.', at: '2026-03-02T09:00:00Z' },
    { key: 'july', value: 'The ledger database listens on port 5437.', at: '2026-07-02T09:00:00Z' },
  ].map(({ at, ...item }) => JSON.stringify({ ...item, created_at: at, updated_at: at }));
  fs.writeFileSync(path.join(folder, 'odds.jsonl'), notes.join('\n'));
  await reverie('import', path.join(folder, 'odds.jsonl'), '-n', 'odds');
  await reverie('dream', '-n', 'odds', '-s', 'contradict', '-w');
  const [id] = (await reverie('dream', 'insights', '-n', 'odds')).out.split('\t');
  const seen = await run({ home, typed: '' }, 'dream', 'insights', '-n', 'odds');
  expect(seen.out).toMatch(/THESE TWO DISAGREE\n[^]+% sure\n {2}older: march, .+\n {2}newer: july, /);
  expect(seen.out).not.toMatch(/contradict/);
  const wrong = await reverie('dream', 'accept', id ?? '', '--keep', 'last');
  expect(wrong).toMatchObject({ code: 2, err: has('newer, older, both') });
  const older = await reverie('dream', 'accept', id ?? '', '--keep', 'older');
  expect(older).toMatchObject({ code: 0, out: has('Kept: the older note; the other one is hidden.') });
  expect((await reverie('list', '-n', 'odds')).out).not.toContain('july');
  expect((await reverie('dream', 'undo', id ?? '')).code).toBe(0);
  expect((await reverie('list', '-n', 'odds')).out).toContain('july');
});

test('started without waiting it answers the id, which can be cancelled', async () => {
  const started = await reverie('dream', '-n', 'other');
  const id = idIn(started, 'dream');
  expect(started).toMatchObject({ code: 0, out: `${id}\n` });
  const { code, err } = await reverie('dream', 'cancel', id);
  // It may be over by then.
  if (code !== 0) expect(err).toContain('over already');
  expect((await reverie('dream', 'jobs', '-n', 'other')).out).toContain(id);
});

test('where no dream was started, a person is told how, and a program reads nothing', async () => {
  const person = await run({ home, typed: '' }, 'dream', 'jobs', '-n', 'nowhere');
  expect(person).toMatchObject({ code: 0, out: '', err: has('No dream was started in nowhere so far') });
  expect(await reverie('dream', 'jobs', '-n', 'nowhere')).toMatchObject({ code: 0, out: '', err: '' });
});

test('a dream of an empty namespace says where memories are; jobs tell programs whole times', async () => {
  await reverie('set', 'k', 'v', '-n', 'somewhere');
  const { code, err } = await reverie('dream', '-n', 'somehwere', '-s', 'refine', '--watch');
  expect([code, err]).toEqual([0, has('somehwere holds no memories; there are some in ')]);
  expect((await reverie('dream', 'jobs', '-n', 'somehwere')).out).toMatch(/\t\d{4}-\d\d-\d\dT[\d:.]+Z\t/);
});

test('several are decided on at once, and one is put off', async () => {
  const value = 'The key of the shed hangs behind the door of the kitchen.';
  for (const key of ['a', 'b', 'c', 'd'])
    await reverie(
      'set',
      key,
      `${value}${'ab'.includes(key) ? '' : ' It is a new key with a red tag.'}`,
      '-n',
      'shed',
    );
  await reverie('dream', '-n', 'shed', '-s', 'refine', '-w');
  const open = (...args: string[]) => reverie('dream', 'insights', '-n', 'shed', ...args);
  const ids = (await open()).out.split('\n').flatMap((line) => line.split('\t')[0] || []);
  expect(ids).toHaveLength(2);
  const [first = '', second = ''] = ids;
  const off = await reverie('dream', 'snooze', first, '7d');
  expect(off).toMatchObject({ code: 0, out: has('Put off until ') });
  expect((await open('--waiting')).out).toMatch(new RegExp(`^${second}\\t`));
  const seen = await run({ home, typed: '' }, 'dream', 'insights', '-n', 'shed');
  expect(seen).toMatchObject({ out: has(' % sure  until '), err: has('1 proposal waits for you in shed.') });
  expect(await reverie('dream', 'snooze', first, 'yesterday')).toMatchObject({
    code: 2,
    err: has('a span: 90m'),
  });
  expect(await reverie('dream', 'snooze', first, '2001-01-01')).toMatchObject({
    code: 2,
    err: has('in the future'),
  });
  expect((await reverie('dream', 'snooze', first, 'now')).out).toContain('It waits again: ');
  expect((await open('--waiting')).out.trim().split('\n')).toHaveLength(2);

  const both = await reverie('dream', 'accept', first, 'ins_x', second);
  expect(both).toMatchObject({ code: 1, err: 'Not ins_x: There is no insight "ins_x".\n' });
  expect(both.out.split('\n').filter((line) => line.startsWith('Accepted '))).toHaveLength(2);
  expect((await reverie('dream', 'undo', first, second)).code).toBe(0);
  const rejected = await reverie('dream', 'reject', first, second, '--json');
  expect(JSON.parse(rejected.out)).toMatchObject({ insights: [{ id: first }, { id: second }], refused: [] });
  expect((await run({ home, typed: '' }, 'dream', 'insights', '-n', 'shed')).err).toContain(
    'Nothing waits for you',
  );
  expect((await reverie('complete', 'dream', 'undo', 'ins_')).out).toContain(first);
  expect((await reverie('complete', 'dream', 'snooze', first)).out).toBe('');
});

test('what cannot be meant is refused with what can', async () => {
  const wrong = await reverie('dream', '--strategy', 'levitate');
  expect(wrong).toMatchObject({ code: 2, err: has('forecast') });
  expect(await reverie('dream', 'accept', 'ins_x')).toMatchObject({ code: 1, err: has('ins_x') });
});

test('the commands of dream have options of their own', async () => {
  for (const key of ['five', 'six'])
    await reverie('set', key, 'The ferry to the island leaves at noon from pier 3.', '-n', 'options');
  await reverie('dream', '-n', 'options', '-s', 'refine', '-w');
  expect((await reverie('dream', 'insights', '--status', 'all', '-n', 'options')).out).toContain('refine');
  expect((await reverie('dream', 'insights', '--status', 'all', '-n', 'nowhere')).out).toBe('');
  expect((await reverie('dream', 'insights', '--status', 'all', '-n', 'options', '-s', 'forecast')).out).toBe(
    '',
  );
  expect(JSON.parse((await reverie('dream', 'insights', '-n', 'nowhere', '--json')).out)).toMatchObject({
    insights: [],
  });
  expect((await reverie('dream', 'jobs', '-n', 'nowhere')).out).toBe('');
});
