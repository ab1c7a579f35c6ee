import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  addFolder,
  type Folder,
  listFolders,
  pruneFolder,
  removeFolder,
} from '@reverie/shared/contract/memories/folders';
import * as history from '@reverie/shared/contract/memories/history';
import { memoryLinks } from '@reverie/shared/contract/memories/links';
import * as contract from '@reverie/shared/contract/memories/memories';
import * as naming from '@reverie/shared/contract/memories/naming';
import * as trash from '@reverie/shared/contract/memories/trash';
import type { Sent } from '@reverie/shared/contract/route';
import { seconds } from '@reverie/shared/testing/patience';
import { startTestDaemon, temporaryFolder, type TestDaemon } from '../../testing.ts';

let daemon: TestDaemon;
let temporary: { folder: string; remove: () => void };
let root = '';
beforeEach(async () => {
  daemon = await startTestDaemon();
  temporary = temporaryFolder();
  root = path.join(fs.realpathSync(temporary.folder), 'notes');
  fs.mkdirSync(root);
});
afterEach(async () => {
  await daemon.stop();
  temporary.remove();
});

const namespace = 'notes';
const at = (name: string) => path.join(root, name);
function write(name: string, text: string): void {
  fs.mkdirSync(path.dirname(at(name)), { recursive: true });
  fs.writeFileSync(at(name), text);
}
const add = (more: Partial<Sent<typeof addFolder>['body']> = {}) =>
  daemon.call(addFolder, { body: { path: root, namespace, format: 'markdown', ...more } });
const folder = async (): Promise<Folder> => {
  const [found] = (await daemon.call(listFolders, {})).folders;
  if (!found) throw new Error('no folder is followed');
  return found;
};
async function stored(): Promise<Record<string, string>> {
  const { memories } = await daemon.call(contract.listMemories, { body: { namespace, limit: 1000 } });
  return Object.fromEntries(memories.map(({ key, value = '' }) => [key, value]));
}
/** Waits until something holds; the time limit is for what never does. */
const until = (holds: () => Promise<void> | void) => vi.waitFor(holds, { timeout: seconds(8), interval: 25 });
const untilStored = (expected: Record<string, string>) =>
  until(async () => expect(await stored()).toEqual(expected));
const set = (key: string, value: string) =>
  daemon.call(contract.setMemory, { body: { key, value, namespace } });
const tagsOf = async (key: string) =>
  (await daemon.call(contract.getMemory, { body: { key, namespace } })).metadata['tags'];
const tag = (key: string, { add = [], remove = [] }: { add?: string[]; remove?: string[] }) =>
  daemon.call(naming.tagMemories, { body: { items: [{ key, namespace }], add, remove } });
const trashOf = async () =>
  (await daemon.call(trash.listTrash, { query: { namespace } })).memories.map(({ key }) => key);
const isWatching = () => until(async () => expect((await folder()).state).toEqual({ kind: 'watching' }));

