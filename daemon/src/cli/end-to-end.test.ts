import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { status } from '@reverie/shared/contract/system/system';
import Database from 'better-sqlite3';
import { deepTest } from '@reverie/shared/testing/depth';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { homeAt } from '../platform/home/home.ts';
import { readDaemonFile } from '../platform/home/daemon-file.ts';
import { isHeld } from '../platform/home/lock.ts';
import { connect } from './connection.ts';
import { type Ended, has, like, run } from './fake-terminal.ts';

/** Another build may be under test: the bundle of the desktop app. */
const PROGRAM = process.env['REVERIE_COMMAND'] ?? path.resolve(import.meta.dirname, '../../bin/reverie.cjs');

let folder: string;
const home = (name = 'home') => homeAt(path.join(folder, name));

beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'reverie-e2e-'));
});

afterEach(async () => {
  for (const name of fs.readdirSync(folder)) {
    const left = readDaemonFile(home(name));
    if (left && isHeld(home(name))) process.kill(left.pid, 'SIGKILL');
    await expect.poll(() => isHeld(home(name))).toBe(false);
  }
  fs.rmSync(folder, { recursive: true });
});

function launch(name: string, args: readonly string[]): ChildProcess {
  const { REVERIE_HOME: _home, ...env } = process.env;
  return spawn(process.execPath, [PROGRAM, '--home', home(name).folder, ...args], { env });
}

async function ended(child: ChildProcess, stdin = ''): Promise<Ended> {
  let [out, err] = ['', ''];
  child.stdout?.setEncoding('utf8').on('data', (part: string) => (out += part));
  child.stderr?.setEncoding('utf8').on('data', (part: string) => (err += part));
  child.stdin?.end(stdin);
  const [code] = (await once(child, 'close')) as [number];
  return { code, out, err };
}

/** Within this process: for what is not about processes. */
const quick = (...args: string[]) => run({ home: home().folder }, ...args);
const reverieIn = (name: string, ...args: string[]) => ended(launch(name, args));
const reverie = (...args: string[]) => reverieIn('home', ...args);
const start = (name = 'home', ...more: string[]) =>
  reverieIn(name, 'start', '--background', '--port', '0', ...more);

async function logIdOf(name = 'home'): Promise<string> {
  const { client } = await connect(home(name));
  return (await client(status, {})).log_id;
}

/** An exported home, as text. */
async function exported(name: string, ...more: string[]): Promise<string> {
  const file = path.join(folder, `${name}-${more.length}.jsonl`);
  expect((await reverieIn(name, 'export', '-o', file, ...more)).code).toBe(0);
  return fs.readFileSync(file, 'utf8');
}

