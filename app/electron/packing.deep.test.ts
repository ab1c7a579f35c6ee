import { execFile } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const ROOT = path.join(import.meta.dirname, '../..');
const run = promisify(execFile);
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'reverie-packing-'));
const packed = path.join(folder, 'out/linux-unpacked');

/** What marks the place of the fuses in Electron's binary; `@electron/fuses` looks for it. */
const SENTINEL = 'dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX';
const FUSES = 9;

/** A folder like that of Electron's release, without a program in it: what is packed around it is real. */
function standIn(): string {
  const dist = path.join(folder, 'electron');
  fs.mkdirSync(path.join(dist, 'resources'), { recursive: true });
  fs.mkdirSync(path.join(dist, 'locales'));
  const wire = Buffer.concat([
    Buffer.from(SENTINEL),
    Buffer.from([1, FUSES]),
    Buffer.from('1'.repeat(FUSES)),
  ]);
  fs.writeFileSync(path.join(dist, 'electron'), Buffer.concat([Buffer.from('#!/bin/false\n'), wire]), {
    mode: 0o755,
  });
  for (const file of ['LICENSE', 'LICENSES.chromium.html', 'version', 'chrome-sandbox', 'locales/en-US.pak'])
    fs.writeFileSync(path.join(dist, file), '45.0.0');
  return dist;
}

/** Linux alone: the others need their own tools. */
describe.skipIf(process.platform !== 'linux')('what electron-builder packs', () => {
  beforeAll(async () => {
    const node = (script: string) => run(process.execPath, [path.join(ROOT, script)], { cwd: ROOT });
    await node('scripts/build-desktop.ts');
    await node('scripts/build-daemon.ts');
    const builder = path.join(ROOT, 'node_modules/electron-builder/cli.js');
    const args = ['--dir', '--linux', '--publish', 'never', '--config', 'electron-builder.yml'];
    const own = [`-c.electronDist=${standIn()}`, `-c.directories.output=${path.join(folder, 'out')}`];
    await run(process.execPath, [builder, ...args, ...own], { cwd: ROOT });
  });
  afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

  test('has the fuses set as they are decided, one for each that Electron has', () => {
    const program = fs.readFileSync(path.join(packed, 'reverie-desktop'));
    const at = program.indexOf(SENTINEL) + SENTINEL.length;
    expect([...program.subarray(at, at + 2)]).toEqual([1, FUSES]);
    // In the order of `FuseV1Options`: 0 is off, 1 is on.
    expect(program.subarray(at + 2, at + 2 + FUSES).toString()).toBe('010011001');
  });

  test('keeps its own files in one archive, and beside it what is run by itself', async () => {
    const { stdout } = await run(process.execPath, [
      path.join(ROOT, 'node_modules/@electron/asar/bin/asar.js'),
      'list',
      path.join(packed, 'resources/app.asar'),
    ]);
    const files = stdout.split('\n');
    for (const file of ['/main.cjs', '/package.json', '/page/index.html', '/icons/dormant-dark.png'])
      expect(files).toContain(file);
    expect(files.filter((file) => /node_modules|\.node$|\.br$/.test(file))).toEqual([]);
    expect(fs.readdirSync(path.join(packed, 'resources'))).toEqual(
      expect.arrayContaining(['app.asar', 'daemon', 'node']),
    );
  });

  test('has a daemon that the Node beside it runs', async () => {
    const node = path.join(packed, 'resources/node/node');
    const command = path.join(packed, 'resources/daemon/daemon/bin/reverie.cjs');
    const env = {
      PATH: '/usr/bin:/bin',
      HOME: folder,
      REVERIE_HOME: path.join(folder, 'home'),
      REVERIE_PORT: '0',
    };
    const reverie = async (...args: string[]) =>
      (await run(node, [command, ...args], { cwd: folder, env })).stdout;
    await reverie('start', '--background');
    try {
      await reverie('set', 'tea', 'Green tea at 80 degrees');
      expect(await reverie('search', 'tea')).toContain('Green tea');
    } finally {
      await reverie('stop');
    }
  });
});
