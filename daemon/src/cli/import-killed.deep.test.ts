import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { Client } from '@reverie/shared/client';
import { memoryKeys } from '@reverie/shared/contract/memories/memory-keys';
import { status } from '@reverie/shared/contract/system/system';
import { listTrash } from '@reverie/shared/contract/memories/trash';
import { verifyDatabase } from '../db/backup/verify.ts';
import { homeAt } from '../platform/home/home.ts';
import { killedDaemons } from '../testing/killed.ts';
import { run } from './fake-terminal.ts';

/** Another build may be under test: the bundle of the desktop app. */
const PROGRAM = process.env['REVERIE_COMMAND'] ?? path.resolve(import.meta.dirname, '../../bin/reverie.cjs');
const FILES = 1000;
const GONE = 900;

const temporary = killedDaemons();
const { start } = temporary;

/** An import in a process of its own; `ended` once it is over, however. */
function launch(home: string, notes: string) {
  const env = { ...process.env, REVERIE_HOME: home, NO_COLOR: '1' };
  const command = spawn(process.execPath, [PROGRAM, 'import', notes, '--prune', '--yes'], {
    env,
    stdio: 'ignore',
  });
  return { command, ended: once(command, 'close') };
}

const trashed = async (call: Client) => (await call(listTrash, { query: { limit: 1, preview: 1 } })).total;
const here = async (call: Client) => (await call(memoryKeys, { query: { limit: 10_000 } })).keys.sort();

test('kill -9 of the command or the daemon in the middle of an import prunes nothing that is there, and loses nothing', async () => {
  const home = path.join(temporary.folder, 'home');
  const notes = path.join(temporary.folder, 'notes');
  fs.mkdirSync(notes);
  const write = (name: string) => fs.writeFileSync(path.join(notes, name), `note ${name}`);
  const named = (what: string) => Array.from({ length: FILES }, (_, n) => `${what}-${n}.md`);
  const [old, young] = [named('old'), named('young')];
  let { daemon, call } = await start(home);
  for (const name of old) write(name);
  expect((await run({ home }, 'import', notes)).code).toBe(0);
  for (const name of old.slice(0, GONE)) fs.rmSync(path.join(notes, name));
  for (const name of young) write(name);

  // The command ends before it has brought all: nothing is pruned.
  const first = launch(home, notes);
  while ((await call(status, {})).memories === FILES);
  first.command.kill('SIGKILL');
  await first.ended;
  expect(await trashed(call)).toBe(0);
  expect(await here(call)).toEqual(expect.arrayContaining(old));

  // The daemon ends while it prunes: what is in the trash are whole batches, and everything is here or there.
  const second = launch(home, notes);
  while ((await trashed(call)) === 0);
  daemon.kill('SIGKILL');
  await Promise.all([daemon.ended, second.ended]);
  expect(verifyDatabase(homeAt(home).database).problems).toEqual([]);
  ({ daemon, call } = await start(home));
  const moved = await trashed(call);
  expect([500, GONE]).toContain(moved);
  const left = await here(call);
  expect(left).toEqual(expect.arrayContaining([...old.slice(GONE), ...young]));
  expect(left.length).toBe(2 * FILES - moved);

  expect((await run({ home }, 'import', notes, '--prune')).code).toBe(0);
  expect([await trashed(call), await here(call)]).toEqual([GONE, [...old.slice(GONE), ...young].sort()]);
  daemon.kill('SIGTERM');
  expect(await daemon.ended).toMatchObject({ code: 0, stderr: '' });
  expect(verifyDatabase(homeAt(home).database).problems).toEqual([]);
});
