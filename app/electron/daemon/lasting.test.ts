import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { lastingProgram } from './lasting.ts';

let folder: string;
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'reverie-lasting-'));
  fs.mkdirSync(path.join(folder, 'mount/daemon/daemon/bin'), { recursive: true });
  fs.writeFileSync(path.join(folder, 'mount/node'), 'node', { mode: 0o755 });
  fs.writeFileSync(path.join(folder, 'mount/daemon/daemon/bin/reverie.cjs'), 'command');
  fs.writeFileSync(path.join(folder, 'mount/daemon/LICENSE'), 'MIT');
});
afterEach(() => fs.rmSync(folder, { recursive: true }));

const lasting = (version: string, env: NodeJS.ProcessEnv = { APPIMAGE: '/home/anna/Reverie.AppImage' }) =>
  lastingProgram({
    program: {
      node: path.join(folder, 'mount/node'),
      script: path.join(folder, 'mount/daemon/daemon/bin/reverie.cjs'),
    },
    home: { folder: path.join(folder, 'home') },
    env,
    version,
  });

test('an installed program is run where it is', async () => {
  expect((await lasting('1.0.0', {})).node).toBe(path.join(folder, 'mount/node'));
  expect(fs.existsSync(path.join(folder, 'home'))).toBe(false);
});

test('that of an AppImage outlives it, once for each version', async () => {
  const { node, script } = await lasting('1.0.0');
  fs.rmSync(path.join(folder, 'mount/daemon/LICENSE'));
  expect(await lasting('1.0.0')).toEqual({ node, script });
  expect([fs.readFileSync(node, 'utf8'), fs.readFileSync(script, 'utf8')]).toEqual(['node', 'command']);
  expect(fs.statSync(node).mode & 0o111).not.toBe(0);
  expect(fs.existsSync(path.join(folder, 'home/runtime/1.0.0/daemon/LICENSE'))).toBe(true);
  await lasting('1.1.0');
  expect(fs.readdirSync(path.join(folder, 'home/runtime'))).toEqual(['1.1.0']);
});

test('a copy that was cut off is made anew', async () => {
  fs.mkdirSync(path.join(folder, 'home/runtime/1.0.0.part/daemon'), { recursive: true });
  expect(fs.existsSync((await lasting('1.0.0')).script)).toBe(true);
  expect(fs.readdirSync(path.join(folder, 'home/runtime'))).toEqual(['1.0.0']);
});
