import { describe, expect, test } from 'vitest';
import { runs } from '../testing/depth.ts';
import { seconds } from '../testing/patience.ts';
import { openBucket } from './bucket-document.ts';
import { fromStamp, hlcOf, nextHlc, toStamp, wallOf } from './clock.ts';
import { isHiddenBehind } from './hidden.ts';
import { bucketOf, type Content, type Operation } from './register.ts';
import { hidingRows } from './testing/simulated-disk.ts';
import type { Device } from './testing/simulated-device.ts';
import { type Acts, simulate } from './testing/simulation.ts';

const RUNS = runs(48, 600);
/** Of worlds that hide, of which fewer have all that can be seen. */
const HIDING = runs(24, 100);
const FIRST = Number(process.env['REVERIE_TEST_SEED'] ?? 1);

/** Versions about which a device asks, though they are what stands there. */
function standingConflicts(device: Device): string[] {
  const rows = device.rows();
  return device
    .lost()
    .filter(({ key, content }) => {
      const row = rows.get(key);
      return row !== undefined && row.value === content.value && row.updated_at === content.updated_at;
    })
    .map(({ key, content }) => `${key}: ${content.value}`);
}

/** Runs one seed and checks everything that has to hold after it. */
function check(
  seed: number,
  options: Acts = {},
): { memories: number; trashed: number; archived: number; hidden: number; apart: number; epochs: number } {
  const { devices, fresh, relay, restored } = simulate(seed, options);
  for (const device of devices) {
    expect([seed, device.pending(), device.isBehind(relay), device.hasGap()]).toEqual([
      seed,
      0,
      false,
      false,
    ]);
    expect([seed, device.rebuilt()]).toEqual([seed, device.rows()]);
    if (!restored) for (const entry of device.acked()) expect([seed, relay.has(entry)]).toEqual([seed, true]);
    if (device.isEarlier) {
      expect([seed, textsOf(device, fresh)]).toEqual([seed, textsOf(fresh, fresh)]);
      continue;
    }
    expect([seed, standingConflicts(device)]).toEqual([seed, []]);
    expect([seed, device.rows()]).toEqual([seed, fresh.rows()]);
    expect([seed, device.hidden()]).toEqual([seed, hiddenIn(fresh.rebuilt())]);
  }
  expect([seed, fresh.rebuilt()]).toEqual([seed, fresh.rows()]);
  const rows = [...fresh.rows().values()];
  const count = (which: (row: Content) => boolean) => rows.filter((row) => which(row)).length;
  const hidden = fresh.hidden().length;
  return {
    memories: rows.length,
    epochs: relay.epoch(),
    hidden,
    trashed: count(({ trashed }) => trashed !== undefined),
    archived: count(({ archived }) => archived !== undefined),
    // Shown, for what they are hidden behind is not there, is another one, or is hidden behind them.
    apart: count(({ behind, trashed }) => behind !== undefined && trashed === undefined) - hidden,
  };
}

/** The rows that are shown: what went into the trash before somebody was invited stays where it is. */
function shownOf(device: Device): unknown {
  return [...device.rows()].filter(([, { trashed }]) => trashed === undefined);
}

/** Runs a seed in which people are invited; checks that all replicas are equal, and what is on the disks of those who came. */
function checkShared(seed: number): { guests: number; forbidden: number } {
  const { devices, fresh, relay, guests } = simulate(seed, { trash: 0.3, share: 0.06, settle: 0.3 });
  for (const device of devices) {
    expect([seed, device.pending(), device.isBehind(relay), device.hasGap()]).toEqual([
      seed,
      0,
      false,
      false,
    ]);
    expect([seed, shownOf(device)]).toEqual([seed, shownOf(fresh)]);
  }
  for (const { device, forbidden } of guests) {
    const texts = device.texts();
    expect([seed, forbidden.filter((text) => texts.includes(text))]).toEqual([seed, []]);
  }
  return { guests: guests.length, forbidden: guests.flatMap((guest) => guest.forbidden).length };
}

/** What a program says of each key that knows no trash and hides nothing; of several versions it may take another one. */
function textsOf(device: Device, { contested }: Device): [key: string, text: string | undefined][] {
  const open = contested();
  return [...device.rows()].map(([key, { value }]) => [key, open.has(key) ? undefined : value]);
}

