/**
 * How fast a daemon is with 1,000, 10,000 and 100,000 memories, beside bare SQLite and the disk itself in the same run:
 *
 *   npm run bench:latency -- [--sizes 1000,10000,100000] [--quick] [--corpus FOLDER] [--home FOLDER] [--output FILE]
 *
 * The texts are synthetic unless --corpus names a folder of text files. --home is where homes are made (and removed again).
 */
import fs from 'node:fs';
import os from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { corpusOfFolder, syntheticCorpus } from './corpus.ts';
import { type Effort, measure, type Measured } from './measure.ts';
import { judge, table, verdictTable } from './report.ts';

const { values: options } = parseArgs({
  options: {
    sizes: { type: 'string', default: '1000,10000,100000' },
    quick: { type: 'boolean', default: false },
    corpus: { type: 'string' },
    home: { type: 'string', default: os.tmpdir() },
    output: { type: 'string' },
    seed: { type: 'string', default: '1' },
  },
});

const sizes = options.sizes.split(',').map(Number);
if (sizes.some((size) => !Number.isInteger(size) || size < 100))
  throw new Error(`--sizes takes whole numbers from 100, not ${options.sizes}`);
const effort: Effort = options.quick
  ? { sets: 200, gets: 300, lists: 50, starts: 10, overwrites: 1000 }
  : { sets: 2000, gets: 3000, lists: 300, starts: 10, overwrites: 5000 };
const say = (text: string) => process.stderr.write(`${new Date().toISOString().slice(11, 19)} ${text}\n`);

// A signal would end this program alone, and leave its daemon running.
for (const signal of ['SIGTERM', 'SIGHUP', 'SIGINT'] as const)
  process.once(signal, () => {
    say(`ended by ${signal} before it was done`);
    process.exit(1);
  });

const measured: Measured[] = [];
for (const size of sizes) {
  const { corpus: from } = options;
  const corpus =
    from === undefined ? syntheticCorpus(size, Number(options.seed)) : corpusOfFolder(from, size);
  const folder = fs.mkdtempSync(join(options.home, 'reverie-latency-'));
  try {
    measured.push(await measure(folder, { corpus, effort, say }));
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

const machine = {
  cpu: os.cpus()[0]?.model,
  cores: os.cpus().length,
  memoryMb: Math.round(os.totalmem() / 1e6),
  node: process.version,
  load: os.loadavg(),
};
const verdicts = judge(measured);
process.stdout.write(
  [
    `Latency on ${machine.cores} cores (${machine.cpu}), Node ${machine.node}, load ${machine.load[0]?.toFixed(1)}`,
    `Texts: ${measured[0]?.corpus}; ${options.quick ? 'quick run' : 'full run'}`,
    '',
    table(measured),
    '',
    verdictTable(verdicts),
    '',
  ].join('\n'),
);
if (options.output !== undefined) {
  const made = new Date().toISOString();
  fs.writeFileSync(
    options.output,
    `${JSON.stringify({ made, machine, options, verdicts, measured }, null, 2)}\n`,
  );
}
