import { setTimeout } from 'node:timers/promises';
import { seconds } from '@reverie/shared/testing/patience';

/** The longest that one turn may keep others waiting, ms of the processor: 100 on two quiet cores. */
export const LONGEST_TURN: number = seconds(0.01);

/** Processor time of this thread, ms: what others wait for, however busy the machine is. */
export interface Turns {
  /** Of its longest turn. */
  longest: number;
  /** Of all of them. */
  all: number;
}

const since = (before: NodeJS.CpuUsage): number => {
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
};

/** Measures the turns that this thread takes while something runs. */
export async function turnsOf(run: () => Promise<unknown>): Promise<Turns> {
  const from = process.threadCpuUsage();
  let isOver = false;
  const running = run().finally(() => {
    isOver = true;
  });
  let longest = 0;
  let last = from;
  do {
    await setTimeout(1);
    longest = Math.max(longest, since(last));
    last = process.threadCpuUsage();
  } while (!isOver);
  await running;
  return { longest, all: since(from) };
}