describe('a followed folder', () => {
  test('what lies there is stored, and what is written, renamed and removed follows', async () => {
    write('a.md', '# A\none');
    write('deep/b.txt', 'two');
    write('data.bin', 'no note');
    expect(await add()).toMatchObject({ path: root, namespace, format: 'markdown', prune: true, sync: 'in' });
    await untilStored({ 'a.md': '# A\none', 'deep/b.txt': 'two' });
    await isWatching();

    write('a.md', '# A\nchanged');
    write('c.md', 'three');
    await untilStored({ 'a.md': '# A\nchanged', 'deep/b.txt': 'two', 'c.md': 'three' });

    fs.renameSync(at('a.md'), at('renamed.md'));
    await untilStored({ 'renamed.md': '# A\nchanged', 'deep/b.txt': 'two', 'c.md': 'three' });
    const { versions } = await daemon.call(history.memoryHistory, {
      query: { key: 'renamed.md', namespace },
    });
    expect(versions.map(({ value }) => value)).toContain('# A\none');

    fs.renameSync(at('deep'), at('moved'));
    await untilStored({ 'renamed.md': '# A\nchanged', 'moved/b.txt': 'two', 'c.md': 'three' });
    expect(await trashOf()).toEqual([]);

    fs.rmSync(at('c.md'));
    await untilStored({ 'renamed.md': '# A\nchanged', 'moved/b.txt': 'two' });
    expect(await trashOf()).toEqual(['c.md']);
    write('c.md', 'three');
    await untilStored({ 'renamed.md': '# A\nchanged', 'moved/b.txt': 'two', 'c.md': 'three' });
    expect(await trashOf()).toEqual([]);
    expect(await folder()).toMatchObject({ memories: 3, issues: [], issues_total: 0 });
  });

  test('what happened while nothing ran is caught up with, though size and time are the same', async () => {
    write('same.md', 'before');
    write('gone.md', 'gone');
    write('old.md', 'to be renamed');
    await add();
    await untilStored({ 'same.md': 'before', 'gone.md': 'gone', 'old.md': 'to be renamed' });
    await isWatching();
    const { atime, mtime } = fs.statSync(at('same.md'));
    const stop = daemon.restart;
    write('same.md', 'AFTERW');
    fs.utimesSync(at('same.md'), atime, mtime);
    fs.rmSync(at('gone.md'));
    fs.renameSync(at('old.md'), at('new.md'));
    await stop();
    await untilStored({ 'same.md': 'AFTERW', 'new.md': 'to be renamed' });
    expect(await trashOf()).toEqual(['gone.md']);
  });

  test('a memory that was edited here is kept and named, whether its file changes or goes', async () => {
    write('a.md', 'one');
    write('b.md', 'two');
    await add();
    await untilStored({ 'a.md': 'one', 'b.md': 'two' });
    await set('a.md', 'edited here');
    await set('b.md', 'edited here, too');
    write('a.md', 'edited there');
    fs.rmSync(at('b.md'));
    await until(async () =>
      expect((await folder()).issues).toMatchObject([
        { path: 'a.md', reason: 'kept' },
        { path: 'b.md', reason: 'kept' },
      ]),
    );
    expect(await stored()).toEqual({ 'a.md': 'edited here', 'b.md': 'edited here, too' });
    expect(fs.readFileSync(at('a.md'), 'utf8')).toBe('edited there');
    write('a.md', 'edited here');
    await until(async () => expect((await folder()).issues).toMatchObject([{ path: 'b.md' }]));
    write('a.md', 'on we go');
    await untilStored({ 'a.md': 'on we go', 'b.md': 'edited here, too' });
  });

  test('what was deleted here is not taken again until it is gone and comes back', async () => {
    write('a.md', 'one');
    await add();
    await untilStored({ 'a.md': 'one' });
    await daemon.call(contract.deleteMemory, { body: { key: 'a.md', namespace } });
    await until(async () =>
      expect((await folder()).issues).toMatchObject([{ path: 'a.md', reason: 'deleted_here' }]),
    );
    write('a.md', 'two');
    write('other.md', 'x');
    await untilStored({ 'other.md': 'x' });
    await daemon.restart();
    await isWatching();
    expect(await stored()).toEqual({ 'other.md': 'x' });
    expect((await folder()).issues).toMatchObject([{ path: 'a.md', reason: 'deleted_here' }]);
    fs.rmSync(at('a.md'));
    await until(async () => expect((await folder()).memories).toBe(1));
    write('a.md', 'three');
    await untilStored({ 'a.md': 'three', 'other.md': 'x' });
  });

  test('a folder that goes away or is suddenly empty pauses, and nothing is removed', async () => {
    write('a.md', 'one');
    write('.reverieignore', 'x');
    await add();
    await untilStored({ 'a.md': 'one' });
    fs.renameSync(root, `${root}-away`);
    await until(async () => expect((await folder()).state).toMatchObject({ kind: 'paused' }));
    fs.mkdirSync(root);
    await until(async () =>
      expect((await folder()).state).toMatchObject({
        kind: 'paused',
        reason: expect.stringContaining('is empty') as string,
      }),
    );
    expect(await stored()).toEqual({ 'a.md': 'one' });
    fs.rmdirSync(root);
    fs.renameSync(`${root}-away`, root);
    write('b.md', 'two');
    await untilStored({ 'a.md': 'one', 'b.md': 'two' });
    fs.rmSync(at('a.md'));
    await untilStored({ 'b.md': 'two' });
  });

  const names = Array.from({ length: 8 }, (_, at) => `note ${at}.md`);
  const texts = Object.fromEntries(names.map((name) => [name, `text of ${name}`]));
  const writeAll = () => names.forEach((name) => write(name, `text of ${name}`));

  test('where most files are gone at once while the folder stands, their memories stay until somebody says so', async () => {
    writeAll();
    write('.obsidian/app.json', '{}');
    const { id } = await add();
    await untilStored(texts);
    await isWatching();
    await expect(daemon.call(pruneFolder, { params: { id } })).rejects.toMatchObject({ code: 'conflict' });
    names.forEach((name) => fs.rmSync(at(name)));
    const isHolding = (gone: number) =>
      until(async () => expect((await folder()).state).toMatchObject({ kind: 'holding', gone }));
    await isHolding(8);
    // Also after a restart, which knows of no files but those that it had.
    await daemon.restart();
    await isHolding(8);
    expect((await folder()).state).toMatchObject({ files: names.slice(0, 3) });
    expect(await stored()).toEqual(texts);
    expect(await trashOf()).toEqual([]);
    // A look at a part of it, as for a file that is new, lets go of nothing.
    write('deep/new.md', 'new');
    await untilStored({ ...texts, 'deep/new.md': 'new' });
    expect((await folder()).state).toMatchObject({ kind: 'holding', gone: 8 });

    // What is there is taken meanwhile, and what is there again is followed as before.
    names.slice(2).forEach((name) => write(name, `text of ${name}`));
    write(names[2] ?? '', 'edited');
    await isHolding(2);
    await untilStored({ ...texts, 'note 2.md': 'edited', 'deep/new.md': 'new' });
    await daemon.call(pruneFolder, { params: { id } });
    await until(async () => expect(await trashOf()).toHaveLength(2));
    await isWatching();
    fs.rmSync(at('note 3.md'));
    await until(async () =>
      expect((await trashOf()).sort()).toEqual(['note 0.md', 'note 1.md', 'note 3.md']),
    );
  });

  test('a folder that is emptied on purpose is so once that is said', async () => {
    writeAll();
    const { id } = await add({ sync: 'both' });
    await untilStored(texts);
    await isWatching();
    fs.renameSync(root, `${root}-away`);
    fs.mkdirSync(root);
    await until(async () =>
      expect((await folder()).state).toMatchObject({
        kind: 'paused',
        reason: expect.stringContaining('reverie folders prune') as string,
      }),
    );
    await daemon.call(pruneFolder, { params: { id } });
    await until(async () => expect(await trashOf()).toHaveLength(8));
    expect(fs.readdirSync(root)).toEqual([]);
  });

  test('what moves, all of it, is no loss', async () => {
    writeAll();
    await add();
    await untilStored(texts);
    await isWatching();
    fs.mkdirSync(at('inner'));
    names.forEach((name) => fs.renameSync(at(name), at(`inner/${name}`)));
    await untilStored(Object.fromEntries(names.map((name) => [`inner/${name}`, `text of ${name}`])));
    expect(await trashOf()).toEqual([]);
    await isWatching();
  });

  test('a file that is something else now goes as a deleted one does', async () => {
    const there = [
      'folder.md',
      'link.md',
      'pipe.md',
      'deep.md/a.md',
      'stays.md',
      'more.md',
      'other.md',
      'last.md',
    ];
    there.forEach((name) => write(name, name));
    await add();
    await untilStored(Object.fromEntries(there.map((name) => [name, name])));
    await isWatching();
    fs.rmSync(at('folder.md'));
    write('folder.md/inner.md', 'in a folder');
    await until(async () => expect(await trashOf()).toEqual(['folder.md']));
    fs.rmSync(at('link.md'));
    fs.symlinkSync(at('stays.md'), at('link.md'));
    await until(async () => expect((await trashOf()).sort()).toEqual(['folder.md', 'link.md']));
    expect((await folder()).issues).toMatchObject([{ path: 'link.md', reason: 'link' }]);
    fs.rmSync(at('pipe.md'));
    if (process.platform !== 'win32') execFileSync('mkfifo', [at('pipe.md')]);
    fs.rmSync(at('deep.md'), { recursive: true });
    write('deep.md', 'a file');
    await untilStored({
      'folder.md/inner.md': 'in a folder',
      'deep.md': 'a file',
      'stays.md': 'stays.md',
      'more.md': 'more.md',
      'other.md': 'other.md',
      'last.md': 'last.md',
    });
  });

  test.runIf(process.platform === 'linux')(
    'two names of one form are two notes, as long as both are there',
    async () => {
      write('caf\u00e9.md', 'composed');
      write('cafe\u0301.md', 'decomposed');
      await add();
      await until(async () =>
        expect(Object.values(await stored()).sort()).toEqual(['composed', 'decomposed']),
      );
      await isWatching();
      write('cafe\u0301.md', 'edited');
      await until(async () => expect(Object.values(await stored()).sort()).toEqual(['composed', 'edited']));
      expect(await stored()).toMatchObject({ 'caf\u00e9.md': 'composed' });
      fs.rmSync(at('caf\u00e9.md'));
      await untilStored({ 'caf\u00e9.md': 'edited' });
    },
  );

  test('frontmatter that cannot be read is named until it can, also after a restart', async () => {
    write('a.md', '---\ntitle: *Italic*\ntags: [ok]\n---\nBody');
    await add();
    const isNamed = () =>
      until(async () =>
        expect((await folder()).issues).toMatchObject([{ path: 'a.md', reason: 'frontmatter' }]),
      );
    await isNamed();
    await daemon.restart();
    await isNamed();
    write('a.md', '---\ntitle: Italic\ntags: [ok]\n---\nBody');
    await until(async () => expect((await folder()).issues).toEqual([]));
  });

  test('a tag is no edit: where the folder is only read the text follows its file, and the tag stays', async () => {
    write('chai.md', '---\ntags: [drinks]\n---\nfour days');
    await add();
    await until(async () => expect(await tagsOf('chai.md')).toEqual(['drinks']));
    await isWatching();
    await tag('chai.md', { add: ['favourite'] });
    for (const days of ['five', 'six']) {
      const text = `---\ntags: [drinks, home]\n---\n${days} days`;
      write('chai.md', text);
      await untilStored({ 'chai.md': text });
      expect(await tagsOf('chai.md')).toEqual(['drinks', 'home', 'favourite']);
    }
    await tag('chai.md', { remove: ['HOME'] });
    write('chai.md', '---\ntags: [drinks, Home]\n---\nseven days');
    await untilStored({ 'chai.md': '---\ntags: [drinks, Home]\n---\nseven days' });
    expect(await tagsOf('chai.md')).toEqual(['drinks', 'favourite']);
    expect((await folder()).issues).toEqual([]);
  });

  test('where the folder goes both ways, a tag is written into the front matter, and taken out of it', async () => {
    const says = (name: string, text: string) =>
      until(async () => {
        expect(fs.readFileSync(at(name), 'utf8')).toBe(text);
        expect(await stored()).toMatchObject({ [name]: text });
      });
    write('chai.md', '---\r\nx:  1 # odd\r\ntags:\r\n  - drinks\r\n---\r\nfour days');
    write('plain.md', 'no tags');
    await add({ sync: 'both' });
    await until(async () => expect(await tagsOf('chai.md')).toEqual(['drinks']));
    await isWatching();

    await tag('chai.md', { add: ['favourite'] });
    await says('chai.md', '---\r\nx:  1 # odd\r\ntags:\r\n  - drinks\r\n  - favourite\r\n---\r\nfour days');
    await tag('plain.md', { add: ['new'] });
    await says('plain.md', '---\ntags: [new]\n---\nno tags');

    write('chai.md', '---\ntags: [drinks, favourite, home]\n---\nfive days');
    await until(async () => expect(await tagsOf('chai.md')).toEqual(['drinks', 'favourite', 'home']));
    await tag('chai.md', { remove: ['drinks'], add: ['mine'] });
    await says('chai.md', '---\ntags: [favourite, home, mine]\n---\nfive days');
    // What was written is what is read: taken off in the file, a tag is off.
    write('chai.md', '---\ntags: [home]\n---\nsix days');
    await until(async () => expect(await tagsOf('chai.md')).toEqual(['home']));
    expect((await folder()).issues).toEqual([]);
  });

  test('a tag that no front matter takes stays beside the text', async () => {
    const text = '---\ntags: [a\n---\nT';
    write('a.md', text);
    await add({ sync: 'both' });
    await untilStored({ 'a.md': text });
    await isWatching();
    await tag('a.md', { add: ['mine'] });
    await set('b.md', 'written after it');
    await until(() => expect(fs.existsSync(at('b.md'))).toBe(true));
    expect(fs.readFileSync(at('a.md'), 'utf8')).toBe(text);
    expect(await tagsOf('a.md')).toContain('mine');
  });

  test('what is ignored, linked, too large, binary or unreadable is not taken, and named', async () => {
    const outside = path.join(temporary.folder, 'secret.md');
    fs.writeFileSync(outside, 'secret');
    fs.symlinkSync(outside, at('link.md'));
    fs.symlinkSync(temporary.folder, at('linked'));
    write('.gitignore', '*.txt\nbuild/\n!keep.txt');
    write('inner/.reverieignore', 'draft-*');
    write('node_modules/x.md', 'no');
    for (const name of ['a.txt', 'keep.txt', 'build/b.md', 'inner/draft-1.md', 'inner/c.md', 'inner/d.txt'])
      write(name, name);
    write('large.md', 'x'.repeat(1024 * 1024 + 1));
    fs.writeFileSync(at('binary.md'), Buffer.from([1, 0, 2]));
    fs.writeFileSync(at('latin.md'), Buffer.from([0xe4, 0x20]));
    write('empty.md', '');
    if (process.platform === 'linux')
      fs.writeFileSync(Buffer.from([...Buffer.from(at('name-')), 0xff, ...Buffer.from('.md')]), 'x');
    await add();
    await untilStored({ 'keep.txt': 'keep.txt', 'inner/c.md': 'inner/c.md' });
    await until(async () =>
      expect(
        Object.fromEntries((await folder()).issues.map(({ path: name, reason }) => [name, reason])),
      ).toEqual({
        'link.md': 'link',
        'large.md': 'too_large',
        'binary.md': 'binary',
        'latin.md': 'not_utf8',
        'empty.md': 'empty',
        ...(process.platform === 'linux' && { 'name-\ufffd.md': 'unreadable' }),
      }),
    );
    write('.gitignore', 'inner');
    await untilStored({ 'a.txt': 'a.txt', 'build/b.md': 'build/b.md', 'keep.txt': 'keep.txt' });
    write('empty.md', 'not any more');
    fs.rmSync(at('link.md'));
    await until(async () =>
      expect((await folder()).issues.map(({ path: name }) => name).sort()).toEqual([
        ...['binary.md', 'large.md', 'latin.md'],
        ...(process.platform === 'linux' ? ['name-\ufffd.md'] : []),
      ]),
    );
  });

  test('without pruning, the memory of a file that is gone stays', async () => {
    write('a.md', 'one');
    await add({ prune: false });
    await untilStored({ 'a.md': 'one' });
    await isWatching();
    fs.renameSync(at('a.md'), at('b.md'));
    await untilStored({ 'b.md': 'one' });
    fs.rmSync(at('b.md'));
    write('c.md', 'two');
    await untilStored({ 'b.md': 'one', 'c.md': 'two' });
  });

  test('records of JSON Lines follow, and nothing goes while a line cannot be read', async () => {
    const lines = (...values: string[]) =>
      write(
        'all.jsonl',
        values.map((value) => (value === '{' ? value : `{"id":"${value[0]}","text":"${value}"}`)).join('\n'),
      );
    const values = async () => Object.values(await stored()).sort();
    lines('apple', 'bread');
    await add({ format: 'jsonl' });
    await until(async () => expect(await values()).toEqual(['apple', 'bread']));
    lines('apple pie', '{');
    await until(async () => expect(await values()).toEqual(['apple pie', 'bread']));
    expect((await folder()).issues).toMatchObject([{ reason: 'malformed' }]);
    lines('apple pie');
    await until(async () => expect(await values()).toEqual(['apple pie']));
  });

  test('stops following, keeps everything, and may be added again', async () => {
    write('a.md', 'one');
    const { id } = await add();
    await untilStored({ 'a.md': 'one' });
    expect(await daemon.call(removeFolder, { params: { id } })).toEqual({ success: true, id });
    await expect(daemon.call(removeFolder, { params: { id } })).rejects.toMatchObject({
      code: 'folder_not_found',
    });
    write('a.md', 'two');
    expect(await stored()).toEqual({ 'a.md': 'one' });
    await add();
    await untilStored({ 'a.md': 'two' });
  });

  test('only folders that may be followed are, and only by the owner of this machine', async () => {
    const refused = async (given: string, more: object = {}) =>
      (await daemon.ask({ path: '/v1/folders', body: { path: given, namespace, ...more } })).json;
    write('file.md', 'x');
    // A folder that is there, so that it is refused for where it lies.
    const within = path.join(daemon.home.folder, 'outbox');
    fs.mkdirSync(within);
    for (const given of [
      'notes',
      '/',
      at('file.md'),
      at('missing'),
      daemon.home.folder,
      path.dirname(daemon.home.folder),
      within,
      ...['/proc', '/proc/self/fd', '/sys/kernel', '/dev'].filter((given) => fs.existsSync(given)),
    ]) {
      const { code, errors } = await refused(given);
      expect({ given, code, at: errors?.map(({ path: name }) => name) }).toEqual({
        given,
        code: 'invalid_request',
        at: ['path'],
      });
    }
    expect(await refused(`${root}\0`)).toMatchObject({ code: 'invalid_request' });
    expect(await refused(root, { sync: 'both', format: 'csv' })).toMatchObject({ code: 'invalid_request' });
    fs.mkdirSync(at('inner'));
    await add();
    expect(await refused(root)).toMatchObject({ code: 'conflict' });
    expect(await refused(at('inner'))).toMatchObject({ code: 'conflict' });
    const beside = path.join(temporary.folder, 'beside');
    fs.mkdirSync(beside);
    expect(await refused(beside, { sync: 'both' })).toMatchObject({ code: 'conflict' });
    const agent = await daemon.ask({ path: '/v1/folders', key: daemon.apiKey });
    const other = await daemon.ask({ path: '/v1/folders', key: daemon.addAccount('owner').key });
    expect([agent.status, other.status]).toEqual([403, 403]);
  });
});