/** The keys of rows that are hidden behind others, each asked for by itself. */
function hiddenIn(rows: ReadonlyMap<string, Content>): string[] {
  return [...rows.keys()]
    .filter((key) => rows.get(key)?.trashed === undefined && isHiddenBehind(hidingRows(rows), key))
    .sort();
}

test(
  `after any edits, cuts, lost acks, restarts, backups, clears, epochs and wrong clocks all replicas are equal (${RUNS} seeds)`,
  () => {
    let withMemories = 0;
    let withEpochs = 0;
    for (let seed = FIRST; seed < FIRST + RUNS; seed += 1) {
      const { memories, epochs } = check(seed);
      if (memories > 0) withMemories += 1;
      if (epochs > 0) withEpochs += 1;
    }
    // A world that ends empty every time would show nothing.
    expect(withMemories).toBeGreaterThan(RUNS / 2);
    expect(withEpochs).toBeGreaterThan(RUNS / 2);
  },
  seconds(RUNS),
);

test(
  'the same where memories are moved to the trash and written again, which all replicas agree on',
  () => {
    let trashed = 0;
    for (let seed = FIRST; seed < FIRST + RUNS / 6; seed += 1) trashed += check(seed, { trash: 0.4 }).trashed;
    // Of worlds without any it would show nothing.
    expect(trashed).toBeGreaterThan(RUNS / 20);
  },
  seconds(RUNS),
);

test(
  'the same where memories are archived, hidden behind others and shown again: all replicas hide the same ones',
  () => {
    const seen = { trashed: 0, archived: 0, hidden: 0, apart: 0 };
    for (let seed = FIRST; seed < FIRST + HIDING; seed += 1) {
      const found = check(seed, { hide: 0.5, trash: 0.2 });
      seen.trashed += found.trashed;
      seen.archived += found.archived;
      seen.hidden += found.hidden;
      seen.apart += found.apart;
    }
    // Of worlds without any it would show nothing.
    for (const count of Object.values(seen)) expect(count).toBeGreaterThan(HIDING / 50);
  },
  seconds(HIDING),
);

test(
  'the same where somebody decides about a version that lost: nobody is asked about it again, on any device',
  () => {
    const seen = { decided: 0, open: 0 };
    for (let seed = FIRST; seed < FIRST + RUNS; seed += 1) {
      check(seed, { settle: 0.4, trash: 0.1 });
      const { devices, fresh, isOlder } = simulate(seed, { settle: 0.4, trash: 0.1 });
      // A decision that a backup does not have, and that was not told, is none.
      const decided = isOlder ? [] : devices.flatMap((device) => device.decided());
      for (const device of [...devices, fresh]) {
        const open = device.conflicts();
        expect([seed, open.filter((name) => decided.includes(name))]).toEqual([seed, []]);
        seen.open += open.length;
      }
      seen.decided += decided.length;
    }
    // Of worlds without any it would show nothing.
    expect(seen.decided).toBeGreaterThan(RUNS / 10);
    expect(seen.open).toBeGreaterThan(RUNS / 10);
  },
  seconds(2 * RUNS),
);

test(
  'the same where somebody is invited, who reads what there was then: nothing of before is on their disk',
  () => {
    let guests = 0;
    let forbidden = 0;
    for (let seed = FIRST; seed < FIRST + RUNS; seed += 1) {
      const found = checkShared(seed);
      guests += found.guests;
      forbidden += found.forbidden;
    }
    expect(guests).toBeGreaterThan(RUNS / 2);
    expect(forbidden).toBeGreaterThan(RUNS / 2);
  },
  seconds(2 * RUNS),
);

/** Whether a line or a tag stands in a memory on any device, or in what lost there. */
function lookIn(devices: readonly Device[]): (piece: string) => boolean {
  const text = JSON.stringify(devices.map((device) => [[...device.rows().values()], device.lost()]));
  // Quoted: of two pieces one may begin like the other.
  return (piece) => new RegExp(`[n"]${piece}[\\\\"]`).test(text);
}

