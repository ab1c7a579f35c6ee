import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from '@reverie/shared/client';
import { progressWords } from '@reverie/shared/contract/sync/progress-words';
import { type SyncStatus, syncStatus } from '@reverie/shared/contract/sync/sync';
import { cutTo, note } from './print.ts';
import type { Terminal } from './terminal.ts';

/** Between two looks, ms. */
const LOOK_EVERY = 500;

const formatCount = (count: number) => count.toLocaleString('en-GB');

/** How far the first sync is, a line for each direction; none where it is through. */
export function firstSyncLines({ upload, download }: Pick<SyncStatus, 'upload' | 'download'>): string[] {
  return [
    ...(upload ? [progressWords('upload', upload, formatCount)] : []),
    ...(download ? [progressWords('download', download, formatCount)] : []),
  ];
}

/** Shows a person at a terminal how far the first sync is, on one line, until it is through, or cannot go on; Ctrl-C leaves it to the daemon. */
export async function watchFirstSync({ stderr }: Pick<Terminal, 'stderr'>, client: Client): Promise<void> {
  if (!stderr.isTTY) return;
  let isShown = false;
  for (;;) {
    const status = await client(syncStatus, {});
    const { lines, isOver } = told(status);
    if (isShown) stderr.write('\r\u001b[K');
    if (isOver) {
      for (const line of lines) note({ stderr }, line);
      if (isShown && lines.length === 0) note({ stderr }, 'The first sync is through.');
      return;
    }
    if (!isShown) note({ stderr }, 'Ctrl-C stops watching; it goes on in the background.');
    isShown = true;
    stderr.write(cutTo(lines.join('; '), stderr, 1));
    await pause(LOOK_EVERY);
  }
}

/** What is shown of it now, and whether it is the last that there is to see. */
function told(status: SyncStatus): { lines: string[]; isOver: boolean } {
  const lines = firstSyncLines(status);
  const { state, error, paused, waiting_for } = status;
  const isStopped = paused || waiting_for === 'approval' || state === 'unauthorized' || state === 'error';
  if (isStopped)
    return { lines: error ? [...lines, `${error.message}. ${error.advice}`] : lines, isOver: true };
  if (lines.length === 0) {
    // Before the relay was heard it is not known what there is to read.
    const isKnown = status.behind !== null || state === 'offline';
    return { lines: isKnown ? [] : ['Connecting'], isOver: isKnown };
  }
  return { lines: state === 'offline' ? [...lines, OUT_OF_REACH] : lines, isOver: false };
}

const OUT_OF_REACH = 'the relay is out of reach, it goes on by itself';