describe('files that agents read', () => {
  const files = {
    'AGENTS.md': '# Use pnpm',
    'CLAUDE.md': '@AGENTS.md',
    'packages/api/AGENTS.md': '# Postgres 16',
    '.cursor/rules/tests.mdc':
      '---\ndescription: Tests\nglobs: *.test.ts\nalwaysApply: false\n---\nNo timers.',
    '.claude/rules/style.md': 'Short names.',
    '.cursorrules': 'Old rules.',
  };
  const agentFiles = (more: Partial<Sent<typeof addFolder>['body']> = {}) =>
    add({ format: 'agent-files', ...more });

  test('are taken, wherever they stand, and nothing else of the project is', async () => {
    for (const [name, text] of Object.entries(files)) write(name, text);
    write('README.md', 'for people');
    write('.cursor/mcp.json', '{}');
    write('node_modules/x/AGENTS.md', 'of somebody else');
    write('.gitignore', 'generated/\n');
    write('generated/CLAUDE.md', 'made anew each time');
    expect(await agentFiles()).toMatchObject({ format: 'agent-files', sync: 'in' });
    await untilStored(files);
    await isWatching();
    write('AGENTS.md', '# Use npm');
    write('CHANGELOG.md', 'for people, too');
    fs.rmSync(at('.cursorrules'));
    const { '.cursorrules': _, ...left } = files;
    await untilStored({ ...left, 'AGENTS.md': '# Use npm' });
    expect(await trashOf()).toEqual(['.cursorrules']);
    expect(await folder()).toMatchObject({ memories: 5, issues: [] });
  });

  test('are written only where the person says so, and only they are', async () => {
    write('AGENTS.md', '# Use pnpm');
    write('.cursor/rules/tests.mdc', 'No timers.');
    await agentFiles();
    await untilStored({ 'AGENTS.md': '# Use pnpm', '.cursor/rules/tests.mdc': 'No timers.' });
    await set('AGENTS.md', '# Use npm');
    await isWatching();
    expect(fs.readFileSync(at('AGENTS.md'), 'utf8')).toBe('# Use pnpm');
    await daemon.call(removeFolder, { params: { id: (await folder()).id } });
    write('AGENTS.md', '# Use npm');

    await agentFiles({ sync: 'both' });
    await isWatching();
    await set('AGENTS.md', '# Use yarn');
    await set('.cursor/rules/style.mdc', 'Short names.');
    await set('decisions.md', 'a memory of the project that no agent reads as a file');
    await until(() => {
      expect(fs.readFileSync(at('AGENTS.md'), 'utf8')).toBe('# Use yarn');
      expect(fs.readFileSync(at('.cursor/rules/style.mdc'), 'utf8')).toBe('Short names.');
    });
    await isWatching();
    expect(fs.existsSync(at('decisions.md'))).toBe(false);
  });
});

