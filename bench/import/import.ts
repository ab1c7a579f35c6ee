/**
 * How long an import of a folder takes, and how long the same again when nothing or little has changed:
 *
 *   npm run bench:import -- [--files 10000] [--output FILE]
 *
 * The notes are made up from a seed: a heading, some paragraphs of common words, dates in half of their names, front
 * matter in a third. The command is run as a person runs it, in a process of its own, on a daemon in another one.
 * Targets: 30 s for 10,000 files, 3 s for the same again.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { startDaemon } from '../latency/daemon.ts';

const { values: options } = parseArgs({
  options: { files: { type: 'string', default: '10000' }, output: { type: 'string' } },
});
const FILES = Number(options.files);
const CHANGED = Math.ceil(FILES / 100);
const BIN = path.join(import.meta.dirname, '../../daemon/bin/reverie.cjs');
const WORDS =
  `the of and a to in is it was for on are with as at be this have from or one had by word but not what all were when
  garden river boiler lease meeting budget release server backup ticket invoice window kitchen train summer letter
  report question answer decision version customer holiday doctor bicycle recipe bread harvest winter school office
  Marta Jonas Ines Pavel Berlin Lisbon Oslo Kyoto Tuesday March quarter engine battery sensor pump valve contract`.split(
    /\s+/,
  );

/** A small generator of even numbers below `n` from a seed (mulberry32). */
function seeded(seed: number): (n: number) => number {
  let state = seed;
  return (n) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % n;
  };
}

function makeNotes(folder: string): number {
  const below = seeded(17);
  const words = (many: number) => Array.from({ length: many }, () => WORDS[below(WORDS.length)]).join(' ');
  let bytes = 0;
  for (let at = 0; at < FILES; at += 1) {
    const day = new Date(Date.UTC(2019, 0, 1 + (at % 2000))).toISOString().slice(0, 10);
    const sub = path.join(folder, `part-${at % 40}`);
    fs.mkdirSync(sub, { recursive: true });
    const front = at % 3 === 0 ? `---\ntags: [${words(1)}, bench]\ncreated: ${day}\n---\n` : '';
    const body = Array.from({ length: 1 + below(6) }, () => `${words(15 + below(60))}.`).join('\n\n');
    const text = `${front}# ${words(4)}\n\n${body}\n`;
    fs.writeFileSync(path.join(sub, at % 2 === 0 ? `${day} ${at}.md` : `note ${at}.md`), text);
    bytes += text.length;
  }
  return bytes;
}

interface Outcome {
  created: number;
  updated: number;
  unchanged: number;
}

async function runImport(home: string, folder: string): Promise<Outcome & { seconds: number }> {
  const from = performance.now();
  const child = spawn(process.execPath, [BIN, '--home', home, 'import', folder, '--json'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let out = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
  const [code] = (await once(child, 'close')) as [number];
  if (code !== 0) throw new Error(`The import ended with ${code}: ${out}`);
  const seconds = (performance.now() - from) / 1000;
  return { ...(JSON.parse(out) as Outcome), seconds };
}

const root = fs.mkdtempSync(path.join(os.tmpdir(), 'reverie-bench-import-'));
try {
  const folder = path.join(root, 'notes');
  const bytes = makeNotes(folder);
  const home = path.join(root, 'home');
  const daemon = await startDaemon(home);
  try {
    const first = await runImport(home, folder);
    // Whoever imports again does so later: vectors of the first time are made by then.
    await daemon.settled();
    const again = await runImport(home, folder);
    const names = fs.readdirSync(path.join(folder, 'part-1')).slice(0, CHANGED);
    for (const name of names) fs.appendFileSync(path.join(folder, 'part-1', name), 'one line more\n');
    const changed = await runImport(home, folder);
    const figures = {
      files: FILES,
      bytes,
      cores: os.availableParallelism(),
      load: os.loadavg()[0],
      first,
      again,
      changed,
    };
    const pick = ({ seconds, created, updated, unchanged }: typeof first) =>
      `${seconds.toFixed(1)} s (${created} created, ${updated} updated, ${unchanged} unchanged)`;
    console.log(
      `${FILES} files, ${(bytes / 1e6).toFixed(1)} MB; load ${figures.load?.toFixed(1)} on ${figures.cores} cores`,
    );
    console.log(`first time      ${pick(first)}; target 30 s`);
    console.log(`nothing changed ${pick(again)}; target 3 s`);
    console.log(`some changed    ${pick(changed)}`);
    if (options.output !== undefined)
      fs.writeFileSync(options.output, `${JSON.stringify(figures, null, 2)}\n`);
    process.exitCode = FILES !== 10_000 || (first.seconds < 30 && again.seconds < 3) ? 0 : 1;
  } finally {
    await daemon.stop();
  }
} finally {
  fs.rmSync(root, { recursive: true, force: true });
}
