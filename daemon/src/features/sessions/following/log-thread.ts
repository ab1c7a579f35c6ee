import { parentPort, workerData } from 'node:worker_threads';
import { sessionFormats } from '@reverie/session-logs/formats';
import { projectOf } from '../../../platform/project.ts';
import { follow } from './following.ts';
import type { FromThread, ToThread, FollowingWork } from './messages.ts';

/** The thread in which the logs of one agent are read: parsing megabytes of them stops nobody else. */
const port = parentPort;
const work = workerData as FollowingWork;
const format = sessionFormats.find(({ agent }) => agent === work.agent);
if (!port || !format) throw new Error('this is a thread that the daemon starts for an agent');

/** Batches that may be on their way: while one is stored the next are read, and a slow one does not stop the reading. */
const UNDER_WAY = 3;
let underWay = 0;
let goOn: (() => void) | undefined;
port.on('message', (message: ToThread) => {
  if (message.kind !== 'taken') return;
  underWay -= 1;
  goOn?.();
});

/** The clock of the daemon, as it was begun with: times of logs are held against it. */
const offset = work.now - Date.now();

await follow({
  format,
  work,
  now: () => Date.now() + offset,
  projectOf,
  async tell(message: FromThread) {
    port.postMessage(message);
    if (message.kind !== 'batch') return;
    underWay += 1;
    while (underWay >= UNDER_WAY) await new Promise<void>((resolve) => (goOn = resolve));
  },
});
