import fs from 'node:fs';
import os from 'node:os';

/** How much a dream stands back: searches get the core first where there are not enough of them. */
const NICE = 5;

/**
 * Lowers the priority of the calling thread alone. Linux counts it by thread (setpriority(2)), and says which one this is; elsewhere the thread
 * runs as any other.
 */
export function standBack(): void {
  try {
    const thread = Number(fs.readlinkSync('/proc/thread-self').split('/').at(-1));
    if (Number.isSafeInteger(thread) && thread > 0 && thread !== process.pid) os.setPriority(thread, NICE);
  } catch {
    // No such folder, or it may not: the dream is only less polite.
  }
}
