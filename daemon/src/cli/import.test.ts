import fs from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { verifyDatabase } from '../db/backup/verify.ts';
import { startTestDaemon, temporaryFolder, type TestDaemon } from '../testing.ts';
import { type Ended, type Given, has, run } from './fake-terminal.ts';
import { knownOf, vanishedOf } from '../portable/vanished.ts';

let daemon: TestDaemon;
let home: string;
let temporary: ReturnType<typeof temporaryFolder>;
let notes: string;
let namespace: string;
let number = 0;

beforeAll(async () => {
  daemon = await startTestDaemon();
  home = daemon.home.folder;
});
afterAll(() => daemon.stop());
beforeEach(() => {
  temporary = temporaryFolder();
  notes = path.join(fs.realpathSync(temporary.folder), 'notes');
  fs.mkdirSync(notes);
  namespace = `notes-${(number += 1)}`;
});
afterEach(() => {
  temporary.remove();
  expect(verifyDatabase(daemon.home.database).problems).toEqual([]);
});

const write = (name: string, text: string | Buffer) => {
  fs.mkdirSync(path.dirname(path.join(notes, name)), { recursive: true });
  fs.writeFileSync(path.join(notes, name), text);
};
const gone = (...names: string[]) => {
  for (const name of names) fs.rmSync(path.join(notes, name));
};
const reverie = (...args: string[]): Promise<Ended> => run({ home }, ...args);
const at = (given: Omit<Given, 'home'>, ...args: string[]): Promise<Ended> =>
  run({ home, ...given }, ...args);
const bring = (...more: string[]) => reverie('import', notes, '-n', namespace, ...more);

interface Named {
  key: string;
}
type Told = Record<'created' | 'updated' | 'unchanged' | 'restored', number> &
  Record<'kept' | 'deleted_here' | 'pruned' | 'kept_though_gone', Named[] | undefined> & { ended: string };
/** What an import says for programs, in short. */
const told = async (...more: string[]) => {
  const ended = await bring('--json', ...more);
  expect(ended).toMatchObject({ code: 0 });
  const said = JSON.parse(ended.out) as Told;
  const keys = (list: Named[] | undefined) => list?.map(({ key }) => key);
  return {
    created: said.created,
    updated: said.updated,
    unchanged: said.unchanged,
    restored: said.restored,
    kept: keys(said.kept),
    deleted: keys(said.deleted_here),
    ...(said.pruned && { pruned: keys(said.pruned), keptThoughGone: keys(said.kept_though_gone) }),
  };
};
const none = { created: 0, updated: 0, unchanged: 0, restored: 0, kept: [], deleted: [] };
const keys = async () => {
  const { memories } = JSON.parse((await reverie('list', '-n', namespace, '--json')).out) as {
    memories: Named[];
  };
  return memories.map(({ key }) => key).sort();
};
const inTrash = async () => {
  const { memories } = JSON.parse((await reverie('trash', '-n', namespace, '--json')).out) as {
    memories: Named[];
  };
  return memories.map(({ key }) => key).sort();
};

test('notes whose frontmatter could not be read are named: the first few, with --verbose all with the reason', async () => {
  for (let n = 1; n <= 7; n += 1) write(`letter ${n}.md`, `---\ntitle: *${n}*\n---\nDear Ada`);
  write('fine.md', '---\ntitle: Fine\n---\nText');
  const { out } = await bring();
  expect(out).toContain(
    '7 notes whose frontmatter could not be read, taken with their whole text: letter 1.md, letter 2.md, letter 3.md, letter 4.md, letter 5.md and 2 more. --verbose says why.',
  );
  expect((await bring('--verbose')).out).toMatch(/letter 7\.md: the frontmatter cannot be read: .*alias/iu);
  const { frontmatter_unread } = JSON.parse((await bring('--json')).out) as { frontmatter_unread: unknown[] };
  expect(frontmatter_unread).toHaveLength(7);
  expect(frontmatter_unread).toContainEqual({ path: 'letter 1.md', detail: has('alias') });
});

