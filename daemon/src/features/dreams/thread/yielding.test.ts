import { spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { standForward } from './yielding.ts';

test.runIf(process.platform === 'linux')(
  'a thread stands back with the helpers of V8, which are raised again: the main thread keeps its priority',
  async () => {
    const before = os.getPriority();
    const namesHelpers = Number(process.versions.node.split('.')[0]) >= 24;
    const file = new URL('./yielding.ts', import.meta.url).href;
    const code = `import { parentPort } from 'node:worker_threads';
    import fs from 'node:fs';
    import os from 'node:os';
    const { standBack } = await import(${JSON.stringify(file)});
    standBack();
    const thread = Number(fs.readlinkSync('/proc/thread-self').split('/').at(-1));
    const threads = fs.readdirSync('/proc/self/task');
    const isHelper = (one) => fs.readFileSync('/proc/self/task/' + one + '/comm', 'utf8').trim() === 'V8Worker';
    const helpers = threads.filter(isHelper).map((one) => os.getPriority(Number(one)));
    parentPort.postMessage({ own: os.getPriority(thread), helpers });`;
    const worker = new Worker(new URL(`data:text/javascript,${encodeURIComponent(code)}`));
    const told = await new Promise<{ own: number; helpers: number[] }>((resolve, reject) => {
      worker.once('message', resolve);
      worker.once('error', reject);
    });
    expect(told.own).toBe(Math.max(before, 10));
    expect(new Set(told.helpers)).toEqual(namesHelpers ? new Set([told.own]) : new Set());
    expect(os.getPriority()).toBe(before);
    await worker.terminate();
    standForward();
    // Who may not raise what was lowered leaves it as it is.
    const after = mayRaise() ? before : told.own;
    expect(new Set(helperPriorities())).toEqual(namesHelpers ? new Set([after]) : new Set());
  },
);

function helperPriorities(): number[] {
  const tasks = '/proc/self/task';
  return fs
    .readdirSync(tasks)
    .filter((one) => fs.readFileSync(`${tasks}/${one}/comm`, 'utf8').trim() === 'V8Worker')
    .map((one) => os.getPriority(Number(one)));
}

/** Whether this process may raise what it has lowered, tried on another one. */
function mayRaise(): boolean {
  const other = spawn('sleep', ['60'], { stdio: 'ignore' });
  const before = os.getPriority();
  try {
    if (other.pid === undefined) throw new Error('there is no sleep');
    os.setPriority(other.pid, Math.min(19, before + 5));
    os.setPriority(other.pid, before);
    return true;
  } catch {
    return false;
  } finally {
    other.kill();
  }
}
