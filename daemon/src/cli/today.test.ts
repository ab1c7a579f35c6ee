import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { calendarDay } from '@reverie/shared/contract/calendar-day';
import { addFolder } from '@reverie/shared/contract/memories/folders';
import { getMemory, setMemory } from '@reverie/shared/contract/memories/memories';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestDaemon, temporaryFolder, type TestDaemon } from '../testing.ts';
import { type Given, run } from './fake-terminal.ts';

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startTestDaemon();
});
afterAll(() => daemon.stop());

const today = (args: string[], given: Omit<Given, 'home'> = { typed: '' }) =>
  run({ home: daemon.home.folder, ...given }, 'today', ...args);
const key = `${calendarDay(new Date())}.md`;
const text = async (namespace: string) => (await daemon.call(getMemory, { body: { namespace, key } })).value;

test('says what would be made, makes it, and adds to it', async () => {
  const none = await today(['-n', 'days']);
  expect([none.code, none.out]).toEqual([0, '']);
  expect(none.err).toBe(`There is no ${key} in days yet: \`reverie today TEXT -n days\` makes it.\n`);
  expect((await today(['called', 'the', 'plumber', '-n', 'days'])).out).toBe(`Added to ${key} in days.\n`);
  await today(['-n', 'days'], { stdin: 'two lines\nof a pipe\n' });
  await today(['-', '-n', 'days'], { stdin: 'and one\n\n' });
  expect((await today(['-n', 'days'], { stdin: '' })).out).toBe(
    'called the plumber\ntwo lines\nof a pipe\nand one\n',
  );
  expect(JSON.parse((await today(['-n', 'days', '--json'])).out)).toMatchObject({ key, namespace: 'days' });
});

test('keeps what others add at the same time, and the metadata', async () => {
  await daemon.call(setMemory, {
    body: { namespace: 'busy', key, value: 'first', metadata: { tags: ['a'] } },
  });
  const lines = Array.from({ length: 8 }, (_, at) => `line ${at}`);
  await Promise.all(lines.map((line) => today([line, '-n', 'busy'])));
  const [first, ...rest] = (await text('busy')).trimEnd().split('\n');
  expect([first, rest.toSorted()]).toEqual(['first', lines]);
  expect((await daemon.call(getMemory, { body: { namespace: 'busy', key } })).metadata).toEqual({
    tags: ['a'],
  });
});

test('adds a block where the notes of days are outlines', async () => {
  const at = { namespace: 'graph', key: 'journals/2020_01_01.md' };
  await daemon.call(setMemory, {
    body: { ...at, value: '- x', metadata: { imported: { format: 'logseq', path: at.key } } },
  });
  await today(['one', '-n', 'graph']);
  await today(['-n', 'graph'], { stdin: '- two\nlines' });
  const [year, month, day] = key.slice(0, 10).split('-');
  const journal = `journals/${year}_${month}_${day}.md`;
  expect((await daemon.call(getMemory, { body: { namespace: 'graph', key: journal } })).value).toBe(
    '- one\n- two\n  lines\n',
  );
});

test('a new note begins as the template of its vault', async () => {
  const vault = temporaryFolder();
  await mkdir(path.join(vault.folder, '.obsidian'));
  await writeFile(path.join(vault.folder, '.obsidian', 'daily-notes.json'), '{"template":"Day"}');
  await daemon.call(addFolder, { body: { path: vault.folder, namespace: 'vault', format: 'markdown' } });
  await daemon.call(setMemory, {
    body: { namespace: 'vault', key: 'Day.md', value: '# {{title}}\n\n## Log' },
  });
  for (const line of ['one', 'two']) await today([line, '-n', 'vault']);
  expect(await text('vault')).toBe(`# ${key.replace('.md', '')}\n\n## Log\none\ntwo\n`);
  vault.remove();
});
