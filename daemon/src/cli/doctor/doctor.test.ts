import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Config } from '../../config/config.ts';
import { loadMigrations } from '../../db/migrations.ts';
import { openStore } from '../../db/open-store.ts';
import { homeAt } from '../../platform/home/home.ts';
import { writeDaemonFile } from '../../platform/home/daemon-file.ts';
import { takeLock } from '../../platform/home/lock.ts';
import { examine } from '../doctor.ts';
import { has, like } from '../fake-terminal.ts';
import { checkConfig, checkDaemon, checkPort, storageTrouble } from './daemon.ts';
import { checkBackups, checkDatabase, checkLinks } from './database.ts';
import type { Patient } from './finding.ts';
import { checkKeychain } from './keychain.ts';
import { checkLeftovers } from './leftovers.ts';
import { checkClock, checkDisk, checkHome, checkNode } from './machine.ts';

let folder: string;
let patient: Patient;

beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'reverie-doctor-'));
  patient = { home: homeAt(path.join(folder, 'home')), env: {}, now: Date.now() };
});

afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));

function makeHome(): void {
  fs.mkdirSync(patient.home.folder, { mode: 0o700 });
}

function makeDatabase(): void {
  makeHome();
  openStore({ file: patient.home.database, migrations: loadMigrations() }).close();
}

