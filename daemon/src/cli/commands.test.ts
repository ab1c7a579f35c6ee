import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Running, startDaemon } from '../main.ts';
import { type Ended, type Given, has, like, run } from './fake-terminal.ts';

let folder: string;
let home: string;
let daemon: Running;

beforeAll(async () => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'reverie-commands-'));
  home = path.join(folder, 'home');
  daemon = await startDaemon({
    env: { REVERIE_HOME: home, REVERIE_LOG_LEVEL: 'silent' },
    flags: { port: '0' },
  });
});

afterAll(async () => {
  await daemon.stop();
  fs.rmSync(folder, { recursive: true });
});

const reverie = (...args: string[]): Promise<Ended> => run({ home }, ...args);
const at = (given: Omit<Given, 'home'>, ...args: string[]): Promise<Ended> =>
  run({ home, ...given }, ...args);
const json = (ended: Ended): Record<string, unknown> => JSON.parse(ended.out) as Record<string, unknown>;

describe('memories on the command line', () => {
  test('a value comes back byte for byte, wherever it came from', async () => {
    const value = '  two\nlines\t\u0000 \ufeffé 😀\r\n\n';
    expect(await at({ stdin: value }, 'set', 'piped', '-')).toMatchObject({ code: 0, err: '' });
    expect((await at({ stdin: value }, 'set', 'piped too')).code).toBe(0);
    expect((await reverie('set', 'given', value)).code).toBe(0);
    for (const key of ['piped', 'piped too', 'given'])
      expect(await reverie('get', key)).toEqual({ code: 0, out: value, err: '' });
  });

  test('a person sees text that ends its line and cannot command the terminal', async () => {
    await reverie('set', 'evil', 'a\u001b]0;title\u0007');
    expect((await at({ typed: '' }, 'get', 'evil')).out).toBe('a␛]0;title␇\n');
    expect((await at({ typed: '' }, 'list', '--limit', '1000')).out).not.toContain('\u001b]');
  });

  test('metadata, tags and an end are kept, and list and search look for tags', async () => {
    const options = [
      '-n',
      'tags',
      '--metadata',
      '{"a":1,"tags":["x"]}',
      '-t',
      'y',
      '-t',
      'x',
      '--expires',
      '30d',
    ];
    await reverie('set', 'tagged', 'the pond freezes over', ...options);
    await reverie('set', 'plain', 'the pond is warm', '-n', 'tags');
    const memory = json(await reverie('get', 'tagged', '-n', 'tags', '--json'));
    expect(memory).toMatchObject({ metadata: { a: 1, tags: ['x', 'y'] }, namespace: 'tags' });
    expect(memory['expires_at']).toEqual(expect.any(String));
    const listed = await reverie('list', '-n', 'tags', '-t', 'y');
    expect(listed.out).toMatch(/^tagged\t\S+\tthe pond freezes over\n$/);
    const frozen = ['--where', 'tags=x', '--where', 'a>=1'];
    expect((await reverie('list', '-n', 'tags', ...frozen)).out).toBe(listed.out);
    expect((await reverie('search', 'pond', '-n', 'tags', ...frozen)).out).toContain('\ttagged\t');
    expect((await reverie('list', '-n', 'tags', '--where', 'a<x')).err).toContain(
      'neither a number nor a day',
    );
    const found = await reverie('search', 'pond', 'freezes', '-n', 'tags', '--tag', 'x');
    expect(found.out).toMatch(/^\d\.\d\d\ttagged\tthe pond freezes over\tthe pond freezes over\n$/);
    expect(json(await reverie('search', 'pond', '-n', 'tags', '--json'))).toMatchObject({ count: 2 });
  });

  test('list pages, in both orders', async () => {
    for (const key of ['a', 'b', 'c']) await reverie('set', key, key, '-n', 'pages');
    await reverie('set', 'a', 'newer', '-n', 'pages');
    const keys = async (...more: string[]) =>
      (await reverie('list', '-n', 'pages', ...more)).out.split('\n').map((line) => line.split('\t')[0]);
    expect(await keys()).toEqual(['a', 'b', 'c', '']);
    expect(await keys('--limit', '1', '--offset', '1')).toEqual(['b', '']);
    expect((await keys('--order', 'updated'))[0]).toBe('a');
    expect((await at({ typed: '' }, 'list', '-n', 'pages', '--limit', '2')).err).toBe('1–2 of 3 memories\n');
  });

  test('a person who looks into an empty namespace is told where memories are', async () => {
    await reverie('set', 'k', 'the heron stands in the pond', '-n', 'full-of-birds');
    for (const command of [['list'], ['search', 'heron']])
      expect(await at({ typed: '' }, ...command, '-n', 'full-of-brids')).toMatchObject({
        code: 0,
        out: '',
        err: like(/^full-of-brids holds no memories; there are some in .*: choose one with -n\.\n/),
      });
    expect((await at({ typed: '' }, 'list', '-n', 'full-of-birds', '-c', 'error')).err).toBe(
      'There are no such memories in full-of-birds.\n',
    );
    expect((await at({ typed: '' }, 'list', '-n', 'full-of-birds', '--offset', '9')).err).toBe(
      '--offset leaves out all of 1 memory.\n',
    );
    expect(await reverie('search', 'heron', '-n', 'full-of-brids')).toMatchObject({
      code: 0,
      out: '',
      err: '',
    });
  });

  test('history restores what was said before', async () => {
    await reverie('set', 'changed', 'one', '-n', 'past');
    await reverie('set', 'changed', 'two', '-n', 'past');
    expect((await reverie('history', 'changed', '-n', 'past', '--restore', '1')).out).toContain(
      'as version 3',
    );
    expect(await reverie('get', 'changed', '-n', 'past')).toMatchObject({ out: 'one' });
    const shown = await reverie('history', 'changed', '-n', 'past');
    expect(shown.out.split('\n').map((line) => line.split('\t').at(-1))).toEqual(['one', 'two', 'one', '']);
    expect(await reverie('history', 'changed', '-n', 'past', '--restore', '9')).toMatchObject({
      code: 1,
      out: '',
    });
  });

  test('delete moves to the trash, trash shows it, undelete brings it back, and empty asks first', async () => {
    await reverie('set', 'thrown', 'away', '-n', 'bin');
    expect(await reverie('delete', 'thrown', '-n', 'bin')).toEqual({
      code: 0,
      err: '',
      out: 'Moved thrown of bin to the trash.\n',
    });
    expect((await reverie('trash')).out).toMatch(/^thrown\tbin\t\S+\taway$/m);
    expect((await reverie('trash', '-n', 'elsewhere')).out).toBe('');
    expect(json(await reverie('trash', '--json'))).toMatchObject({ total: 1, days: 30 });
    expect(await reverie('undelete', 'thrown', '-n', 'bin')).toMatchObject({ code: 0 });
    expect(await reverie('get', 'thrown', '-n', 'bin')).toMatchObject({ out: 'away' });
    expect(await reverie('undelete', 'thrown', '-n', 'bin')).toMatchObject({
      code: 1,
      err: has('in the trash'),
    });
    await reverie('delete', 'thrown', '-n', 'bin');
    expect(await reverie('trash', 'empty')).toMatchObject({ code: 2, err: has('--yes') });
    expect(await at({ typed: 'no\n' }, 'trash', 'empty')).toMatchObject({ code: 1, out: '' });
    expect(await at({ typed: 'empty\n' }, 'trash', 'empty')).toMatchObject({
      code: 0,
      out: 'Deleted 1 memory for good.\n',
    });
    expect((await reverie('trash')).out).toBe('');
  });

  test('links says what a memory links to, what links to it, and what says its name', async () => {
    const set = (key: string, text: string) => reverie('set', key, text, '-n', 'linked');
    await set('notes/heap.md', '# Compost heap\nAs in [[turning]] and [[gone|what is gone]].');
    await set('turning', 'Of the [[compost heap]].');
    await set('shed', 'Behind the compost heap.');
    const heap = await reverie('links', 'notes/heap.md', '-n', 'linked');
    expect(heap).toEqual({
      code: 0,
      out: [
        'to\tturning\tturning\n',
        'to nothing\tgone\twhat is gone\n',
        'from\tturning\tOf the [[compost heap]].\n',
        'mentioned in\tshed\tBehind the compost heap.\n',
      ].join(''),
      err: '',
    });
    expect(json(await reverie('links', 'turning', '-n', 'linked', '--json'))).toMatchObject({
      out: [{ to: 'notes/heap.md', found: true }],
    });
    expect(await reverie('links', 'turing', '-n', 'linked')).toMatchObject({ code: 1, err: has('turning') });
    expect((await reverie('rename', 'notes/heap.md', 'notes/pile.md', '-n', 'linked')).out).toBe(
      'notes/heap.md of linked is notes/pile.md of linked now.\n',
    );
    expect((await reverie('rename', 'turning', 'turned', '-n', 'linked')).out).toContain(
      'Links were mended in 1 memory.',
    );
  });

  test('rename and tag say what is so now', async () => {
    await reverie('set', 'draft', 'text', '-n', 'names');
    expect(await reverie('rename', 'draft', 'final', '-n', 'names', '--to', 'kept')).toMatchObject({
      code: 0,
      out: 'draft of names is final of kept now.\n',
    });
    expect(await reverie('tag', 'final', '-n', 'kept', '-a', 'x', '--add', 'y')).toMatchObject({
      code: 0,
      out: 'final: x, y\n',
    });
    expect((await reverie('tag', 'final', '-n', 'kept', '-r', 'x', '-r', 'y')).out).toBe('final: no tags\n');
    expect(await reverie('tag', 'final', '-n', 'kept')).toMatchObject({ code: 2, err: has('--add TAG') });
  });

  test('delete --for-good forgets, and says so when there is nothing', async () => {
    await reverie('set', 'gone', 'soon', '-n', 'gone');
    expect(await reverie('delete', 'gone', '-n', 'gone', '--for-good')).toEqual({
      code: 0,
      err: '',
      out: 'Forgot gone of gone for good.\n',
    });
    expect((await reverie('trash')).out).toBe('');
    for (const command of ['get', 'delete', 'history']) {
      const ended = await reverie(command, 'gone', '-n', 'gone');
      expect(ended).toEqual({
        code: 1,
        out: '',
        err: like(/^There is no memory "gone".*\.\n$/),
      });
    }
  });

  test('clear asks by the name, and refuses where nobody answers', async () => {
    await reverie('set', 'a', '1', '-n', 'full');
    expect(await reverie('clear', 'full')).toMatchObject({ code: 2, err: has('--yes') });
    for (const typed of ['yes\n', 'ful\n', '\n', ''])
      expect(await at({ typed }, 'clear', 'full')).toMatchObject({ code: 1, out: '' });
    expect((await reverie('namespaces')).out).toMatch(/^full\t1\t1\t/m);
    expect(await at({ typed: 'full\n' }, 'clear', 'full')).toMatchObject({
      code: 0,
      out: 'Forgot 1 memory of full for good.\n',
    });
    await reverie('set', 'a', '1', '-n', 'full');
    expect((await reverie('clear', 'full', '--yes')).code).toBe(0);
    expect((await reverie('namespaces')).out).not.toMatch(/^full\t/m);
  });
});

