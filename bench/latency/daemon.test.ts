import { spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';

let home: string;
beforeEach(() => (home = fs.mkdtempSync(join(os.tmpdir(), 'reverie-bench-test-'))));
afterEach(() => fs.rmSync(home, { recursive: true, force: true, maxRetries: 3 }));

/** A bench of these lines, with a `daemon` that runs and `say` that prints; answers what it said, and how it ended. */
async function bench(lines: string): Promise<{ out: string; err: string; code: number | null }> {
  const code = `import { startDaemon } from ${JSON.stringify(new URL('./daemon.ts', import.meta.url).href)};
    const say = (text) => process.stdout.write(String(text) + '\\n');
    const daemon = await startDaemon(${JSON.stringify(home)});
    ${lines}`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', code]);
  let [out, err] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text));
  return new Promise((resolve) => child.once('close', (ended) => resolve({ out, err, code: ended })));
}

async function ends(pid: number): Promise<boolean> {
  for (let looks = 0; looks < 200; looks += 1) {
    try {
      process.kill(pid, 0);
    } catch {
      return true;
    }
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  return false;
}

test('a daemon under test does not outlive a bench that ends early', async () => {
  const { out, code } = await bench('say(daemon.pid); process.exit(1);');
  expect(code).toBe(1);
  expect(await ends(Number(out))).toBe(true);
});

test('a daemon that ends before it is stopped is told of', async () => {
  const { err } = await bench(
    `process.kill(daemon.pid, 'SIGKILL'); await daemon.call('/memory-search', { query: 'x' }).catch(() => say('cut')); await daemon.stop();`,
  );
  expect(err).toContain('The daemon was ended by SIGKILL');
});

test('one that is stopped is not', async () => {
  expect(await bench('await daemon.stop();')).toEqual({ out: '', err: '', code: 0 });
});
