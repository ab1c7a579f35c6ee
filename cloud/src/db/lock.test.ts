import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import v8 from 'node:v8';
import vm from 'node:vm';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { takeLock } from './lock.ts';

let folder: string;
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'reverie-relay-lock-'));
});
afterEach(() => fs.rmSync(folder, { recursive: true }));

v8.setFlagsFromString('--expose_gc');
const collect = vm.runInNewContext('gc') as () => void;

test('a lock holds although nobody keeps what would release it, and is free once released', async () => {
  takeLock(path.join(folder, 'relay.lock'));
  const release = takeLock(path.join(folder, 'other.lock'));
  for (let round = 0; round < 5; round += 1) {
    await turn();
    collect();
  }
  expect(() => takeLock(path.join(folder, 'relay.lock'))).toThrow('Another relay runs');
  expect(() => takeLock(path.join(folder, 'other.lock'))).toThrow('Another relay runs');
  release();
  takeLock(path.join(folder, 'other.lock'))();
});

test.skipIf(process.platform === 'win32')(
  'only its user can read a lock, and one of an older program',
  () => {
    fs.writeFileSync(path.join(folder, 'old.lock'), '', { mode: 0o644 });
    for (const name of ['new.lock', 'old.lock']) {
      const release = takeLock(path.join(folder, name));
      expect(fs.statSync(path.join(folder, name)).mode & 0o777).toBe(0o600);
      release();
    }
  },
);