describe('a graph of Logseq', () => {
  test('is known by itself, both ways, and what was not changed stays as it is to the byte', async () => {
    const page = 'alias:: other\r\n\r\n- # Heading\n\t- see [[Sep 14th, 2026]]\n\t  collapsed:: true';
    write('logseq/config.edn', '{:file/name-format :triple-lowbar}');
    write('logseq/bak/pages/Ns___Page.md', '- before');
    write('pages/Ns___Page.md', page);
    write('journals/2026_09_14.md', '- met [[Ns/Page]]');
    expect(await add({ format: undefined, sync: 'both' })).toMatchObject({ format: 'logseq' });
    await untilStored({ 'pages/Ns___Page.md': page, 'journals/2026_09_14.md': '- met [[Ns/Page]]' });
    await isWatching();
    const out = async (key: string) =>
      (await daemon.call(memoryLinks, { query: { key, namespace } })).out.map(({ to }) => to);
    expect(await out('pages/Ns___Page.md')).toEqual(['journals/2026_09_14.md']);
    expect(await out('journals/2026_09_14.md')).toEqual(['pages/Ns___Page.md']);
    const titleOf = async (key: string) =>
      (await daemon.call(contract.getMemory, { body: { key, namespace } })).title;
    expect(await titleOf('pages/Ns___Page.md')).toBe('Ns/Page');

    await set('journals/2026_09_14.md', '- met [[Ns/Page]]\n- again');
    await until(() => expect(fs.readFileSync(at('journals/2026_09_14.md'), 'utf8')).toMatch(/again$/));
    expect(fs.readFileSync(at('pages/Ns___Page.md'), 'utf8')).toBe(page);
    await daemon.call(naming.renameMemory, {
      body: { namespace, key: 'pages/Ns___Page.md', to: { key: 'pages/Ns___Leaf.md' } },
    });
    await until(() =>
      expect(fs.readFileSync(at('journals/2026_09_14.md'), 'utf8')).toMatch(/\[\[Ns\/Leaf\]\]/),
    );
    expect(fs.readFileSync(at('pages/Ns___Leaf.md'), 'utf8')).toBe(page);
    expect(fs.existsSync(at('pages/Ns___Page.md'))).toBe(false);
    fs.renameSync(at('pages/Ns___Leaf.md'), at('pages/Ns___Tree.md'));
    await until(async () => expect(await titleOf('pages/Ns___Tree.md')).toBe('Ns/Tree'));
    expect((await folder()).issues).toEqual([]);
  });

  test('whose settings cannot be read is followed all the same, and says so until they can', async () => {
    write('logseq/config.edn/not', 'a folder');
    write('journals/2026_09_14.md', '- met');
    await add({ format: 'logseq' });
    await untilStored({ 'journals/2026_09_14.md': '- met' });
    await isWatching();
    expect((await folder()).issues).toEqual([
      {
        path: 'logseq/config.edn',
        reason: 'unreadable',
        detail: 'is not a file, or too large: pages are called as Logseq does it without settings',
      },
    ]);
    fs.rmSync(at('logseq/config.edn'), { recursive: true });
    write('logseq/config.edn', '{:journal/page-title-format "yyyy-MM-dd"}');
    await until(async () => expect((await folder()).issues).toEqual([]));
    write('journals/2026_09_15.md', '- again');
    await until(async () => expect(Object.keys(await stored())).toHaveLength(2));
    const read = { key: 'journals/2026_09_15.md', namespace };
    expect((await daemon.call(contract.getMemory, { body: read })).title).toBe('2026-09-15');
  });
});

