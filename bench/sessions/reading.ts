/**
 * Reads a large log of a coding agent into a real daemon, and says how fast and in how much memory; beside it, in the same run, how fast
 * Node reads and parses the same lines without doing anything with them. `--mb N` (200).
 */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { listSources, setSource } from '@reverie/shared/contract/sessions/session-sources';
import { listSessions, searchSessions } from '@reverie/shared/contract/sessions/sessions';
import { wholeLines } from '@reverie/session-logs/lines';
import { startTestDaemon } from '../../daemon/src/testing.ts';
import { claudeLines } from './log-lines.ts';

const megabytes = Number(process.argv[process.argv.indexOf('--mb') + 1]) || 200;
const home = fs.mkdtempSync(path.join(os.tmpdir(), 'reverie-reading-'));
const session = '3f2a6c1e-8b1d-4c55-9a55-0d6c2f0e7a11';
const folder = path.join(home, '.claude/projects/-home-ada-src-api');
fs.mkdirSync(folder, { recursive: true });
const file = path.join(folder, `${session}.jsonl`);
const out = fs.openSync(file, 'w');
for (const line of claudeLines(session, megabytes * 1e6)) fs.writeSync(out, `${line}\n`);
fs.closeSync(out);
const size = fs.statSync(file).size / 1e6;

let began = performance.now();
let parsed = 0;
for await (const { text } of wholeLines(fs.createReadStream(file, { highWaterMark: 1 << 20 }))) {
  JSON.parse(text ?? '');
  parsed += 1;
}
const baseline = size / ((performance.now() - began) / 1000);

const daemon = await startTestDaemon({ env: { HOME: home } });
const resident = () => process.memoryUsage().rss / 1048576;
globalThis.gc?.();
const before = resident();
let most = before;
let longest = 0;
let last = performance.now();
const watch = setInterval(() => {
  most = Math.max(most, resident());
  longest = Math.max(longest, performance.now() - last - 20);
  last = performance.now();
}, 20);
began = performance.now();
await daemon.call(setSource, { params: { agent: 'claude-code' }, body: { enabled: true } });
for (;;) {
  const { sources } = await daemon.call(listSources, {});
  const state = sources.find(({ agent }) => agent === 'claude-code')?.state;
  if (state?.kind === 'following') break;
  if (state?.kind === 'failed') throw new Error(state.reason);
  await new Promise((resolve) => setTimeout(resolve, 100));
}
const seconds = (performance.now() - began) / 1000;
clearInterval(watch);
const { sessions } = await daemon.call(listSessions, { query: {} });
const hits = await daemon.call(searchSessions, { query: { q: 'staging redis' } });
console.log(
  `${size.toFixed(0)} MB, ${parsed} records, ${sessions[0]?.entries} entries, ${sessions[0]?.tokens} tokens`,
);
console.log(`read and parsed alone: ${baseline.toFixed(1)} MB/s`);
console.log(`into the daemon: ${seconds.toFixed(1)} s, ${(size / seconds).toFixed(1)} MB/s`);
console.log(
  `memory: ${before.toFixed(0)} MiB before, ${most.toFixed(0)} at most, ${(most - before).toFixed(0)} more`,
);
console.log(`longest that the daemon answered nobody: ${longest.toFixed(0)} ms; hits: ${hits.count}`);
console.log(`database: ${(fs.statSync(daemon.home.database).size / 1e6).toFixed(0)} MB`);
await daemon.stop();
fs.rmSync(home, { recursive: true });
