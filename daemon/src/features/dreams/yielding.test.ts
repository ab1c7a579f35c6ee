import os from 'node:os';
import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';

test.runIf(process.platform === 'linux')(
  'a thread stands back alone: the process keeps its priority',
  async () => {
    const before = os.getPriority();
    const file = new URL('./yielding.ts', import.meta.url).href;
    const code = `import { parentPort } from 'node:worker_threads';
    import fs from 'node:fs';
    import os from 'node:os';
    const { standBack } = await import(${JSON.stringify(file)});
    standBack();
    const thread = Number(fs.readlinkSync('/proc/thread-self').split('/').at(-1));
    parentPort.postMessage(os.getPriority(thread));`;
    const worker = new Worker(new URL(`data:text/javascript,${encodeURIComponent(code)}`));
    const priority = await new Promise((resolve, reject) => {
      worker.once('message', resolve);
      worker.once('error', reject);
    });
    expect(priority).toBe(Math.max(before, 10));
    expect(os.getPriority()).toBe(before);
    await worker.terminate();
  },
);
