import { parentPort, workerData } from 'node:worker_threads';
import { sessionFormats } from '../formats/formats.ts';
import { follow } from './following.ts';
import type { FromThread, ToThread, Work } from './messages.ts';

/** The thread in which the logs of one agent are read: parsing megabytes of them stops nobody else. */
const port = parentPort;
const work = workerData as Work;
const format = sessionFormats.find(({ agent }) => agent === work.agent);
if (!port || !format) throw new Error('this is a thread that the daemon starts for an agent');

const waiting: (() => void)[] = [];
port.on('message', (message: ToThread) => {
  if (message.kind === 'taken') waiting.shift()?.();
});

await follow({
  format,
  work,
  now: () => Date.now(),
  async tell(message: FromThread) {
    const taken =
      message.kind === 'batch' ? new Promise<void>((resolve) => waiting.push(resolve)) : undefined;
    port.postMessage(message);
    await taken;
  },
});