test(
  'the same where lines and tags change: what two did meanwhile merges, and nothing that was added is lost',
  () => {
    const seen = { added: 0, removed: 0, asked: 0, quiet: 0 };
    for (let seed = FIRST; seed < FIRST + 4 * RUNS; seed += 1) {
      const acts = { edit: 1, keeps: true };
      check(seed, acts);
      const { devices, fresh, pieces } = simulate(seed, acts);
      const kept = [...pieces.added].filter((piece) => !pieces.removed.has(piece));
      const isIn = lookIn([...devices, fresh]);
      expect([seed, kept.filter((piece) => !isIn(piece))]).toEqual([seed, []]);
      const isAsked = devices.some((device) => device.lost().length > 0);
      if (!isAsked) expect([seed, [...pieces.removed].filter(isIn)]).toEqual([seed, []]);
      seen.added += kept.length;
      seen.removed += pieces.removed.size;
      seen[isAsked ? 'asked' : 'quiet'] += 1;
    }
    // Of worlds without any it would show nothing.
    for (const count of Object.values(seen)) expect(count).toBeGreaterThan(RUNS / 10);
  },
  seconds(2 * RUNS),
);

test(
  'the same where memories get other keys meanwhile, are deleted, cleared, trashed, settled and restored from backups',
  () => {
    let renamed = 0;
    for (let seed = FIRST; seed < FIRST + RUNS; seed += 1) {
      check(seed, { edit: 1, rename: 0.12, keeps: true });
      check(seed, { edit: 0.7, rename: 0.12, trash: 0.2, hide: 0.2, settle: 0.3 });
      const { devices, fresh, pieces } = simulate(seed, { edit: 1, rename: 0.12, keeps: true });
      const kept = [...pieces.added].filter((piece) => !pieces.removed.has(piece));
      const isIn = lookIn([...devices, fresh]);
      expect([seed, kept.filter((piece) => !isIn(piece))]).toEqual([seed, []]);
      renamed += [...fresh.rows().keys()].filter((key) => key.includes(' as ')).length;
    }
    expect(renamed).toBeGreaterThan(RUNS / 10);
  },
  seconds(3 * RUNS),
);

test(
  'the same beside a program that reads six parts: it holds every memory, and keeps nobody from being equal',
  () => {
    let hidden = 0;
    for (let seed = FIRST; seed < FIRST + HIDING; seed += 1)
      hidden += check(seed, { hide: 0.5, trash: 0.2, isEarlier: true }).hidden;
    expect(hidden).toBeGreaterThan(0);
  },
  seconds(HIDING),
);

test.each([
  [5004, 'what was confirmed to a device that never read is sent again to a relay that lost it'],
  [233, 'a stamp that this device wrote before its backup was restored is heard like any other'],
  [758, 'what the relay kept of an epoch that is over already begins the next one'],
  [1501, 'what is written here while an epoch begins is not taken back by what the epoch begins with'],
  [2103, 'what the relay kept of a later epoch waits until that one begins'],
  [28445, 'documents in which an update is missing are read anew'],
])('found by seed %i: %s', (seed) => {
  check(seed);
});

const content = (value: string): Content => ({
  value,
  metadata: '{}',
  created_at: 1,
  updated_at: 1,
  expires_at: null,
});
const set = (value: string, hlc: number): Operation => ({
  kind: 'set',
  key: 'k',
  hlc,
  content: content(value),
});

/** Two devices that both have seen one version of `k`. */
function pair() {
  const a = openBucket({ clientId: 1, stored: [] });
  const b = openBucket({ clientId: 2, stored: [] });
  const [ofA, ofB] = [
    { device: 'a', incarnation: '1' },
    { device: 'b', incarnation: '1' },
  ];
  const first = a.write([set('first', 10)], ofA);
  if (first) b.merge(first);
  const exchange = (fromA: Uint8Array | undefined, fromB: Uint8Array | undefined) => {
    if (fromA) b.merge(fromA);
    if (fromB) a.merge(fromB);
    return [a, b].map((document) => document.versions('k', 0).map((version) => version.content.value));
  };
  return { a, b, ofA, ofB, exchange };
}

