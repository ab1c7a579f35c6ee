import { execFile } from 'node:child_process';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { root } from './check/sources.ts';
import { type Step, steps } from './check/steps.ts';

/** `npm run check`: its steps side by side on the cores; each fails alone, and all are run. */
interface Outcome {
  readonly ok: boolean;
  readonly output: string;
}

async function outcomeOf(step: Step): Promise<Outcome> {
  if ('findings' in step) {
    const found = step.findings();
    return { ok: found.length === 0, output: found.join('\n') };
  }
  const [program, ...args] = step.command;
  return await new Promise((resolve) => {
    execFile(
      path.join(root, 'node_modules/.bin', program),
      args,
      { cwd: root, maxBuffer: 256 * 1024 * 1024 },
      (error, stdout, stderr) => {
        const output = `${stdout}${stderr}`;
        // What failed says so itself.
        const looked = error !== null || (step.looked?.(output) ?? true);
        const signal = error?.signal ? `\nsomebody ended it by ${error.signal}` : '';
        const ended = `${error && output === '' ? error.message : output}${signal}`;
        resolve({ ok: !error && looked, output: looked ? ended : `${ended}\nit looked at nothing` });
      },
    );
  });
}

async function run(chosen: readonly Step[]): Promise<number> {
  const queue = [...chosen];
  let failed = 0;
  const worker = async () => {
    for (let step = queue.shift(); step; step = queue.shift()) {
      const from = performance.now();
      const { ok, output } = await outcomeOf(step);
      const seconds = ((performance.now() - from) / 1000).toFixed(1);
      console.log(`${ok ? 'ok    ' : 'FAILED'}  ${step.name.padEnd(12)} ${seconds.padStart(6)} s`);
      if (ok) continue;
      failed += 1;
      console.log(output);
    }
  };
  await Promise.all(Array.from({ length: Math.max(2, availableParallelism()) }, worker));
  return failed;
}

const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !steps.some((step) => step.name === name));
if (asked.includes('--help') || unknown.length > 0) {
  const isHelp = asked.includes('--help');
  if (!isHelp) console.log(`There is no step ${unknown.join(', ')}.\n`);
  console.log('npm run check [-- step ...]   all steps, or those that are named:\n');
  for (const { name, promises } of steps) console.log(`  ${name.padEnd(12)}  ${promises}`);
  process.exit(isHelp ? 0 : 1);
}
const failed = await run(asked.length === 0 ? steps : steps.filter(({ name }) => asked.includes(name)));
console.log(failed === 0 ? 'All checks passed.' : `${failed} checks failed.`);
process.exit(failed === 0 ? 0 : 1);
