import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestDaemon, type TestDaemon } from '../testing.ts';
import { type Ended, type Given, has, like, run } from './fake-terminal.ts';

let daemon: TestDaemon;
let home: string;

beforeAll(async () => {
  daemon = await startTestDaemon();
  home = daemon.home.folder;
});
afterAll(() => daemon.stop());

const reverie = (...args: string[]): Promise<Ended> => run({ home }, ...args);
const at = (given: Omit<Given, 'home'>, ...args: string[]): Promise<Ended> =>
  run({ home, ...given }, ...args);

describe('search', () => {
  const LONG = 'This says nothing of it, and goes on for quite a while. '.repeat(40);

  beforeAll(async () => {
    for (const at of Array.from({ length: 10 }, (_, index) => index))
      await reverie(
        'set',
        `n${at}`,
        `# Note ${at}\n\n${LONG}\n\nThe boiler of house ${at} was serviced in May.\n\n${LONG}`,
        '-n',
        'long',
      );
    await reverie('set', 'other', 'Bread needs flour.', '-n', 'long');
  });

  test('shows titles and what fits, within the width and not in many lines', async () => {
    const { out, err } = await at({ typed: '' }, 'search', 'boiler', 'serviced', '-n', 'long', '-l', '11');
    const lines = out.trimEnd().split('\n');
    expect(lines.length).toBeLessThanOrEqual(60);
    expect(lines.filter((line) => line.length > 100)).toEqual([]);
    expect(out).toMatch(/^\d\.\d\d {2}Note \d {2}n\d\n {6}The boiler of house \d was serviced in May\.$/m);
    expect(out).not.toContain('says nothing of it');
    expect(err).toBe('1 weaker one: --all\n');
    expect((await at({ typed: '' }, 'search', 'boiler', '-n', 'long', '-l', '11', '--all')).out).toContain(
      'flour',
    );
  });

  test('says which words it looked for as others; programs get what they asked for', async () => {
    const words = ['search', 'boilr', 'serviced', '-n', 'long', '-l', '1'];
    const { out, err } = await reverie(...words);
    expect([out, err]).toEqual([has('The boiler of house'), 'Nothing says "boilr"; looked for "boiler".\n']);
    const json = (await reverie(...words, '--json')).out;
    expect(Object.keys(JSON.parse(json) as object)).toEqual(['results', 'count']);
    expect(json).not.toContain('"why"');
  });

  test('takes further wordings, and says to a person by which a note was found', async () => {
    const words = [
      'search',
      'quixotic',
      '-n',
      'long',
      '-l',
      '1',
      '--also',
      'zymurgy',
      '--also',
      'bread flour',
    ];
    expect((await at({ typed: '' }, ...words)).out).toMatch(/^\d\.\d\d {2}other {2}by “bread flour”\n/);
    expect((await reverie(...words)).out).toMatch(
      /^\d\.\d\d\tother\tBread needs flour\.\tBread needs flour\.\n$/,
    );
    const json: unknown = JSON.parse((await reverie(...words, '--json')).out);
    expect(json).toHaveProperty('results.0.wording', 'bread flour');
    const eight = Array.from({ length: 8 }, (_, n) => ['--also', `wording ${n}`]).flat();
    expect(await reverie('search', 'bread', ...eight)).toMatchObject({ code: 2, err: has('queries') });
  });

  test('says nothing of words that are there', async () => {
    expect((await reverie('search', 'boiler', '-n', 'long', '-l', '1')).err).toBe('');
  });

  test('marks what fits for a person, and not on a pipe', async () => {
    const person = await at(
      { typed: '', env: { NO_COLOR: '' } },
      'search',
      'boiler',
      '-n',
      'long',
      '-l',
      '1',
    );
    expect(person.out).toMatch(/The \u001b\[1mboiler\u001b\[22m of house/);
    expect((await reverie('search', 'boiler', '-n', 'long', '-l', '1')).out).toMatch(
      /^\d\.\d\d\tn\d\tNote \d\tThe boiler of house \d was serviced in May\.\n$/,
    );
    const reply: unknown = JSON.parse((await reverie('search', 'boiler', '-n', 'long', '--json')).out);
    expect(reply).toHaveProperty('results.0.value', has('boiler'));
    expect(reply).toHaveProperty('results.0.passage.marks.0.1', expect.any(Number));
  });
});

describe('add', () => {
  test('stores a thought under its first words, and prints the key alone', async () => {
    expect(await reverie('add', 'The heron', 'stands in the pond at dawn', '-t', 'birds')).toEqual({
      code: 0,
      out: 'the-heron-stands-in-the-pond\n',
      err: '',
    });
    expect(await reverie('get', 'the-heron-stands-in-the-pond')).toMatchObject({
      out: 'The heron stands in the pond at dawn',
    });
    expect((await reverie('list', '-t', 'birds')).out).toMatch(/^the-heron-stands-in-the-pond\t/);
  });

  test('never stores over another memory, however many have the same first words, and at once', async () => {
    const added = await Promise.all(
      Array.from({ length: 12 }, () => reverie('add', '-n', 'same', 'the build failed')),
    );
    const keys = added.map(({ out }) => out.trim());
    expect(new Set(keys).size).toBe(12);
    expect(keys).toEqual(expect.arrayContaining(['the-build-failed', 'the-build-failed-9']));
    expect(JSON.parse((await reverie('list', '-n', 'same', '--json')).out)).toMatchObject({ total: 12 });
  });

  test('takes the standard input as it stands; a class stands before the key', async () => {
    const added = await at({ stdin: '\n# Disk full\nfree some\n' }, 'add', '-c', 'error', '--json');
    expect(JSON.parse(added.out)).toEqual({ success: true, key: 'error:disk-full', namespace: 'default' });
    expect((await reverie('get', 'error:disk-full')).out).toBe('\n# Disk full\nfree some\n');
  });

  test('refuses nothing', async () => {
    for (const given of [{ typed: '' }, { stdin: '' }, { stdin: ' \n' }])
      expect(await at(given, 'add')).toMatchObject({ code: 2, out: '' });
    expect(await at({ stdin: Buffer.from([0xff]) }, 'add')).toMatchObject({ code: 1, err: has('UTF-8') });
  });
});

describe('a namespace of the variable', () => {
  const env = { REVERIE_NAMESPACE: 'of-the-variable' };

  test('is taken where none is given', async () => {
    await at({ env }, 'set', 'k', 'value');
    expect(await at({ env }, 'get', 'k')).toMatchObject({ code: 0, out: 'value' });
    expect((await at({ env }, 'list')).out).toMatch(/^k\t/);
    expect((await reverie('get', 'k', '-n', 'of-the-variable')).out).toBe('value');
    expect((await at({ env }, 'get', 'k', '-n', 'default')).code).toBe(1);
    expect((await at({ env: { REVERIE_NAMESPACE: '' } }, 'get', 'k')).code).toBe(1);
  });

  test('does not narrow what is taken out', async () => {
    await reverie('set', 'elsewhere', 'value');
    expect((await at({ env }, 'export')).out).toContain('"elsewhere"');
  });

  test('is refused by its name where it is none', async () => {
    expect(await at({ env: { REVERIE_NAMESPACE: '..' } }, 'list')).toMatchObject({
      code: 2,
      err: like(/^The variable REVERIE_NAMESPACE: "\.\." is reserved; allowed: /),
    });
  });
});

describe('a key that is not there', () => {
  test('is told with the nearest, or where it is', async () => {
    await reverie('set', 'lease:flat', 'ends in June', '-n', 'near');
    await reverie('set', 'boiler', 'at 2 bar', '-n', 'near');
    const err = async (...args: string[]) => (await reverie(...args)).err;
    expect(await err('get', 'laese:flat', '-n', 'near')).toBe(
      'There is no memory "laese:flat" in the namespace "near". The nearest key is lease:flat.\n',
    );
    expect(await err('get', 'lease:flat')).toBe(
      'There is no memory "lease:flat" in the namespace "default". It is in near: choose with -n.\n',
    );
    expect(await err('history', 'flat', '-n', 'near')).toContain('The nearest key is lease:flat.');
    expect(await err('edit', 'boilr', '-n', 'near')).toContain('The nearest key is boiler.');
    expect(await err('get', 'nothing like it', '-n', 'near')).toBe(
      'There is no memory "nothing like it" in the namespace "near".\n',
    );
  });
});

test('list takes keys that begin alike', async () => {
  for (const key of ['a/1', 'a/2', 'a', 'b/1', 'A/3', 'a/\u{10ffff}', 'a%'])
    await reverie('set', key, 'text', '-n', 'alike');
  const keys = async (...more: string[]) =>
    (await reverie('list', '-n', 'alike', ...more)).out.split('\n').map((line) => line.split('\t')[0]);
  expect(await keys('--prefix', 'a/')).toEqual(['a/1', 'a/2', 'a/\u{10ffff}', '']);
  expect(await keys('-p', 'a%')).toEqual(['a%', '']);
  expect(await keys('-p', 'c')).toEqual(['']);
  expect(
    JSON.parse((await reverie('list', '-n', 'alike', '-p', 'a/', '-l', '1', '--json')).out),
  ).toMatchObject({
    total: 3,
    memories: [{ key: 'a/1' }],
  });
  expect((await reverie('list', '-p', '')).code).toBe(2);
});

// Told in order: a draft that is kept lies there for those behind it.
describe('edit', { shuffle: false }, () => {
  /** An editor that does what the lines of a shell say; `$1` is the file. */
  function editor(script: string): { EDITOR: string } {
    const file = path.join(home, '..', `editor-${Buffer.from(script).toString('hex').slice(-40)}.sh`);
    fs.writeFileSync(file, `#!/bin/sh\n${script}\n`, { mode: 0o700 });
    return { EDITOR: `${file} --wait` };
  }
  // The first argument is what stands in the variable behind the editor's name.
  const edit = (script: string, ...args: string[]) =>
    at({ env: editor(`shift\n${script}`) }, 'edit', ...args);
  const drafts = () => fs.readdirSync(home).filter((name) => name.startsWith('editing-'));

  test('stores what was made of the text, with what else it has, and leaves no file', async () => {
    await reverie('set', 'plan', 'one\ntwo', '-n', 'edit', '-m', '{"a":1}', '--expires', '2099-01-01');
    const before = JSON.parse((await reverie('get', 'plan', '-n', 'edit', '--json')).out) as object;
    const look = `ls -ld "$1" "$(dirname "$1")" | cut -c1-10 > ${home}/../modes; sed -i 's/two/three/' "$1"; echo copy > "$1~"`;
    expect(await edit(look, 'plan', '-n', 'edit')).toEqual({
      code: 0,
      out: 'Stored plan in edit.\n',
      err: '',
    });
    expect(fs.readFileSync(path.join(home, '..', 'modes'), 'utf8')).toBe('drwx------\n-rw-------\n');
    const after = JSON.parse((await reverie('get', 'plan', '-n', 'edit', '--json')).out) as object;
    expect(after).toEqual({ ...before, value: 'one\nthree', updated_at: expect.any(String) as string });
    expect(drafts()).toEqual([]);
  });

  test('stores nothing where nothing was changed; an added end of the last line is no change', async () => {
    await reverie('set', 'same', 'text', '-n', 'edit');
    for (const script of ['true', 'printf "text\\n" > "$1"'])
      expect(await edit(script, 'same', '-n', 'edit')).toMatchObject({
        code: 0,
        err: 'Nothing was changed.\n',
      });
    expect((await reverie('history', 'same', '-n', 'edit')).out.trim().split('\n').length).toBe(1);
    await edit('printf "other\\n" > "$1"', 'same', '-n', 'edit');
    expect((await reverie('get', 'same', '-n', 'edit')).out).toBe('other');
  });

  test('a change of others meanwhile is shown, and nothing typed is lost', async () => {
    await reverie('set', 'shared', 'head\nold\nend', '-n', 'edit');
    const meanwhile = async (script: string, change: () => Promise<unknown>) => {
      const go = path.join(home, '..', 'go');
      fs.rmSync(go, { force: true });
      const ended = edit(
        `${script}; touch "$1.typed"; until [ -e ${go} ]; do sleep 0.02; done`,
        'shared',
        '-n',
        'edit',
      );
      await expect
        .poll(() =>
          drafts().some((name) => fs.readdirSync(path.join(home, name)).includes('shared.md.typed')),
        )
        .toBe(true);
      await change();
      fs.writeFileSync(go, '');
      return ended;
    };
    daemon.clock.advance(1000);
    const ended = await meanwhile('echo mine > "$1"', () =>
      reverie('set', 'shared', 'head\ntheirs\nend', '-n', 'edit'),
    );
    expect(ended).toMatchObject({ code: 1, out: '' });
    expect(ended.err).toMatch(
      /^shared was changed by someone else while you edited it, at .*:\n- old\n\+ theirs\n/,
    );
    const [, file = ''] =
      /What you typed is in (\S+)\. To go on with it:\n {2}reverie edit/.exec(ended.err) ?? [];
    expect(fs.readFileSync(file, 'utf8')).toBe('mine\n');
    expect((await reverie('get', 'shared', '-n', 'edit')).out).toBe('head\ntheirs\nend');
    expect((await reverie('doctor')).out).toContain('what was typed in `reverie edit`');

    const goneOn = await edit('echo both >> "$1"', 'shared', '-n', 'edit', '--from', file);
    expect(goneOn).toMatchObject({ code: 0, out: 'Stored shared in edit.\n' });
    expect((await reverie('get', 'shared', '-n', 'edit')).out).toBe('mine\nboth');
    expect(drafts()).toEqual([]);

    const deleted = await meanwhile('echo again > "$1"', () => reverie('delete', 'shared', '-n', 'edit'));
    expect(deleted.err).toMatch(
      /^shared was deleted by someone else.*\n.*\n {2}reverie set shared -n edit - < /,
    );
    fs.rmSync(path.join(home, drafts()[0] ?? '-'), { recursive: true });
  });

  test('an editor that fails stores nothing, and what was typed in it is kept', async () => {
    await reverie('set', 'text', 'text', '-n', 'edit');
    expect(await edit('exit 3', 'text', '-n', 'edit')).toMatchObject({
      code: 1,
      err: has('ended with code 3'),
    });
    expect(await at({ env: { VISUAL: 'no-such-editor' } }, 'edit', 'text', '-n', 'edit')).toMatchObject({
      code: 1,
      err: has('`no-such-editor` was not found'),
    });
    expect(await edit(': > "$1"', 'text', '-n', 'edit')).toMatchObject({ code: 1, err: has('is empty') });
    expect(drafts()).toEqual([]);
    const crashed = await edit('echo typed > "$1"; exit 1', 'text', '-n', 'edit');
    expect(crashed.err).toContain('What you typed is in ');
    const large = await edit(`head -c 1100000 /dev/zero | tr '\\0' x > "$1"`, 'text', '-n', 'edit');
    expect(large).toMatchObject({ code: 1 });
    expect(large.err).toMatch(/value.*What you typed is in /s);
    expect(drafts().length).toBe(2);
    expect((await reverie('get', 'text', '-n', 'edit')).out).toBe('text');
  });
});
