/**
 * What a folder that is followed stands, and how soon its changes are here:
 *
 *   npm run bench:folders -- [--operations 2000] [--seconds 300] [--files 10000] [--seed 1] [--output FILE]
 *
 * First real editors' ways of saving, by chance, over the seconds: the daemon is killed with -9 after a third of them, in the
 * midst, and stopped and started after two thirds, while edits go on. At the end each memory has to say what its file says, told by a
 * reading of the folder that shares nothing with the daemon's. Then many files at once, one save at a time among them, and a start
 * that reads them all again. Targets: equal; a save is here within a second.
 */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual, parseArgs } from 'node:util';
import { type Client, createClient } from '@reverie/shared/client';
import { addFolder, type Folder, listFolders, removeFolder } from '@reverie/shared/contract/memories/folders';
import { getMemory, listMemories } from '@reverie/shared/contract/memories/memories';
import { createEditors, notesBelow, seeded } from '../../daemon/src/features/folders/testing/editors.ts';
import { homeAt } from '../../daemon/src/platform/home/home.ts';
import { type DaemonProcess, spawnDaemon } from '../../daemon/src/testing.ts';

const { values: options } = parseArgs({
  options: {
    operations: { type: 'string', default: '2000' },
    seconds: { type: 'string', default: '300' },
    files: { type: 'string', default: '10000' },
    seed: { type: 'string', default: '1' },
    output: { type: 'string' },
  },
});
const OPERATIONS = Number(options.operations);
const GAP = (Number(options.seconds) * 1000) / OPERATIONS;
const FILES = Number(options.files);
const SAVES = 50;
/** How long equality may take at the end, ms. */
const PATIENCE = 30_000;

const temporary = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'reverie-bench-folders-')));
const homeFolder = path.join(temporary, 'home');
let daemon: DaemonProcess;
let call: Client;

async function start(): Promise<void> {
  daemon = spawnDaemon(homeFolder);
  const origin = await daemon.ready;
  const key = fs.readFileSync(homeAt(homeFolder).ownerKey, 'utf8').trim();
  call = createClient({ origin, key: () => key });
}

async function stop(signal: NodeJS.Signals): Promise<void> {
  daemon.kill(signal);
  await daemon.ended;
}

async function stored(namespace: string): Promise<Record<string, string>> {
  const all: Record<string, string> = {};
  for (let offset = 0; ; offset += 1000) {
    const { memories } = await call(listMemories, { body: { namespace, limit: 1000, offset } });
    for (const { key, value = '' } of memories) all[key] = value;
    if (memories.length < 1000) return all;
  }
}

async function folderState(): Promise<Folder | undefined> {
  return (await call(listFolders, {})).folders[0];
}

/** Waits until something holds; answers after how many ms, or Infinity where it never did. */
async function until(holds: () => Promise<boolean>, gap = 50, patience = PATIENCE): Promise<number> {
  const from = performance.now();
  while (!(await holds())) {
    if (performance.now() - from > patience) return Infinity;
    await sleep(gap);
  }
  return performance.now() - from;
}

async function editing(): Promise<{ isEqual: boolean; afterMs: number; notes: number; issues: number }> {
  const random = seeded(Number(options.seed));
  const root = path.join(temporary, 'edited');
  const editors = createEditors({ root, outside: path.join(temporary, 'outside'), random });
  const { id } = await call(addFolder, { body: { path: root, namespace: 'edited', format: 'markdown' } });
  let restarting = Promise.resolve();
  const again = (signal: NodeJS.Signals) => restarting.then(() => stop(signal)).then(start);
  for (let at = 0; at < OPERATIONS; at += 1) {
    editors.step();
    if (at === Math.floor(OPERATIONS / 3)) restarting = again('SIGKILL');
    if (at === Math.floor((OPERATIONS * 2) / 3)) restarting = again('SIGTERM');
    // Bursts, and quiet between them, as people do.
    await sleep(GAP * 2 * random());
  }
  await restarting;
  const afterMs = await until(async () => isDeepStrictEqual(await stored('edited'), notesBelow(root)), 100);
  const found = { isEqual: afterMs < Infinity, afterMs, notes: Object.keys(notesBelow(root)).length };
  const issues = (await folderState())?.issues_total ?? -1;
  await call(removeFolder, { params: { id } });
  return { ...found, issues };
}

interface Many {
  files: number;
  all_s: number;
  save_ms: { p50: number; p95: number; worst: number };
  again_s: number;
}

async function many(): Promise<Many> {
  const root = path.join(temporary, 'many');
  fs.mkdirSync(root);
  await call(addFolder, { body: { path: root, namespace: 'many', format: 'markdown' } });
  await until(async () => (await folderState())?.state.kind === 'watching');
  const from = performance.now();
  for (let at = 0; at < FILES; at += 1) {
    const folder = path.join(root, `part-${at % 40}`);
    if (at < 40) fs.mkdirSync(folder);
    fs.writeFileSync(
      path.join(folder, `note ${at}.md`),
      `# Note ${at}\n\n${'pears and apples '.repeat(20)}${at}\n`,
    );
  }
  await until(async () => (await folderState())?.memories === FILES, 250, 600_000);
  const all_s = (performance.now() - from) / 1000;
  await until(async () => (await folderState())?.state.kind === 'watching', 50, 600_000);
  const saves: number[] = [];
  for (let at = 0; at < SAVES; at += 1) {
    const key = `part-${at % 40}/note ${at}.md`;
    const value = `# Note ${at}\n\nsaved anew ${at}\n`;
    fs.writeFileSync(path.join(root, key), value);
    saves.push(
      await until(
        async () => (await call(getMemory, { body: { key, namespace: 'many' } })).value === value,
        10,
      ),
    );
  }
  saves.sort((a, b) => a - b);
  await stop('SIGTERM');
  const again = performance.now();
  await start();
  await until(async () => (await folderState())?.state.kind === 'watching', 50, 600_000);
  return {
    files: FILES,
    all_s,
    again_s: (performance.now() - again) / 1000,
    save_ms: {
      p50: saves[SAVES / 2] ?? 0,
      p95: saves[Math.floor(SAVES * 0.95)] ?? 0,
      worst: saves.at(-1) ?? 0,
    },
  };
}

await start();
try {
  const edited = await editing();
  console.log(
    `${OPERATIONS} operations in ${options.seconds} s, kill -9 and a restart: ${edited.isEqual ? 'equal' : 'NOT EQUAL'} after ${Math.round(edited.afterMs)} ms; ${edited.notes} notes, ${edited.issues} issues`,
  );
  const crowd = FILES > 0 ? await many() : undefined;
  if (crowd) {
    const { p50, p95, worst } = crowd.save_ms;
    console.log(`${crowd.files} files at once: all here after ${crowd.all_s.toFixed(1)} s`);
    console.log(
      `one save among them: ${Math.round(p50)} ms (p95 ${Math.round(p95)}, worst ${Math.round(worst)})`,
    );
    console.log(`a start that reads them all again: ${crowd.again_s.toFixed(1)} s`);
  }
  const report = { seed: Number(options.seed), operations: OPERATIONS, edited, crowd };
  if (options.output !== undefined) fs.writeFileSync(options.output, `${JSON.stringify(report, null, 2)}\n`);
  if (!edited.isEqual || (crowd && crowd.save_ms.p95 > 1000)) process.exitCode = 1;
} finally {
  await stop('SIGTERM');
  fs.rmSync(temporary, { recursive: true, force: true });
}
