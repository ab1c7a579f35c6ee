import os from 'node:os';
import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';

test.runIf(process.platform === 'linux')(
  'a thread stands back with the helpers of V8: the main thread keeps its priority',
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
  },
);