describe('doctor', () => {
  test('finds nothing wrong where there is no home yet, and makes none', async () => {
    const found = [checkDisk(patient), checkHome(patient), checkBackups(patient), checkClock(patient)];
    found.push(await checkDatabase(patient), await checkDaemon(patient), checkConfig(patient).finding);
    expect(found.filter(({ level }) => level === 'problem')).toEqual([]);
    expect(fs.existsSync(patient.home.folder)).toBe(false);
  });

  test('goes on where a check cannot be made', async () => {
    fs.symlinkSync(patient.home.folder, patient.home.folder);
    const findings = await examine(patient);
    expect(findings.map(({ check }) => check)).toEqual(
      'Node,Disk,Home,Settings,Daemon,Database,Links,Backups,Session logs,Leftovers,Keychain,Clock'.split(
        ',',
      ),
    );
    expect(findings.find(({ check }) => check === 'Home')).toMatchObject({
      level: 'problem',
      text: has('ELOOP'),
    });
  });

  test('counts links that lead nowhere', () => {
    expect(checkLinks(patient).text).toBe('there are none yet');
    makeDatabase();
    expect(checkLinks(patient).text).toBe('there are none');
  });

  test('knows which Node is enough', () => {
    expect(
      ['v22.18.0', 'v24.0.0', 'v22.17.9', 'v20.20.2'].map((version) => checkNode(version).level),
    ).toEqual(['ok', 'ok', 'problem', 'problem']);
  });

  test('sees a home that others can read, and one that is a file', () => {
    makeHome();
    expect(checkHome(patient).level).toBe('ok');
    fs.writeFileSync(patient.home.ownerKey, 'x', { mode: 0o644 });
    expect(checkHome(patient)).toMatchObject({
      level: 'problem',
      text: has('owner-key'),
    });
    fs.rmSync(patient.home.folder, { recursive: true });
    fs.writeFileSync(patient.home.folder, 'x');
    expect(checkHome(patient)).toMatchObject({
      level: 'problem',
      text: has('not a folder'),
    });
  });

  test('names a wrong setting', () => {
    makeHome();
    fs.writeFileSync(patient.home.config, '{"port": "many"}');
    const { finding, config } = checkConfig(patient);
    expect(finding).toMatchObject({ level: 'problem', text: like(/port.*"many"/) });
    expect(config).toBeUndefined();
  });

  test('sees who holds the lock without answering', async () => {
    makeHome();
    const lock = takeLock(patient.home);
    expect(await checkDaemon(patient)).toMatchObject({
      level: 'problem',
      text: has('lock'),
    });
    lock.release();
    expect((await checkDaemon(patient)).level).toBe('ok');
  });

  test('sees a port that another program uses', async () => {
    const server = net.createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as net.AddressInfo;
    const config = Config.parse({ port });
    expect(await checkPort(patient, config)).toMatchObject({
      level: 'problem',
      todo: has('port'),
    });
    // Reverie itself runs, at another one: then nothing is wrong now.
    makeHome();
    const lock = takeLock(patient.home);
    writeDaemonFile(patient.home, {
      pid: process.pid,
      origin: 'http://127.0.0.1:1',
      nonce: 'n',
      started_at: new Date(patient.now).toISOString(),
      version: '0',
    });
    expect(await checkPort(patient, config)).toMatchObject({
      level: 'warning',
      text: has('Reverie listens at http://127.0.0.1:1'),
    });
    lock.release();
    await new Promise((resolve) => server.close(resolve));
    expect((await checkPort(patient, config)).level).toBe('ok');
  });

  test('finds a sound database sound, while its log is open too', async () => {
    makeHome();
    const store = openStore({ file: patient.home.database, migrations: loadMigrations() });
    expect(await checkDatabase(patient)).toMatchObject({
      level: 'ok',
      text: has('0 memories'),
    });
    store.close();
  });

  test.each<[string, RegExp, (file: string) => void]>([
    ['is newer', /version 9999/, (file) => change(file, 'PRAGMA user_version = 9999')],
    ['is no database', /cannot be read/, (file) => fs.writeFileSync(file, 'hello'.repeat(1000))],
    ['was cut off', /./, (file) => fs.truncateSync(file, 8192)],
    [
      'disagrees with its indexes',
      /counts of 1 namespaces/,
      (file) =>
        change(
          file,
          `INSERT INTO accounts (id, public_id, kind, tier, created_at) VALUES (7, 'acc_7', 'bot', 'free', 0);
           CREATE TABLE text_7_content (id INTEGER PRIMARY KEY);
           INSERT INTO namespaces (account, name, memories, bytes, chunks, next_chunk, updated_at) VALUES (7, 'n', 3, 0, 0, 0, 0)`,
        ),
    ],
  ])('says what to do about a database that %s', async (_what, text, spoil) => {
    makeDatabase();
    spoil(patient.home.database);
    const found = await checkDatabase(patient);
    expect(found).toMatchObject({ level: 'problem', text: like(text) });
    expect(found.todo).toMatch(/restore|newer Reverie/);
  });

  function change(file: string, sql: string): void {
    const db = new Database(file);
    db.exec(sql);
    db.close();
  }

  test('names what lies in the home that nothing uses, and what takes it away', () => {
    makeDatabase();
    fs.mkdirSync(patient.home.backups);
    expect(checkLeftovers(patient)).toMatchObject({ level: 'ok' });
    const draft = path.join(patient.home.backups, 'a.db.0123456789ab.draft');
    fs.writeFileSync(draft, Buffer.alloc(3_000_000));
    expect(checkLeftovers(patient)).toMatchObject({
      level: 'warning',
      text: like(/^backups.a\.db\.0123456789ab\.draft \(.*MiB, half a backup\)$/),
      todo: like(/^Start Reverie: it takes away .*hour\.$/),
    });
    fs.writeFileSync(path.join(patient.home.folder, 'notes.txt'), 'x');
    fs.writeFileSync(`${patient.home.database}-wal`, 'x');
    const found = checkLeftovers(patient);
    expect(found.text).toMatch(
      /draft.*; notes\.txt \(.*nothing of Reverie\); reverie\.db-wal \(.*keep it\)$/,
    );
    expect(found.todo).toMatch(/^Start Reverie.*Look at what is not of Reverie.*yourself\.$/);
    for (let n = 0; n < 20; n += 1) fs.writeFileSync(path.join(patient.home.folder, `${n}.txt`), '');
    expect(checkLeftovers(patient).text).toContain('; 12 more; reverie.db-wal');

    // While Reverie runs, its log is in use, and a new draft is a backup that is being made.
    const lock = takeLock(patient.home);
    expect(checkLeftovers(patient).text).not.toMatch(/draft|-wal/);
    expect(checkLeftovers({ ...patient, now: patient.now + 3_600_000 }).text).toContain('draft');
    lock.release();
  });

  test('tells of a full disk, and of who reads the database for long', () => {
    const ok = { state: 'ok', since: null, log_waits_since: null } as const;
    const since = new Date(patient.now).toISOString();
    expect(storageTrouble(ok, patient.now)).toBeUndefined();
    expect(storageTrouble({ ...ok, state: 'full', since }, patient.now)).toMatchObject({
      level: 'problem',
      text: has(`the disk is full since ${since}`),
      todo: has('Free some space'),
    });
    const read = { ...ok, log_waits_since: since };
    expect(storageTrouble(read, patient.now + 1000)).toBeUndefined();
    expect(storageTrouble(read, patient.now + 60_000)).toMatchObject({
      level: 'warning',
      text: has('another program reads the database'),
    });
  });

  test('tells the age of the newest backup, and does not count what a restore set aside', () => {
    makeDatabase();
    fs.mkdirSync(patient.home.backups);
    const write = (name: string, daysAgo: number) => {
      const file = path.join(patient.home.backups, name);
      fs.writeFileSync(file, 'x');
      const time = new Date(patient.now - daysAgo * 86_400_000);
      fs.utimesSync(file, time, time);
    };
    write('before-restore-x.db', 0);
    expect(checkBackups(patient)).toMatchObject({ level: 'warning', text: 'there is none' });
    write('old.db', 40);
    expect(checkBackups(patient)).toMatchObject({ level: 'warning', text: 'the newest is 40 days old' });
    write('new.db', 1);
    expect(checkBackups(patient)).toMatchObject({ level: 'ok', text: 'the newest is 1 day old' });
    write('newer.db', 0);
    expect(checkBackups(patient)).toMatchObject({ level: 'ok', text: 'the newest is less than a day old' });
  });

  test('doubts a clock of another century, one that went back, and one that the disk does not share', () => {
    makeDatabase();
    expect(checkClock(patient).level).toBe('ok');
    expect(checkClock({ ...patient, now: Date.UTC(1970, 0, 2) }).level).toBe('problem');
    expect(checkClock({ ...patient, now: Date.UTC(2199, 0, 1) }).level).toBe('problem');
    expect(checkClock({ ...patient, now: Number.NaN }).level).toBe('problem');
    expect(checkClock({ ...patient, now: patient.now - 3_600_000 })).toMatchObject({
      level: 'problem',
      text: has('60 minutes later'),
    });
    expect(checkClock({ ...patient, now: patient.now + 3_600_000 }).level).toBe('warning');
  });

  test.each([
    ['process.stdout.write("ok\\n")', 20_000, /it answers/],
    ['setInterval(() => {}, 1000)', 200, /does not answer within 0.2 s/],
    ['process.kill(process.pid, "SIGKILL")', 20_000, /ended with SIGKILL/],
    ['process.stdout.write("it cannot be used: no D-Bus\\n")', 20_000, /no D-Bus/],
    ['process.stdout.write("it cannot be used: Cannot find package \'keytar\'\\n")', 20_000, /be built/],
  ])('asks the keychain in a process of its own: %s', async (program, longest, text) => {
    const probe = path.join(folder, 'probe.mjs');
    fs.writeFileSync(probe, program);
    const found = await checkKeychain(probe, longest);
    expect(found.text).toMatch(text);
    expect(found.level).toBe(found.text === 'it answers' ? 'ok' : 'warning');
  });
});
