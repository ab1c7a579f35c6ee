import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { resolveConfig } from '../../../daemon/src/config/config.ts';
import { loadMigrations } from '../../../daemon/src/db/migrations.ts';
import { openStore } from '../../../daemon/src/db/open-store.ts';
import { describeFileError, homeAt } from '../../../daemon/src/platform/home/home.ts';
import { takeLock } from '../../../daemon/src/platform/home/lock.ts';
import { createTroubleDialog } from './trouble-dialog.ts';
import { troubleOf } from './trouble.ts';
import { fakeDesktop } from '../testing/fake-desktop.ts';

let folder: string;
beforeEach(() => (folder = fs.mkdtempSync(path.join(os.tmpdir(), 'reverie-trouble-'))));
afterEach(() => fs.rmSync(folder, { recursive: true }));

function wordsOf(run: () => unknown): string {
  try {
    run();
  } catch (cause) {
    return (cause as Error).message;
  }
  throw new Error('It was not refused');
}

// The daemon's own words, by what makes it say them: were they changed, nobody would be helped any more.
test('a locked home', () => {
  const lock = takeLock(homeAt(folder));
  const words = wordsOf(() => takeLock(homeAt(folder)));
  lock.release();
  expect(troubleOf(words)).toMatchObject({
    title: 'Another Reverie holds these memories',
    remedies: ['try_again', 'quit'],
  });
});

test('a full disk', () => {
  const words = describeFileError(Object.assign(new Error('x'), { code: 'ENOSPC' }), folder);
  expect(troubleOf(words).title).toBe('The disk is full');
});

test('a newer database', () => {
  const file = path.join(folder, 'reverie.db');
  const migrations = loadMigrations();
  openStore({ file, migrations }).close();
  const words = wordsOf(() => openStore({ file, migrations: migrations.slice(0, -1) }));
  expect(troubleOf(words).title).toBe('These memories were kept by a newer Reverie');
});

test('a folder that cannot be written to, a wrong setting, a port that is taken, and what nobody foresaw', () => {
  expect(troubleOf(describeFileError(Object.assign(new Error('x'), { code: 'EACCES' }), folder)).title).toBe(
    'The folder of your memories cannot be used',
  );
  fs.writeFileSync(path.join(folder, 'config.json'), '{"port": "many"}');
  const wrong = wordsOf(() => resolveConfig({ file: path.join(folder, 'config.json'), env: {}, flags: {} }));
  expect(troubleOf(wrong).title).toBe('A setting is wrong');
  expect(troubleOf('The port 7337 is in use by another program.').remedies[0]).toBe('other_port');
  expect(troubleOf('Another program answers at http://127.0.0.1:7337').remedies[0]).toBe('other_port');
  expect(troubleOf('Error: boom')).toMatchObject({ title: 'Reverie does not start', detail: 'Error: boom' });
});

test('a person is asked one thing at a time, and what they choose is done', async () => {
  const desktop = fakeDesktop();
  const did: string[] = [];
  const tell = createTroubleDialog({
    desktop,
    folder: '/home/memories',
    useOtherPort: () => did.push('other port'),
  });
  const retry = () => void did.push('retry');
  desktop.answers.push(0, 1);
  await Promise.all([tell('The port 7337 is in use', retry), tell('The port 7337 is in use', retry)]);
  expect([desktop.questions.length, did]).toEqual([1, ['other port', 'retry']]);
  desktop.answers = [1];
  await tell('The disk that holds /x is full', retry);
  expect(desktop.opened).toEqual(['/home/memories']);
  // Closing the window leaves everything as it is.
  await tell('Error: boom', retry);
  expect([did.length, desktop.hasQuit]).toEqual([2, false]);
});