describe('of concurrent changes', () => {
  test('the newer one wins on both sides, and the other one stays to be seen', () => {
    const { a, b, ofA, ofB, exchange } = pair();
    const says = exchange(a.write([set('older', 20)], ofA), b.write([set('newer', 21)], ofB));
    expect(says).toEqual([
      ['newer', 'older'],
      ['newer', 'older'],
    ]);
  });

  test('an overwrite beats a deletion, also one that is newer by its clock', () => {
    const { a, b, ofA, ofB, exchange } = pair();
    const says = exchange(
      a.write([{ kind: 'delete', key: 'k', hlc: 99 }], ofA),
      b.write([set('still wanted', 20)], ofB),
    );
    expect(says).toEqual([['still wanted'], ['still wanted']]);
  });

  test('an overwrite beats a move to the trash, also one that is newer by its clock', () => {
    const { a, b, ofA, ofB, exchange } = pair();
    const thrown: Operation = {
      kind: 'set',
      key: 'k',
      hlc: 99,
      content: { ...content('first'), trashed: 5 },
    };
    const says = exchange(a.write([thrown], ofA), b.write([set('still wanted', 20)], ofB));
    expect(says).toEqual([
      ['still wanted', 'first'],
      ['still wanted', 'first'],
    ]);
  });

  test('a move to the trash beats what it has seen', () => {
    const { a, b, ofA, exchange } = pair();
    const thrown: Operation = {
      kind: 'set',
      key: 'k',
      hlc: 20,
      content: { ...content('first'), trashed: 5 },
    };
    exchange(a.write([thrown], ofA), undefined);
    expect(b.versions('k', 0).map((version) => version.content)).toEqual([thrown.content]);
  });

  test('a deletion beats what it has seen', () => {
    const { a, ofA, exchange } = pair();
    expect(exchange(a.write([{ kind: 'delete', key: 'k', hlc: 20 }], ofA), undefined)).toEqual([[], []]);
  });

  test('the next write on top of both settles it', () => {
    const { a, b, ofA, ofB, exchange } = pair();
    exchange(a.write([set('one', 20)], ofA), b.write([set('two', 21)], ofB));
    expect(exchange(a.write([set('settled', 22)], ofA), undefined)).toEqual([['settled'], ['settled']]);
  });
});

test('several operations on a key in one go do what they would one by one', () => {
  const { a, ofA, exchange } = pair();
  const update = a.write([set('two', 20), { kind: 'delete', key: 'k', hlc: 21 }, set('three', 22)], ofA);
  expect(exchange(update, undefined)).toEqual([['three'], ['three']]);
});

test('a clear hides what stands at or below it, also what comes later', () => {
  const { a, b, ofB, exchange } = pair();
  exchange(undefined, b.write([set('late', 15)], ofB));
  expect(a.versions('k', 15)).toEqual([]);
  expect(a.versions('k', 14).map((version) => version.content.value)).toEqual(['late']);
  const before = a.state().length;
  a.forget(15);
  expect(a.versions('k', 0)).toEqual([]);
  expect(a.state().length).toBeLessThan(before);
});

test('bytes that are no update are refused, and slots that no program wrote are left out', () => {
  const { a } = pair();
  expect(() => a.merge(new Uint8Array([1, 2, 3, 255, 255]))).toThrow();
  expect(a.versions('k', 0)).toHaveLength(1);
});

test('the clock goes on from what it saw, and fits the wire', () => {
  const now = Date.UTC(2026, 10, 20);
  expect(nextHlc(0, now)).toBe(hlcOf(now));
  expect(nextHlc(hlcOf(now) + 5, now - 1000)).toBe(hlcOf(now) + 6);
  expect(wallOf(hlcOf(now) + 1023)).toBe(now);
  expect(fromStamp(toStamp(hlcOf(now) + 77))).toBe(hlcOf(now) + 77);
  expect(Number.isSafeInteger(hlcOf(Date.UTC(2240, 0)))).toBe(true);
});

test('keys spread over the buckets, always the same way', () => {
  expect([bucketOf('a'), bucketOf('schlüssel'), bucketOf('note:1')]).toEqual([44, 39, 28]);
  const counts = new Map<number, number>();
  for (let i = 0; i < 6400; i += 1) {
    const bucket = bucketOf(`memory ${i}`);
    counts.set(bucket, (counts.get(bucket) ?? 0) + 1);
  }
  expect(counts.size).toBe(64);
  expect(Math.max(...counts.values())).toBeLessThan(200);
});