test('--prune takes a file that is a folder, a link or a pipe now for gone', async () => {
  for (const name of ['folder.md', 'link.md', 'stays.md']) write(name, name);
  await bring();
  gone('folder.md', 'link.md');
  write('folder.md/inner.md', 'inner');
  fs.symlinkSync(path.join(notes, 'stays.md'), path.join(notes, 'link.md'));
  expect((await told('--prune')).pruned?.sort()).toEqual(['folder.md', 'link.md']);
  expect(await keys()).toEqual(['folder.md/inner.md', 'stays.md']);
});

describe('what was deleted here', () => {
  test('stays so, is named, and comes back with --restore', async () => {
    for (const name of ['a.md', 'b.md', 'c.md']) write(name, `text of ${name}`);
    expect(await told()).toEqual({ ...none, created: 3 });
    await reverie('delete', 'a.md', '-n', namespace);
    await reverie('delete', 'b.md', '-n', namespace, '--for-good');
    expect(await keys()).toEqual(['c.md']);
    expect(await told()).toEqual({ ...none, unchanged: 1, deleted: ['a.md', 'b.md'] });
    const said = await bring();
    expect(said.out).toMatch(/^deleted here\t2$/m);
    expect(said.out).toContain(
      `Left out, since they were deleted here:\n  ${namespace} a.md (markdown:${notes}/a.md)\n  ${namespace} b.md`,
    );
    expect(said.out).toContain('`--restore` brings them back');
    expect(await told('--restore', '--dry-run')).toEqual({ ...none, unchanged: 1, restored: 2 });
    expect(await keys()).toEqual(['c.md']);
    expect((await bring('--restore')).out).toMatch(/^brought back\t2$/m);
    expect([await keys(), await inTrash()]).toEqual([['a.md', 'b.md', 'c.md'], []]);
    expect((await reverie('get', 'b.md', '-n', namespace)).out).toBe('text of b.md');
    const unchanged = await bring();
    expect(unchanged.out).not.toContain('deleted here');
    expect(unchanged.out).not.toContain('trash');
  });
});