describe('running in the background', () => {
  test('starts once, answers, ends, and comes back after a kill', async () => {
    expect(await reverie('status')).toMatchObject({
      code: 1,
      out: '',
      err: like(/not running.*reverie start/),
    });
    expect(await reverie('stop')).toEqual({ code: 0, out: 'Reverie is not running.\n', err: '' });
    expect(fs.existsSync(home().folder)).toBe(false);

    const started = await start();
    expect(started).toMatchObject({
      code: 0,
      out: like(/^Reverie is ready at http:\/\/127\.0\.0\.1:\d+\n$/),
    });
    const running = readDaemonFile(home());
    for (const args of [['start'], ['start', '--background']])
      expect(await reverie(...args)).toMatchObject({
        code: 1,
        out: '',
        err: has(`process ${running?.pid}, ${running?.origin}`),
      });

    const value = `${'long '.repeat(60_000)}\n`;
    expect((await ended(launch('home', ['set', 'long']), value)).code).toBe(0);
    expect((await reverie('get', 'long')).out).toBe(value);
    const piped = `set -o pipefail; '${process.execPath}' '${PROGRAM}' --home '${home().folder}' get long | head -c 4`;
    expect(spawnSync('bash', ['-c', piped], { encoding: 'utf8' })).toMatchObject({
      status: 0,
      stdout: 'long',
      stderr: '',
    });

    process.kill(running?.pid ?? 0, 'SIGKILL');
    await expect.poll(() => isHeld(home())).toBe(false);
    expect(await reverie('get', 'long')).toMatchObject({
      code: 1,
      out: '',
      err: has('not running'),
    });
    expect((await reverie('stop')).out).toBe('Reverie is not running.\n');
    expect((await start()).code).toBe(0);
    expect((await reverie('get', 'long')).out).toBe(value);

    const log = fs.readFileSync(path.join(home().logs, 'reverie.log'), 'utf8').trim().split('\n');
    expect(log.map((line) => (JSON.parse(line) as { msg: string }).msg)).toContain('ready');
    expect(await reverie('stop')).toMatchObject({ code: 0, out: like(/has stopped\.\n$/) });
    expect(fs.existsSync(home().daemon)).toBe(false);
    expect(isHeld(home())).toBe(false);
  });

  deepTest('tells why it does not start', async () => {
    fs.mkdirSync(home().folder, { mode: 0o700 });
    fs.writeFileSync(home().config, '{"port": "many"}');
    expect(await reverie('start', '--background')).toMatchObject({
      code: 1,
      out: '',
      err: has('"many"'),
    });
    fs.rmSync(home().config);
    expect(await reverie('start', '-b', '--set', 'colour=red')).toMatchObject({
      code: 1,
      err: has('no setting colour'),
    });
    const taken = http.createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const { port } = taken.address() as AddressInfo;
    const refused = await reverie('start', '-b', '--port', String(port));
    taken.close();
    expect(refused).toMatchObject({
      code: 1,
      out: '',
      err: like(new RegExp(`^The port ${port} is in use.*\n$`)),
    });
    fs.writeFileSync(home().database, 'no database'.repeat(500));
    expect(await start()).toMatchObject({
      code: 1,
      out: '',
      err: like(/damaged.*doctor.*restore/),
    });
    expect(await reverie('doctor')).toMatchObject({
      code: 1,
      out: like(/^problem +Database: .*\n +Stop Reverie.*restore/m),
    });
    expect(fs.readFileSync(home().database, 'utf8')).toMatch(/^no database/);
  });

  test('never talks to another program on its port, nor ends it', async () => {
    await start();
    const running = readDaemonFile(home());
    process.kill(running?.pid ?? 0, 'SIGKILL');
    await expect.poll(() => isHeld(home())).toBe(false);
    const headers: (string | undefined)[] = [];
    const stranger = http.createServer((request, response) => {
      headers.push(request.headers.authorization);
      response.end('hello');
    });
    stranger.listen(Number(new URL(running?.origin ?? '').port), '127.0.0.1');
    await once(stranger, 'listening');
    expect(await reverie('get', 'x')).toMatchObject({
      code: 1,
      out: '',
      err: has('Another program answers'),
    });
    expect((await reverie('stop')).out).toBe('Reverie is not running.\n');
    stranger.close();
    expect(headers).toEqual([undefined]);
  });
});

const PNG_HEAD = Buffer.from('89504e470d0a1a0a', 'hex');

