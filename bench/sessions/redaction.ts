import { execFileSync } from 'node:child_process';
import { globSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { presetIn } from '@reverie/redact/kinds/secretlint';
import { redact } from '@reverie/redact/redaction';
import { chanceOf } from '@reverie/redact/testing/chance';
import { harmlessIn } from '@reverie/redact/testing/harmless';
import { plantedIn, survivorOf } from '@reverie/redact/testing/planted';

/**
 * How many of 60 planted secrets survive, how many of 500 harmless look-alikes are redacted, by halves: the rules were made with the first
 * half in sight only. And how fast the output of tools is looked through, in MB/s of one core.
 */
const { values: options } = parseArgs({
  options: {
    half: { type: 'string', default: 'all' },
    /** Prints each that went wrong. */
    show: { type: 'boolean', default: false },
  },
});
const halves = (['first', 'second', 'third'] as const).filter(
  (half) => options.half === 'all' || options.half === half,
);
const root = join(import.meta.dirname, '../..');

for (const half of halves) {
  const planted = plantedIn(half);
  let survived = 0;
  for (const { kind, place, secret, text } of planted) {
    const redacted = await redact(text);
    const survivor = survivorOf(secret, redacted.text);
    if (survivor === undefined) continue;
    survived += 1;
    if (options.show) console.log({ kind, place, survivor, text, redacted: redacted.text });
  }
  const harmless = half === 'third' ? linesOfPackages() : harmlessIn(half);
  let touched = 0;
  for (const text of harmless) {
    const redacted = await redact(text);
    if (redacted.text === text) continue;
    touched += 1;
    if (options.show) console.log({ text, redacted: redacted.text });
  }
  console.log(
    `${half} half: ${survived} of ${planted.length} secrets survived; ${touched} of ${harmless.length} look-alikes were redacted`,
  );
}

/** Five hundred lines of installed packages that speak of keys, tokens and passwords, or have a long word. */
function linesOfPackages(): string[] {
  const modules = join(root, 'node_modules');
  const files = globSync('*/{,lib,dist,src}/*.{js,ts,css,json,md,map}', { cwd: modules })
    .toSorted()
    .filter((_, at) => at % 7 === 0)
    // Some packages have a folder that is called as a file.
    .filter((file) => statSync(join(modules, file)).isFile());
  const chance = chanceOf(404);
  const telling = /passw|token|secret|api.?key|credential|authoriz|[A-Za-z0-9+/_-]{28,}/iu;
  const lines = files.flatMap((file) =>
    readFileSync(join(modules, file), 'utf8')
      .split('\n')
      .filter((line) => line.length < 400 && telling.test(line)),
  );
  if (lines.length < 2_000) throw new Error(`Only ${lines.length} lines of packages were found`);
  return Array.from({ length: 500 }, () => lines[Math.floor(chance() * lines.length)] ?? '');
}

const output = (
  execFileSync('git', ['log', '-p', '-n', '40', '--', 'docs', 'app', 'shared'], {
    cwd: root,
    maxBuffer: 1 << 28,
  }).toString() + readFileSync(join(root, 'package-lock.json'), 'utf8')
).slice(0, 1 << 20);
for (const [what, look] of [
  ['all of it', redact],
  ["Secretlint's rules alone", presetIn],
] as const) {
  const speeds: number[] = [];
  for (let turn = 0; turn < 5; turn += 1) {
    const before = process.cpuUsage().user;
    await look(output);
    speeds.push(output.length / (process.cpuUsage().user - before));
  }
  const each = speeds.map((speed) => speed.toFixed(1)).join(', ');
  console.log(
    `${(output.length / 1e6).toFixed(1)} MB of diffs and a lock file, ${what}: MB/s of processor time, five times: ${each}`,
  );
}