describe('both ways', () => {
  const both = () => add({ sync: 'both' });
  const file = (name: string) => fs.readFileSync(at(name), 'utf8');
  const untilFile = (name: string, text: string) => until(() => expect(file(name)).toBe(text));

  test('an edit here is written, once, and what is made, renamed and deleted here follows', async () => {
    write('a.md', 'one');
    fs.chmodSync(at('a.md'), 0o640);
    await both();
    await untilStored({ 'a.md': 'one' });
    await set('a.md', 'edited here');
    await untilFile('a.md', 'edited here');
    expect(fs.statSync(at('a.md')).mode & 0o777).toBe(0o640);
    await set('ideas/new.md', 'made here');
    await set('a thought', 'without a file');
    await untilFile('ideas/new.md', 'made here');
    write('a.md', 'edited there');
    await untilStored({ 'a.md': 'edited there', 'ideas/new.md': 'made here', 'a thought': 'without a file' });

    await daemon.call(naming.renameMemory, {
      body: { key: 'ideas/new.md', namespace, to: { key: 'kept/old.md' } },
    });
    await untilFile('kept/old.md', 'made here');
    expect(fs.existsSync(at('ideas/new.md'))).toBe(false);

    await daemon.call(trash.trashMemories, { body: { items: [{ key: 'kept/old.md', namespace }] } });
    await untilFile('.reverie-trash/kept/old.md', 'made here');
    expect(fs.existsSync(at('kept/old.md'))).toBe(false);
    await daemon.call(trash.restoreTrash, { body: { items: [{ key: 'kept/old.md', namespace }] } });
    await untilFile('kept/old.md', 'made here');
    await isWatching();
    const before = await daemon.call(contract.getMemory, { body: { key: 'a.md', namespace } });
    await daemon.restart();
    await isWatching();
    expect(await daemon.call(contract.getMemory, { body: { key: 'a.md', namespace } })).toEqual(before);
    expect(await folder()).toMatchObject({ memories: 2, issues: [] });
    const left = fs.readdirSync(root, { recursive: true }).map(String);
    expect(left.filter((name) => name.includes('.tmp'))).toEqual([]);
  });

  test('a renaming here mends the links of the files, too, and back again', async () => {
    const notes = {
      'tea.md': 'Not [[Coffee|that]], but [this](coffee.md).',
      'coffee.md': '# Coffee\nBlack.',
    };
    for (const [name, text] of Object.entries(notes)) write(name, text);
    await both();
    await untilStored(notes);
    const rename = (key: string, to: string) =>
      daemon.call(naming.renameMemory, { body: { key, namespace, to: { key: to } } });
    expect((await rename('coffee.md', 'drinks/espresso.md')).mended).toBe(1);
    await untilFile('tea.md', 'Not [[espresso|that]], but [this](drinks/espresso.md).');
    await untilFile('drinks/espresso.md', '# Coffee\nBlack.');
    await rename('drinks/espresso.md', 'coffee.md');
    await untilFile('tea.md', notes['tea.md']);
    await untilFile('coffee.md', notes['coffee.md']);
    await isWatching();
    expect(await folder()).toMatchObject({ memories: 2, issues: [] });
  });

  test('a file that was edited, too, wins, and what was written here is in the history', async () => {
    write('a.md', 'one');
    await both();
    await untilStored({ 'a.md': 'one' });
    await isWatching();
    write('a.md', 'edited there');
    await set('a.md', 'edited here');
    await untilStored({ 'a.md': 'edited there' });
    await until(async () =>
      expect((await folder()).issues).toMatchObject([{ path: 'a.md', reason: 'conflict' }]),
    );
    expect(file('a.md')).toBe('edited there');
    const { versions } = await daemon.call(history.memoryHistory, { query: { key: 'a.md', namespace } });
    expect(versions.map(({ value }) => value)).toEqual(['edited there', 'edited here', 'one']);
  });

  test('a file that is edited while it is written is no agreement: the edit is taken', async () => {
    write('a.md', 'one');
    await both();
    await untilStored({ 'a.md': 'one' });
    await isWatching();
    const rename = fs.renameSync.bind(fs);
    vi.spyOn(fs, 'renameSync').mockImplementationOnce((from, to) => {
      rename(from, to);
      fs.writeFileSync(to, 'edited there');
    });
    await set('a.md', 'edited here');
    await untilStored({ 'a.md': 'edited there' });
    expect(file('a.md')).toBe('edited there');
  });

  test('what is edited here while its tag is written into the file stays, and is written next', async () => {
    write('a.md', 'one');
    await both();
    await untilStored({ 'a.md': 'one' });
    await isWatching();
    const rename = fs.renameSync.bind(fs);
    const { realpath } = fs.promises;
    let edits = 0;
    vi.spyOn(fs, 'renameSync').mockImplementationOnce((from, to) => {
      rename(from, to);
      // Before what was written is read again, others have their turn.
      vi.spyOn(fs.promises, 'realpath').mockImplementationOnce(async (file) => {
        await set('a.md', `edited here ${(edits += 1)}`);
        return realpath(file);
      });
      syncBuiltinESMExports();
    });
    await tag('a.md', { add: ['new'] });
    await untilFile('a.md', 'edited here 1').finally(() => {
      vi.restoreAllMocks();
      syncBuiltinESMExports();
    });
    await isWatching();
    expect(await stored()).toEqual({ 'a.md': 'edited here 1' });
    expect(await folder()).toMatchObject({ issues: [] });
    const { versions } = await daemon.call(history.memoryHistory, { query: { key: 'a.md', namespace } });
    expect(versions[0]?.value).toBe('edited here 1');
  });

  test('what is edited and renamed here at once has both in its file', async () => {
    write('a.md', 'one');
    await both();
    await untilStored({ 'a.md': 'one' });
    await isWatching();
    await set('a.md', 'edited here');
    await daemon.call(naming.renameMemory, { body: { key: 'a.md', namespace, to: { key: 'b.md' } } });
    await untilFile('b.md', 'edited here');
    expect(fs.existsSync(at('a.md'))).toBe(false);
    expect(await stored()).toEqual({ 'b.md': 'edited here' });
  });

  test('what was listed and never taken is no file once it is gone: a memory of that name is written', async () => {
    write('stays.md', 'stays');
    write('blank.md', '');
    await add({ sync: 'both' });
    await until(async () => expect((await folder()).issues.map((issue) => issue.path)).toEqual(['blank.md']));
    fs.rmSync(at('blank.md'));
    await until(async () => expect((await folder()).issues).toEqual([]));
    await set('blank.md', 'no longer');
    await until(() => expect(fs.readFileSync(at('blank.md'), 'utf8')).toBe('no longer'));
  });

  test('nothing is written through a link, onto an ignored path or outside', async () => {
    const outside = path.join(temporary.folder, 'outside');
    fs.mkdirSync(outside);
    fs.symlinkSync(outside, at('linked'));
    write('.gitignore', 'private');
    await both();
    await isWatching();
    for (const key of [
      'linked/a.md',
      '../b.md',
      '/c.md',
      'private/d.md',
      'con.md',
      'x/../../e.md',
      '.git/f.md',
    ])
      await set(key, 'text');
    await set('last.md', 'text');
    await untilFile('last.md', 'text');
    expect(fs.readdirSync(outside)).toEqual([]);
    expect(fs.readdirSync(root).sort()).toEqual(['.gitignore', 'last.md', 'linked']);
  });
});