describe('--prune', () => {
  test('moves to the trash what came from there and is gone, keeps what was edited here, and says both', async () => {
    for (const name of ['a.md', 'sub/b.md', 'c.md', 'd.md', 'e.md']) write(name, `text of ${name}`);
    await reverie('set', 'mine', 'not imported', '-n', namespace);
    await told();
    await reverie('set', 'c.md', 'edited here', '-n', namespace);
    await reverie('rename', 'd.md', 'renamed.md', '-n', namespace);
    gone('a.md', 'sub/b.md', 'c.md', 'd.md');
    expect(await told()).toEqual({ ...none, unchanged: 1 });
    const plan = {
      ...none,
      unchanged: 1,
      pruned: ['a.md', 'sub/b.md'],
      keptThoughGone: ['c.md', 'renamed.md'],
    };
    expect(await told('--prune', '--dry-run')).toEqual(plan);
    expect((await keys()).length).toBe(6);
    const said = await bring('--prune');
    expect(said.out).toMatch(/^kept\t2$/m);
    expect(said.out).toMatch(/^moved to the trash\t2$/m);
    expect(said.out).toContain(`Moved to the trash, since their source is gone:\n  ${namespace} a.md`);
    expect(said.out).toContain(
      `Kept though their source is gone, since they were edited here:\n  ${namespace} c.md`,
    );
    expect(said.out).toContain('deleted for good after 30 days; until then `reverie undelete KEY`');
    expect(await keys()).toEqual(['c.md', 'e.md', 'mine', 'renamed.md']);
    expect(await inTrash()).toEqual(['a.md', 'sub/b.md']);
    // Its file is there again: so is it.
    write('a.md', 'text of a.md');
    expect(await told('--prune')).toEqual({
      ...none,
      unchanged: 1,
      restored: 1,
      pruned: [],
      keptThoughGone: ['c.md', 'renamed.md'],
    });
    expect(await inTrash()).toEqual(['sub/b.md']);
  });

  test('a folder in which nothing is left asks first, and refuses where nobody is there', async () => {
    for (const name of ['a.md', 'b.md']) write(name, `text of ${name}`);
    await told();
    fs.renameSync(notes, `${notes} elsewhere`);
    expect(await bring('--prune')).toMatchObject({ code: 1, err: has('there is no such file or folder') });
    fs.mkdirSync(notes);
    const format = ['-f', 'markdown'];
    expect(await bring('--prune', ...format)).toMatchObject({
      code: 2,
      err: has(
        `Nothing that came from ${notes} is there any more: this moves 2 memories to the trash, where they are deleted for good after 30 days. Is its disk there?`,
      ),
    });
    const asked = await at({ typed: 'no\n' }, 'import', notes, '-n', namespace, '--prune', ...format);
    expect(asked).toMatchObject({ code: 1, err: has('Nothing was pruned.') });
    expect(await keys()).toEqual(['a.md', 'b.md']);
    expect(await told('--prune', '--dry-run', ...format)).toMatchObject({ pruned: ['a.md', 'b.md'] });
    expect(await keys()).toEqual(['a.md', 'b.md']);
    expect(
      await at({ typed: 'prune\n' }, 'import', notes, '-n', namespace, '--prune', ...format),
    ).toMatchObject({
      code: 0,
    });
    expect(await inTrash()).toEqual(['a.md', 'b.md']);
  });

  test('a file that is there but cannot be taken is not gone, nor is one that this import does not look at', async () => {
    write('a.md', 'a');
    write('b.md', 'b');
    write('README', 'read me');
    write('sub/c.md', 'c');
    await told('--all-text');
    await reverie('import', path.join(notes, 'sub'), '-n', namespace);
    write('a.md', Buffer.from([0xff, 0xfe, 0x41]));
    write('b.md', ' ');
    expect(await told('--prune')).toEqual({ ...none, unchanged: 1, pruned: [], keptThoughGone: [] });
    expect(await keys()).toEqual(['README', 'a.md', 'b.md', 'c.md', 'sub/c.md']);
    // The file is gone, and with it all that was made of it.
    gone('sub/c.md');
    expect(await told('--prune')).toMatchObject({ pruned: ['c.md', 'sub/c.md'] });
  });

  test('parts go with the file that they are of, and when it has fewer', async () => {
    const paragraphs = (many: number) => 'A paragraph of some words.\n\n'.repeat(many);
    write('long.md', paragraphs(80_000));
    write('other.md', 'other');
    await told();
    expect(await keys()).toEqual(['long.md#1', 'long.md#2', 'long.md#3', 'other.md']);
    write('long.md', paragraphs(50_000));
    expect(await told('--prune')).toMatchObject({ updated: 2, pruned: ['long.md#3'] });
    write('long.md', 'short now');
    expect(await told('--prune')).toMatchObject({ created: 1, pruned: ['long.md#1', 'long.md#2'] });
    write('long.md', paragraphs(50_000));
    expect(await told('--prune')).toMatchObject({ restored: 2, pruned: ['long.md'] });
    gone('long.md');
    expect(await told('--prune')).toMatchObject({ pruned: ['long.md#1', 'long.md#2'] });
    expect(await keys()).toEqual(['other.md']);
  });

  test('another folder, and one whose name begins alike, are left alone', async () => {
    write('a.md', 'a');
    await told();
    for (const other of [`${notes}2`, path.join(temporary.folder, 'else')]) {
      fs.mkdirSync(other);
      fs.writeFileSync(path.join(other, 'other.md'), 'other');
      expect((await reverie('import', other, '-n', `${namespace}-other`, '--prune')).code).toBe(0);
    }
    expect(await told('--prune')).toEqual({ ...none, unchanged: 1, pruned: [], keptThoughGone: [] });
    expect(await keys()).toEqual(['a.md']);
  });

  test('records go when their file does not have them any more, and stay while some of it cannot be read', async () => {
    const file = path.join(notes, 'export.jsonl');
    const other = path.join(notes, 'other.jsonl');
    const lines = (names: string[]) =>
      names.map((id) => JSON.stringify({ id, text: `text ${id}` })).join('\n');
    fs.writeFileSync(file, lines(['a', 'b', 'c']));
    fs.writeFileSync(other, lines(['z']));
    const run = async (...more: string[]) =>
      JSON.parse((await reverie('import', file, '-n', namespace, '--json', ...more)).out) as Told;
    await run();
    await reverie('import', other, '-n', namespace);
    fs.writeFileSync(file, `${lines(['a', 'b'])}\n{"id": "c"`);
    const unsure = await reverie('import', file, '-n', namespace, '--prune');
    expect(unsure.err).toContain('Nothing of export.jsonl was pruned');
    expect((await keys()).length).toBe(4);
    fs.writeFileSync(file, lines(['a']));
    expect((await run('--prune')).pruned).toMatchObject([{ key: 'export/b' }, { key: 'export/c' }]);
    expect(await keys()).toEqual(['export/a', 'other/z']);
  });

  test('what another import brings while this one reads is not taken for gone', async () => {
    for (const one of ['a.md', 'b.md']) write(one, `text of ${one}`);
    await told();
    const place = { kind: 'files', root: `markdown:${notes}`, folder: notes } as const;
    const known = await knownOf(daemon.call, [place]);
    write('late.md', 'brought meanwhile');
    await told();
    // This one saw a.md alone; of the others b.md is gone, and late.md, too, by now.
    gone('b.md', 'late.md');
    const seen = { sources: new Set([`markdown:${notes}/a.md`]), skipped: [] };
    expect(await vanishedOf(known, seen)).toEqual({ vanished: [`markdown:${notes}/b.md`], unsure: [] });
  });

  test('formats whose ids name no file are refused before anything is read', async () => {
    write('mem0.json', JSON.stringify({ results: [{ id: 'x', memory: 'likes tea' }] }));
    const file = path.join(notes, 'mem0.json');
    const refused = await reverie('import', file, '-f', 'mem0', '-n', namespace, '--prune');
    expect(refused).toMatchObject({ code: 2, out: '', err: has('--prune cannot be used with mem0') });
    expect(await keys()).toEqual([]);
  });

  test('each project of Claude Code is a place of its own', async () => {
    const projects = path.join(notes, 'projects');
    for (const [project, ...names] of [
      ['one', 'a.md', 'b.md'],
      ['two', 'c.md'],
    ]) {
      fs.mkdirSync(path.join(projects, `-${project}`, 'memory'), { recursive: true });
      for (const name of names)
        fs.writeFileSync(path.join(projects, `-${project}`, 'memory', name), `text of ${name}`);
    }
    const run = async () =>
      JSON.parse(
        (await reverie('import', projects, '-f', 'claude-code', '-n', namespace, '--prune', '--json')).out,
      ) as Told;
    expect(await run()).toMatchObject({ created: 3, pruned: [] });
    fs.rmSync(path.join(projects, '-one', 'memory', 'b.md'));
    fs.rmSync(path.join(projects, '-two'), { recursive: true });
    expect(await run()).toMatchObject({ unchanged: 1, pruned: [{ key: '-one/b.md' }] });
  });

  test('--help says what is permanent and what is not', async () => {
    const { out } = await reverie('import', '--help');
    const text = out.replaceAll(/\s+/gu, ' ');
    expect(text).toContain('what you deleted here stays deleted');
    expect(text).toContain('--prune move to the trash what came from here before and is gone now');
    expect(text).toContain('--restore bring back what was deleted here');
  });
});

test('pictures that notes name are stored with them, and what was left out is named', async () => {
  const picture = Buffer.from('89504e470d0a1a0a', 'hex');
  write('a.md', '![[pic.png]] ![[text.png]]');
  write('pic.png', picture);
  write('text.png', 'no picture');
  write('nobody.png', picture);
  expect((await bring('--dry-run')).out).not.toContain('picture');
  const ended = await bring();
  expect(ended).toMatchObject({ code: 0 });
  expect(ended.out).toContain('1 picture or PDF stored.');
  expect(ended.out).toContain('nobody.png (not_named): no note names it');
  expect(ended.out).toMatch(/text\.png \(other_type\): is no PNG/u);
  expect(JSON.parse((await bring('--json')).out)).toMatchObject({
    attachments: { stored: 0, unchanged: 1, left_total: 2 },
  });
});
