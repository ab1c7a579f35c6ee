import fs from 'node:fs';
import os from 'node:os';

/**
 * How much a dream stands back: where a core is free it takes as long as before, and where none is, searches get it first. Their 95th percentile
 * grew by 23 % at 5, by 14 % at 10 and by 8 % at 19, where a busy machine leaves a dream next to nothing.
 */
const NICE = 10;

/** What V8 calls the threads that compile and collect garbage for all threads of a process (Node 24; other ones may give them no name). */
const HELPER = 'V8Worker';

/**
 * Lowers the priority of the calling thread, and of the helper threads of V8, which would otherwise compete with searches while they work
 * for a dream. Only Linux has priorities by thread (setpriority(2)) and says which thread this is; elsewhere nothing changes.
 */
export function standBack(): void {
  try {
    const [pid, , thread] = fs.readlinkSync('/proc/thread-self').split('/').map(Number);
    // A /proc of the host, in a container, numbers processes otherwise: there the number is somebody else's.
    if (pid !== process.pid || thread === undefined || !Number.isSafeInteger(thread) || thread === pid)
      return;
    const priority = Math.max(NICE, os.getPriority());
    os.setPriority(thread, priority);
    for (const helper of helpers()) os.setPriority(helper, priority);
  } catch {
    // No such folder, or it may not: the dream is only less polite.
  }
}

/**
 * Gives V8's helper threads the priority of their process again, once no dream runs and they work for searches alone. On Linux raising it
 * takes a right (CAP_SYS_NICE, or RLIMIT_NICE); without it they stay as they are.
 */
export function standForward(): void {
  try {
    const priority = os.getPriority();
    for (const helper of helpers()) if (os.getPriority(helper) > priority) os.setPriority(helper, priority);
  } catch {
    // It may not, or there is no such folder.
  }
}

function helpers(): number[] {
  const tasks = '/proc/self/task';
  const nameOf = (thread: string) => fs.readFileSync(`${tasks}/${thread}/comm`, 'utf8').trim();
  return fs
    .readdirSync(tasks)
    .filter((thread) => nameOf(thread) === HELPER)
    .map(Number);
}
