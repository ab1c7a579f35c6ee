import { setTimeout as pause } from 'node:timers/promises';
import { type Grounds, openGrounds } from '../grounds.ts';
import type { Section } from '../ledger.ts';
import type { Progress } from '../progress.ts';
import { type Lane, openLane } from './lane.ts';

export interface KillsOptions {
  seed: number;
  kills: number;
  /** How long may be killed, seconds. */
  seconds: number;
  progress: Progress;
}

/** What is left to do once the sweeps are over. */
export interface Aftermath {
  /** Waits until the last sweep of what was deleted is over, looks for it, and ends everything. */
  look(): Promise<void>;
}

/** As many as two processors bear; each has a relay and two daemons. */
const LANES = 2;
/** A deletion shows for a minute, is swept within half of one, and the log is emptied then. */
const SWEPT_MS = 100_000;

/** Kills daemons and relays at random moments under mixed load, and checks every promise after each restart. */
export async function killAll(
  section: Section,
  { seed, kills, seconds, progress }: KillsOptions,
): Promise<Aftermath> {
  const grounds = openGrounds();
  const until = performance.now() + seconds * 1000;
  let [rounds, killed] = [0, 0];
  let lanes: Lane[] = [];
  try {
    await rememberCode(grounds);
    lanes = await Promise.all(
      Array.from({ length: LANES }, (_, n) =>
        openLane({ grounds, section, seed: seed * 10 + n }, String(n + 1)),
      ),
    );
    await Promise.all(
      lanes.map(async (lane) => {
        while (rounds < kills && performance.now() < until) {
          rounds += 1;
          progress(`${section.name}: round ${rounds} of ${kills}, ${killed} kills`);
          const more = await lane.round();
          killed += more;
        }
      }),
    );
    progress(`${section.name}: coming to rest`);
    await Promise.all(lanes.map((lane) => lane.settle()));
  } catch (cause) {
    await grounds.stop();
    throw cause;
  }
  if (killed < kills) section.figure('kills left out for want of time', String(kills - killed));
  const restedAt = performance.now();
  return {
    async look() {
      try {
        while (performance.now() - restedAt < SWEPT_MS) {
          progress(`${section.name}: waiting for the sweeps of what was deleted`);
          await pause(1000);
        }
        for (const lane of lanes) lane.sweep();
      } finally {
        await grounds.stop();
      }
    },
  };
}

/**
 * Starts each program once and ends it as a person would: Node writes down what it compiled only then, and a process that is always
 * killed would compile everything at each start, for as long as all the rest takes.
 */
async function rememberCode(grounds: Grounds): Promise<void> {
  await Promise.all([
    grounds.daemon('first').then((daemon) => daemon.kill('SIGTERM')),
    grounds.relay('first-relay').then((relay) => relay.kill('SIGTERM')),
  ]);
}