describe('keys', () => {
  test('are made, listed, replaced and revoked; stdout is the key alone', async () => {
    const made = await reverie('key', 'create', 'my agent', '--scope', 'read', '--days', '3');
    expect(made.out).toMatch(/^rv_live_[0-9A-Za-z]{38}\n$/);
    const row = (await reverie('key', 'list')).out.split('\n').find((line) => line.includes('my agent'));
    const [id = '', , scope, prefix] = row?.split('\t') ?? [];
    expect([scope, prefix]).toEqual(['read', made.out.slice(0, 12)]);
    const narrow = await reverie('key', 'create', 'narrow', '-n', 'project/*', '-n', 'a', '--no-clear');
    expect([narrow.code, narrow.err]).toEqual([
      0,
      expect.stringContaining('may read, set, delete in project/*, a'),
    ]);
    const reader = await reverie('key', 'create', 'reader', '--read-only');
    expect(reader.err).toContain('reader, read: may read in every namespace');
    expect((await reverie('key', 'create', 'both', '--read-only', '--scope', 'write')).code).not.toBe(0);
    const rows = (await reverie('key', 'list')).out.split('\n');
    expect(rows.find((line) => line.includes('narrow'))).toMatch(/\tread, set, delete\tproject\/\*, a$/);
    const rotated = await reverie('key', 'rotate', id, '--immediate');
    expect(rotated).toMatchObject({ code: 0, out: like(/^rv_live_/) });
    expect(rotated.out).not.toBe(made.out);
    expect(await reverie('key', 'revoke', id)).toMatchObject({ code: 1 });
    expect((await reverie('key', 'list')).out).not.toContain(made.out.trim());
  });

  test('the owner key can be replaced under our feet', async () => {
    const { keys } = json(await reverie('key', 'list', '--json')) as { keys: { id: string; name: string }[] };
    const id = keys.find(({ name }) => name === 'owner-key')?.id ?? '';
    expect((await reverie('key', 'rotate', id, '--immediate')).code).toBe(0);
    expect((await reverie('key', 'list')).code).toBe(0);
  });
});

