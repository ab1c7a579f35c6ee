import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Folder } from '@reverie/shared/contract/memories/folders';
import { seconds } from '@reverie/shared/testing/patience';
import { startTestDaemon, temporaryFolder, type TestDaemon } from '../testing.ts';
import { has, run } from './fake-terminal.ts';

let daemon: TestDaemon;
let temporary: { folder: string; remove: () => void };
let root = '';
beforeAll(async () => {
  daemon = await startTestDaemon();
  temporary = temporaryFolder();
  root = path.join(fs.realpathSync(temporary.folder), 'notes');
  fs.mkdirSync(root);
  fs.writeFileSync(path.join(root, 'a.md'), '# A note\n');
  fs.writeFileSync(path.join(root, 'b.md'), '');
});
afterAll(async () => {
  await daemon.stop();
  temporary.remove();
});

const reverie = (...args: string[]) => run({ home: daemon.home.folder }, ...args);
const list = async () =>
  (JSON.parse((await reverie('folders', '--json')).out) as { folders: Folder[] }).folders;

// The first one begins where none is followed, and each goes on with the notes of the one before.
describe('folders', { shuffle: false }, () => {
  test('none at first, which a person is told', async () => {
    expect(await reverie('folders')).toEqual({ code: 0, out: '', err: '' });
    expect(await run({ home: daemon.home.folder, typed: '' }, 'folders')).toMatchObject({
      err: has('reverie folders add PATH'),
    });
    expect(await reverie('folders', 'remove', root)).toMatchObject({ code: 2, err: has('No folder') });
  });

  test('adds, lists with what was not taken, and removes by path', async () => {
    expect(await reverie('folders', 'add', root, '-n', 'notes')).toMatchObject({
      code: 0,
      out: `Following ${root} as markdown, into notes.\n`,
      err: has('only read'),
    });
    await vi.waitFor(async () => expect((await list())[0]?.state.kind).toBe('watching'));
    expect(await reverie('get', 'a.md', '-n', 'notes')).toMatchObject({ out: '# A note\n' });
    const listed = await reverie('folders', 'list');
    expect(listed.out.split('\t').slice(0, 4)).toEqual([root, 'notes', 'up to date', '1']);
    expect(listed.err).toContain('b.md (empty)');
    expect(await reverie('folders', 'add', path.join(root, 'missing'))).toMatchObject({
      code: 2,
      err: has('make the folder first'),
    });
    expect(await reverie('folders', 'remove', path.join(root, 'missing'))).toMatchObject({
      code: 2,
      err: has(root),
    });
    expect(await reverie('folders', 'remove', `${root}/../notes/`)).toMatchObject({
      code: 0,
      out: has('stay'),
    });
    expect(await list()).toEqual([]);
    expect(await reverie('get', 'a.md', '-n', 'notes')).toMatchObject({ out: '# A note\n' });
  });

  test('files that agents read go to the namespace of their project, unless another one is named', async () => {
    const project = path.join(path.dirname(root), 'app');
    fs.mkdirSync(path.join(project, '.git'), { recursive: true });
    fs.writeFileSync(path.join(project, '.git/HEAD'), 'ref: refs/heads/main\n');
    fs.writeFileSync(path.join(project, '.git/config'), '[reverie]\n  namespace = work/app\n');
    const added = async (...more: string[]) => {
      const reply = await reverie('folders', 'add', project, '-f', 'agent-files', '--json', ...more);
      const { id, namespace, format } = JSON.parse(reply.out) as Folder;
      await reverie('folders', 'remove', id);
      return { namespace, format };
    };
    expect(await added()).toEqual({ namespace: 'work/app', format: 'agent-files' });
    expect(await added('-n', 'default')).toEqual({ namespace: 'default', format: 'agent-files' });
  });

  test('both ways, without pruning, by id', async () => {
    const added = await reverie('folders', 'add', root, '-n', 'both', '--both', '--no-prune', '--json');
    const { id, sync, prune } = JSON.parse(added.out) as Folder;
    expect({ sync, prune }).toEqual({ sync: 'both', prune: false });
    expect(JSON.parse((await reverie('folders', 'remove', id, '--json')).out)).toEqual({ success: true, id });
  });

  test('says what it holds back, also in the status, and lets it go where that is meant', async () => {
    const vault = path.join(temporary.folder, 'vault');
    const files = ['a b.md', 'b.md', 'c.md', 'd.md'];
    fs.mkdirSync(path.join(vault, '.obsidian'), { recursive: true });
    for (const name of files) fs.writeFileSync(path.join(vault, name), name);
    await reverie('folders', 'add', vault, '-n', 'vault');
    await vi.waitFor(async () =>
      expect((await list())[0]).toMatchObject({ memories: 4, state: { kind: 'watching' } }),
    );
    expect(await reverie('folders', 'prune', vault)).toMatchObject({ code: 1, err: has('held back') });
    for (const name of files) fs.rmSync(path.join(vault, name));
    await vi.waitFor(async () => expect((await list())[0]?.state.kind).toBe('holding'), {
      timeout: seconds(8),
    });
    const words = has('holding back: 4 of 4 files are gone at once (a b.md, b.md, c.md …)');
    expect((await reverie('folders')).out).toEqual(words);
    expect((await reverie('status')).out).toEqual(words);
    expect(JSON.parse((await reverie('status', '--json')).out)).toMatchObject({ folders: [{ path: vault }] });
    expect(await reverie('folders', 'prune', vault)).toMatchObject({ code: 0, out: has('go to the trash') });
    await vi.waitFor(async () => expect((await list())[0]).toMatchObject({ memories: 0 }), {
      timeout: seconds(8),
    });
    expect((await reverie('status')).out).not.toContain('Folder:');
  });
});
