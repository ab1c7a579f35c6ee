import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** Everything that `npm run check` promises; each step fails alone, and all are run. */
interface Step {
  name: string;
  command: readonly string[];
  /** Refuses a green run that looked at nothing. */
  looked?: (output: string) => boolean;
}

const root = path.join(import.meta.dirname, '..');
const folders = readdirSync(root, { withFileTypes: true })
  .filter(
    (entry) =>
      entry.isDirectory() &&
      ['app', 'bench', 'cloud', 'daemon', 'e2e', 'scripts', 'shared'].includes(entry.name),
  )
  .map(({ name }) => name)
  .filter((name) => sources(path.join(root, name)).length > 0);

function sources(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(
      (entry) => entry.isFile() && /\.tsx?$/.test(entry.name) && !/node_modules|dist/.test(entry.parentPath),
    )
    .map((entry) => path.join(entry.parentPath, entry.name));
}

const steps: readonly Step[] = [
  { name: 'types', command: ['tsc', '-p', 'tsconfig.json'] },
  { name: 'types of the page', command: ['tsc', '-p', 'app/web/tsconfig.json'] },
  { name: 'lint', command: ['eslint', '--max-warnings', '0', ...folders] },
  { name: 'format', command: ['prettier', '--check', '--log-level', 'warn', '.'] },
  {
    name: 'layers',
    command: ['depcruise', '--config', '.dependency-cruiser.cjs', ...folders],
    looked: (output) => Number(/\((\d+) modules/.exec(output)?.[1] ?? 0) > 50,
  },
  {
    name: 'dead exports',
    command: [
      'ts-unused-exports',
      'tsconfig.exports.json',
      '--ignoreLocallyUsed',
      '--excludePathsFromReport=\\.config\\.ts;run\\.ts;main\\.ts',
    ],
  },
  { name: 'OpenAPI', command: ['node', 'scripts/openapi.ts', '--check'] },
  { name: 'written laws', command: ['node', 'scripts/laws.ts'] },
];

let failed = 0;
for (const { name, command, looked } of steps) {
  const [program = '', ...args] = command;
  const run = spawnSync(path.join(root, 'node_modules/.bin', program), args, { cwd: root, encoding: 'utf8' });
  const output = `${run.stdout}${run.stderr}`;
  const passed = run.status === 0 && (looked?.(output) ?? true);
  console.log(`${passed ? 'ok    ' : 'FAILED'}  ${name}`);
  if (passed) continue;
  failed += 1;
  console.log(output || String(run.error ?? 'it looked at nothing'));
}

// Laws that no tool knows: SQL stands in stores, and names its columns.
const withStores = ['daemon/src', 'cloud/src'].flatMap((folder) => sources(path.join(root, folder)));
for (const file of withStores.filter((name) => name.endsWith('.ts'))) {
  const text = readFileSync(file, 'utf8');
  const at = path.relative(root, file);
  if (/\bSELECT \*/i.test(text) && !file.endsWith('.test.ts')) {
    failed += 1;
    console.log(`FAILED  ${at}: SELECT * (name the columns)`);
  }
  const mayHoldSql = /\.store\.ts$|\/db\/|\.test\.ts$|\/testing\.ts$/.test(file);
  if (!mayHoldSql && /\.prepare(<[^(]*>)?\(/.test(text)) {
    failed += 1;
    console.log(`FAILED  ${at}: SQL stands in *.store.ts and db/`);
  }
}
// Budgets: lines that people read, without tests and what only tests use. A feature that outgrows its own hides another.
const budgets = { 'daemon/src/features/dreams': 10_500, 'daemon/src/features/ask': 3_300 } as const;
const forTests = /\.test\.tsx?$|\/testing\.ts$|\/testing\//;
for (const [folder, most] of Object.entries(budgets)) {
  const read = sources(path.join(root, folder)).filter((file) => !forTests.test(file));
  const lines = read.reduce((sum, file) => sum + readFileSync(file, 'utf8').trimEnd().split('\n').length, 0);
  const isWithin = read.length > 0 && lines <= most;
  if (!isWithin) failed += 1;
  console.log(`${isWithin ? 'ok    ' : 'FAILED'}  budgets: ${folder} has ${lines} lines of ${most}`);
}
console.log(failed === 0 ? 'All checks passed.' : `${failed} checks failed.`);
process.exit(failed === 0 ? 0 : 1);