describe('import and export', () => {
  test('a second import changes nothing, an edited file updates, one edited on both sides is kept', async () => {
    const notes = path.join(folder, 'notes');
    fs.mkdirSync(notes);
    const write = (name: string, text: string | Buffer) => fs.writeFileSync(path.join(notes, name), text);
    write('one.md', 'first note');
    write('two.md', 'second note');
    write('broken.md', Buffer.from([0xff, 0xfe, 0x41]));
    const counts = async (...more: string[]) => {
      const { ended, created, updated, unchanged, kept, skipped } = json(
        await reverie('import', notes, '-n', 'notes', '--json', ...more),
      ) as Record<string, unknown[]>;
      return { ended, created, updated, unchanged, kept: kept?.length, skipped: skipped?.length };
    };
    const none = { ended: 'complete', created: 0, updated: 0, unchanged: 0, kept: 0, skipped: 1 };
    expect(await counts('--dry-run')).toEqual({ ...none, created: 2 });
    expect((await reverie('namespaces')).out).not.toMatch(/^notes\t/m);
    expect(await counts()).toEqual({ ...none, created: 2 });
    expect(await counts()).toEqual({ ...none, unchanged: 2 });
    write('one.md', 'first note, edited');
    expect(await counts()).toEqual({ ...none, updated: 1, unchanged: 1 });
    const listed = (await reverie('list', '-n', 'notes')).out.split('\n');
    const [key = ''] = listed.find((line) => line.endsWith('first note, edited'))?.split('\t') ?? [];
    await reverie('set', key, 'edited here', '-n', 'notes');
    write('one.md', 'first note, edited there');
    expect(await counts()).toEqual({ ...none, kept: 1, unchanged: 1 });
    const told = await reverie('import', notes, '-n', 'notes');
    expect(told.out).toMatch(/^kept\t1$/m);
    expect(told.out).toContain(`notes ${key}`);
    expect(told.out).toMatch(/broken\.md \(not_utf8\)/);
  });

  test('an export without a place to go, a taken place and a missing source are refused', async () => {
    expect(await at({ typed: '' }, 'export')).toMatchObject({
      code: 2,
      err: has('--output'),
    });
    expect(await reverie('export', '-f', 'markdown')).toMatchObject({ code: 2 });
    expect(await reverie('export', '-o', home)).toMatchObject({
      code: 1,
      err: has('already'),
    });
    expect(await reverie('export', '-o', path.join(folder, 'no', 'x'))).toMatchObject({ code: 1 });
    expect(await reverie('import', path.join(folder, 'nothing'))).toMatchObject({ code: 1, out: '' });
  });

  test('an import says what it takes it for and why, where it goes, and shows some of it', async () => {
    const notes = path.join(folder, 'daily');
    fs.mkdirSync(notes);
    fs.writeFileSync(path.join(notes, '2024-05-06.md'), 'planted beans');
    fs.writeFileSync(path.join(notes, '2024-05-07 Walk.md'), '---\ncreated: 2023-01-02\n---\n# By the river');
    const given = { env: { REVERIE_NAMESPACE: 'journal' } };
    const told = await at(given, 'import', notes, '--dry-run');
    expect(told.err).toContain(
      `Reading ${notes} as markdown: of 2 notes that were looked at, none have a permalink`,
    );
    expect(told.err).toContain(
      'Into journal (2); such as:\n  2024-05-06.md (2024-05-06, 2024-05-06)\n  2024-05-07 Walk.md (2023-01-02, By the river)\n',
    );
    const done = json(await at(given, 'import', notes, '--json'));
    expect(done).toMatchObject({ format: 'markdown', because: has('none have'), namespaces: { journal: 2 } });
    const listed = await at({ typed: '' }, 'list', '-n', 'journal');
    expect(listed.out).toContain('planted beans');
    const { created_at } = json(await reverie('get', '2024-05-06.md', '-n', 'journal', '--json'));
    expect(created_at).toBe('2024-05-06T00:00:00.000Z');
    expect((await at(given, 'import', notes, '-n', 'other', '--dry-run')).err).toContain('Into other (2)');
    expect((await reverie('import', notes, '-f', 'markdown', '--dry-run')).err).toContain('as --format says');
  });

  test('one namespace goes to stdout as lines', async () => {
    await reverie('set', 'k', 'é\n', '-n', 'lines');
    const exported = await reverie('export', '-n', 'lines');
    expect(exported.out.split('\n').length).toBe(2);
    expect(JSON.parse(exported.out)).toMatchObject({
      key: 'k',
      value: 'é\n',
      namespace: 'lines',
      metadata: {},
    });
  });
});