describe('bringing and taking', () => {
  test('a backup and a home that moves take the pictures of notes along, and what is damaged is told', async () => {
    await start();
    const notes = path.join(folder, 'vault');
    fs.mkdirSync(notes);
    fs.writeFileSync(path.join(notes, 'a.md'), '![[one.png]] ![[two.png]]');
    for (const name of ['one', 'two'])
      fs.writeFileSync(path.join(notes, `${name}.png`), Buffer.concat([PNG_HEAD, Buffer.from(name)]));
    expect((await reverie('import', notes, '-n', 'vault')).code).toBe(0);
    const hashes = fs.readdirSync(home().attachments);
    expect(hashes).toHaveLength(2);
    const backup = path.join(folder, 'pictures.db');
    expect(await reverie('backup', '-o', backup)).toMatchObject({
      code: 0,
      err: has(`${backup}.attachments`),
    });
    expect(fs.readdirSync(`${backup}.attachments`)).toEqual(hashes);
    expect(fs.readdirSync(home().backups)).toEqual([]);
    const moved = path.join(folder, 'moved.db');
    expect(await reverie('move', 'out', moved)).toMatchObject({ code: 0, err: has(`${moved}.attachments`) });
    expect(fs.readdirSync(`${moved}.attachments`)).toEqual(hashes);

    await reverie('stop');
    for (const hash of hashes) fs.rmSync(path.join(home().attachments, hash));
    const [damaged = '', sound = ''] = hashes;
    // Not written into: the copies are names of one file, as long as they are on one disk.
    fs.rmSync(path.join(`${backup}.attachments`, damaged));
    fs.writeFileSync(path.join(`${backup}.attachments`, damaged), 'other');
    expect(await reverie('restore', backup, '--yes')).toMatchObject({
      code: 0,
      err: like(/Left out of .*pictures\.db\.attachments: 1 file, damaged/),
    });
    expect(fs.readdirSync(home().attachments)).toEqual([sound]);
    expect(await reverie('move', 'in', moved, '--replace', '--yes')).toMatchObject({ code: 0 });
    expect(fs.readdirSync(home().attachments).sort()).toEqual(hashes.sort());
  });

  test('a restore brings the backup back, keeps what was there, and starts the daemon as it was', async () => {
    await start('home', '--set', 'log.level=debug');
    await quick('set', 'kept', 'one');
    const backup = path.join(folder, 'backup.db');
    expect((await reverie('backup', '-o', backup)).code).toBe(0);
    await quick('set', 'kept', 'two');
    await quick('set', 'later', 'three');
    const logId = await logIdOf();
    expect(await reverie('restore', backup)).toMatchObject({
      code: 2,
      err: has('--yes'),
    });
    const restored = await reverie('restore', backup, '--yes');
    expect(restored).toMatchObject({
      code: 0,
      err: like(/1 memory and 1 event\. Now there: 2 memories and 3 events/),
    });
    expect((await quick('get', 'kept')).out).toBe('one');
    expect((await quick('get', 'later')).code).toBe(1);
    expect(await logIdOf()).not.toBe(logId);
    const aside = fs.readdirSync(home().backups);
    expect(aside).toEqual([like(/^before-restore-.*\.db$/)]);
    expect(JSON.parse(fs.readFileSync(path.join(home().folder, 'background.json'), 'utf8'))).toMatchObject({
      nonce: readDaemonFile(home())?.nonce,
      flags: { 'log.level': 'debug', port: '0' },
    });
    // What was set aside is a backup itself; this time nothing runs before, so nothing is started.
    await reverie('stop');
    const back = await reverie('restore', path.join(home().backups, aside[0] ?? ''), '--yes');
    expect(back).toMatchObject({ code: 0, err: has('Start Reverie again') });
    expect(isHeld(home())).toBe(false);
    await start();
    expect((await quick('get', 'later')).out).toBe('three');
    expect(fs.readdirSync(home().folder).filter((name) => name.startsWith('incoming-'))).toEqual([]);
  });

  deepTest('an export makes the same memories in an empty home, in both forms', async () => {
    const notes = path.join(folder, 'notes');
    fs.mkdirSync(path.join(notes, 'deep'), { recursive: true });
    fs.writeFileSync(path.join(notes, 'one.md'), '---\ntags: [a, b]\n---\n# One\n\nText é 😀\n');
    fs.writeFileSync(path.join(notes, 'deep', 'two.md'), 'two\r\nlines\n\n');
    await start();
    expect((await reverie('import', notes)).code).toBe(0);
    await quick(
      'set',
      'error: odd/../key?*',
      ' ---\n ',
      '-n',
      'other: one',
      '-m',
      '{"deep":{"n":1.5}}',
      '--expires',
      '9d',
    );
    const first = await exported('home');
    expect(first.trim().split('\n').length).toBe(3);
    expect((await reverie('export', '-f', 'markdown', '-o', path.join(folder, 'markdown'))).code).toBe(0);
    for (const [name, source] of [
      ['lines', path.join(folder, 'home-0.jsonl')],
      ['files', path.join(folder, 'markdown')],
    ] as const) {
      await start(name);
      expect(await reverieIn(name, 'import', source)).toMatchObject({
        code: 0,
        out: like(/^created\t3$/m),
      });
      expect(await exported(name)).toBe(first);
    }
  });

  test('a vault that is imported and exported again is that vault; as OKF each note of it has a type', async () => {
    const vault = path.join(folder, 'vault');
    const text = '\uFEFF---\r\ntags: [drink]\r\n---\r\nOolong';
    fs.mkdirSync(path.join(vault, 'deep'), { recursive: true });
    fs.writeFileSync(path.join(vault, 'deep', 'tea.md'), text);
    fs.writeFileSync(path.join(vault, 'anchor.txt'), 'An anchor\n');
    await start();
    await reverie('import', vault, '-n', 'notes');
    await reverie('set', 'other', 'value');
    const out = (name: string) => path.join(folder, name);
    expect((await reverie('export', '-f', 'markdown', '-n', 'notes', '-o', out('again'))).code).toBe(0);
    expect(fs.readdirSync(out('again')).sort()).toEqual(['.reverie', 'anchor.txt', 'deep']);
    expect(fs.readFileSync(path.join(out('again'), 'deep', 'tea.md'), 'utf8')).toBe(text);
    expect((await reverie('import', out('again'))).out).toMatch(/^unchanged\t2$/m);
    expect((await reverie('export', '-f', 'okf', '-o', out('okf'))).code).toBe(0);
    expect(fs.readdirSync(out('okf')).sort()).toEqual(['default', 'notes']);
    expect(fs.readFileSync(path.join(out('okf'), 'notes', 'deep', 'tea.md'), 'utf8')).toBe(
      text.replace('---\r\n', '---\r\ntype: Note\n'),
    );
  });

  deepTest('an interrupted import says so, and goes on the next time', async () => {
    const many = path.join(folder, 'many.jsonl');
    // So many that it is far from its end when the first of them are seen.
    const count = 12_000;
    const lines = Array.from({ length: count }, (_, at) =>
      JSON.stringify({ key: `k${at}`, value: `value ${at}` }),
    );
    fs.writeFileSync(many, `${lines.join('\n')}\n`);
    await start();
    const { client } = await connect(home());
    const child = launch('home', ['import', many]);
    const result = ended(child);
    while ((await client(status, {})).memories === 0);
    child.kill('SIGINT');
    expect(await result).toMatchObject({ code: 1, err: like(/interrupted.*run it again/) });
    const { memories } = await client(status, {});
    expect(memories % 500).toBe(0);
    expect(memories).toBeLessThan(count);
    expect((await reverie('import', many)).out).toMatch(
      new RegExp(`^created\t${count - memories}\nupdated\t0\nunchanged\t${memories}$`, 'm'),
    );
  });

  deepTest('a refused restore leaves the running daemon alone', async () => {
    await start();
    const pid = readDaemonFile(home())?.pid;
    const file = path.join(folder, 'other.db');
    const db = new Database(file);
    db.exec('CREATE TABLE t (x)');
    db.close();
    expect(await reverie('restore', file, '--yes')).toMatchObject({
      code: 1,
      err: has('another program'),
    });
    expect(readDaemonFile(home())?.pid).toBe(pid);
    expect((await quick('status')).code).toBe(0);
  });

  deepTest('a move takes memories, settings and keys to a new machine', async () => {
    fs.mkdirSync(home().folder, { mode: 0o700 });
    fs.writeFileSync(home().config, '{"port":0}', { mode: 0o600 });
    await start();
    await quick('set', 'moved', 'value');
    const logId = await logIdOf();
    const file = path.join(folder, 'moving');
    expect(await reverie('move', 'out', file)).toMatchObject({
      code: 0,
      out: `${file}\n`,
      err: has('act with your keys'),
    });
    expect(fs.statSync(file).mode & 0o777).toBe(0o600);
    expect(fs.readdirSync(home().backups)).toEqual([]);
    expect(await reverie('restore', file, '--yes')).toMatchObject({
      code: 1,
      err: has('move in'),
    });
    expect(await reverie('move', 'in', file)).toMatchObject({
      code: 1,
      err: has('--replace'),
    });

    for (const [wrong, told] of [
      [path.join(folder, 'nope'), `There is no file ${path.join(folder, 'nope')}`],
      [home().config, `${home().config} is no database`],
    ] as const)
      expect(await reverie('move', 'in', wrong)).toMatchObject({ code: 1, err: has(told) });

    expect((await reverieIn('new', 'move', 'in', file)).code).toBe(0);
    for (const name of ['ownerKey', 'apiKey', 'config'] as const) {
      expect(fs.readFileSync(home('new')[name], 'utf8')).toBe(fs.readFileSync(home()[name], 'utf8'));
      expect(fs.statSync(home('new')[name]).mode & 0o777).toBe(0o600);
    }
    await start('new');
    expect(fs.readFileSync(home('new').apiKey, 'utf8')).toBe(fs.readFileSync(home().apiKey, 'utf8'));
    expect((await run({ home: home('new').folder }, 'get', 'moved')).out).toBe('value');
    expect(await logIdOf('new')).not.toBe(logId);

    await run({ home: home('new').folder }, 'set', 'only here', 'x');
    expect((await reverieIn('new', 'move', 'in', file, '--replace', '--yes')).code).toBe(0);
    expect((await run({ home: home('new').folder }, 'get', 'only here')).code).toBe(1);
    const kept = fs
      .readdirSync(home('new').backups)
      .map((name) => name.replace(/^before-restore-[\dT-]+Z/, ''));
    expect(kept.sort()).toEqual(['-api-key', '-config.json', '-owner-key', '.db'].sort());
  });
});
