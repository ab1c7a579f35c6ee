import { expect, test } from 'vitest';
import { runs } from '../testing/depth.ts';
import { createDevice } from './testing/simulated-device.ts';
import { createRelay } from './testing/simulated-relay.ts';
import { randomOf } from './testing/simulation.ts';

const RUNS = runs(12, 120);

/**
 * Devices with one clock, each of which alone changes its own keys: deletes them, writes them again, and is cut off, restarted and tidied
 * up at any moment. Answers what was deleted, and what each device's disk holds at the end.
 */
function run(seed: number): { deleted: string[]; kept: string[]; disks: string[] } {
  const random = randomOf(seed);
  const below = (max: number) => Math.floor(random() * max);
  let time = 1_760_000_000_000;
  const relay = createRelay({ random, now: () => time });
  const devices = Array.from({ length: 3 }, (_, n) => createDevice(`d${n}`, { random, now: () => time }));
  const deleted: string[] = [];
  const standing = new Map<string, string[]>();
  let words = 0;

  for (let step = 0; step < 120; step += 1) {
    time += 1 + below(5000);
    const n = below(devices.length);
    const device = devices[n];
    if (!device) continue;
    const key = `key ${n} ${below(3)}`;
    const set = () => {
      const word = `word-${seed}-${(words += 1)}.`;
      device.set(key, word);
      standing.set(key, [...(standing.get(key) ?? []), word]);
    };
    const remove = () => {
      device.delete(key);
      deleted.push(...(standing.get(key) ?? []));
      standing.delete(key);
    };
    const dice = random();
    if (dice < 0.25) set();
    else if (dice < 0.3) remove();
    else if (dice < 0.45) {
      remove();
      time += 1 + below(3);
      set();
    } else if (dice < 0.5) device.write();
    else if (dice < 0.65) device.send(relay, 1 + below(4), random() < 0.3 ? 0.5 : 0);
    else if (dice < 0.85) device.receive(relay, 1 + below(6));
    else if (dice < 0.92) device.tidy();
    else if (dice < 0.95) device.askEpoch(relay);
    else device.restart();
  }
  for (let round = 0; round < 40; round += 1)
    for (const device of devices) {
      device.receive(relay, 1000);
      device.write();
      device.send(relay, 1000, 0);
    }
  const latest = new Map([...standing].map(([key, said]) => [key, said.at(-1)]));
  for (const device of devices) {
    device.tidy();
    const rows = [...device.rows()].map(([key, { value }]) => [key, value] as const);
    expect([seed, device.pending(), new Map(rows)]).toEqual([
      seed,
      0,
      new Map([...latest].sort(([a], [b]) => (a < b ? -1 : 1))),
    ]);
    expect([seed, device.rebuilt()]).toEqual([seed, device.rows()]);
  }
  return {
    deleted,
    kept: [...latest.values()].flatMap((word) => word ?? []),
    disks: devices.map((device) => device.texts()),
  };
}

test(
  `after sync no device holds deleted text: neither in rows, nor in what they said before, nor in bytes (${RUNS} seeds)`,
  () => {
    let count = 0;
    for (let seed = 1; seed <= RUNS; seed += 1) {
      const { deleted, kept, disks } = run(seed);
      count += deleted.length;
      for (const disk of disks) {
        expect([seed, deleted.filter((word) => disk.includes(word))]).toEqual([seed, []]);
        // The eyes of the test: what was not deleted is seen.
        for (const word of kept) expect(disk).toContain(word);
      }
    }
    expect(count).toBeGreaterThan(RUNS * 5);
  },
  2000 * RUNS,
);