describe('the rest', () => {
  test('status, doctor and open see the daemon', async () => {
    const status = json(await reverie('status', '--json'));
    expect(status).toMatchObject({ running: true, pid: process.pid, home, background: false });
    expect((await reverie('status')).out).toContain(`Address:   ${daemon.origin}`);
    const { ok, findings } = json(await reverie('doctor', '--json')) as { ok: boolean; findings: object[] };
    expect(ok).toBe(true);
    expect(findings).toContainEqual(
      expect.objectContaining({ check: 'Daemon', level: 'ok', text: has(daemon.origin) }),
    );
    const opened = await reverie('open', '--print');
    expect(opened.out).toMatch(new RegExp(`^${daemon.origin}/#ticket=[\\w-]{43}\n$`));
    expect(await reverie('open')).toMatchObject({ code: 1, err: has('--print') });
  });

  test('a backup goes where it is asked to, and not over something', async () => {
    const file = path.join(folder, 'mine.db');
    const made = await reverie('backup', '-o', file, '--json');
    expect(json(made)).toMatchObject({ file, bytes: fs.statSync(file).size });
    expect(fs.statSync(file).mode & 0o777).toBe(0o600);
    expect(fs.readdirSync(path.join(home, 'backups'))).toEqual([]);
    expect(await reverie('backup', '-o', file)).toMatchObject({ code: 1, out: '' });
    expect(await reverie('backup', '--name', '../x')).toMatchObject({ code: 2 });
  });

  test.each([
    [['lst'], /unknown command 'lst'[^]*list/],
    [['list', '--limit', '0'], /whole number of at least 1/],
    [['list', '--class', 'x'], /note, error, dream, skill/],
    [['set', 'k', 'v', '--metadata', '[]'], /JSON object/],
    [['get'], /missing required argument[^]*reverie get \[options\] <key>\n`reverie get --help`/],
    [['key', 'create'], /reverie key create \[options\] <name>\n`reverie key create --help`/],
    [['join'], /^Link of the invite: nothing came/],
    [['join', 'https://relay.example.org/join/inv_1'], /whole link of an invite[^]*in quotes/],
    [['get', 'a', 'b'], /too many arguments/],
    [
      ['accounts', 'lst'],
      /^reverie: unknown command 'lst' of reverie accounts\nThere are: list, show, .*\n`reverie accounts --help`/,
    ],
    [
      ['dream', 'insight'],
      /^reverie: unknown command 'insight' of reverie dream\nThere are: start, .*insights/,
    ],
    [['accounts', 'list', 'x'], /^reverie: too many arguments for 'list'/],
    [['secret', 'set', 'x'], /^reverie: 'x' is no name\. Allowed choices are llm/],
    [['set', '', 'v'], /^key: is empty/],
    [['key'], /create/],
    [['--home', '', 'list'], /--home needs a folder/],
  ])('%j is wrong usage', async (args, message) => {
    const ended = await reverie(...args);
    expect(ended).toMatchObject({ code: 2, out: '' });
    expect(ended.err).toMatch(message);
  });

  test('a restore from nowhere, and an import of nothing, say so at once', async () => {
    const nowhere = path.join(folder, 'nowhere');
    expect(await reverie('restore', nowhere)).toMatchObject({
      code: 1,
      err: like(/^There is no file .*nowhere\. Backups .*backups\.\n$/),
    });
    expect(await reverie('import', nowhere)).toMatchObject({ code: 1, err: has('no such file or folder') });
    for (const given of ['/proc', '/proc/self/environ', '/sys', '/dev/zero'].filter((it) =>
      fs.existsSync(it),
    ))
      expect(await reverie('import', given)).toMatchObject({ code: 1, err: has('it is of the system') });
  });

  test('an empty table has no head', async () => {
    const where = ['-n', 'nowhere'];
    for (const args of [['list'], ['search', 'anything']])
      expect(await at({ typed: '' }, ...args, ...where)).toMatchObject({
        code: 0,
        out: '',
        err: has('nowhere'),
      });
  });

  test('help reads well, with and without being asked for', async () => {
    for (const args of [[], ['--help'], ['help']]) {
      const help = await reverie(...args);
      expect(help).toMatchObject({ code: 0, err: '' });
      for (const command of ['start', 'import', 'doctor', 'restore'])
        expect(help.out).toMatch(new RegExp(`^  ${command} `, 'm'));
    }
    expect((await reverie('import', '--help')).out).toContain('--dry-run');
    expect((await reverie('--version')).out).toMatch(/^\d+\.\d+\.\d+/);
  });
});
