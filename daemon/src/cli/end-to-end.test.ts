import { deepTest } from '@reverie/shared/testing/depth';
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { status } from '@reverie/shared/contract/system';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { homeAt } from '../platform/home.ts';
import { readDaemonFile } from '../platform/daemon-file.ts';
import { isHeld } from '../platform/lock.ts';
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
});

describe('bringing and taking', () => {
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
});
