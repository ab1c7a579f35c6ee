import { createHash } from 'node:crypto';
import { nextHlc } from '../clock.ts';
import { createDocuments, type Documents } from '../documents.ts';
import type { Content, Operation, Version, Writer } from '../register.ts';
import { mergeClear, mergeUpdate, type Replica, rowsOf, writePending } from '../replica.ts';

/** The same numbers for the same seed (mulberry32). */
export function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

type Sent = { incarnation: string; n: number } & (
  { kind: 'update'; bucket: number; body: Uint8Array } | { kind: 'clear'; hlc: number }
);
type Logged = Sent & { device: string };

/** What a device has on its disk. */
interface Disk {
  rows: Map<string, Content>;
  outbox: (({ kind: 'operation'; operation: Operation } | { kind: 'clear'; hlc: number }) & {
    seq: number;
    send: number | null;
  })[];
  sends: (Sent & { id: number })[];
  updates: Map<number, Uint8Array[]>;
  cursor: number;
  logId: string;
  hash: string;
  clearedBefore: number;
  clock: number;
  next: number;
}

const emptyDisk = (): Disk => ({
  rows: new Map(),
  outbox: [],
  sends: [],
  updates: new Map(),
  cursor: 0,
  logId: '',
  hash: '',
  clearedBefore: 0,
  clock: 0,
  next: 1,
});

/** A relay's log of one room: appends are taken once, in order. */
export function createRelay() {
  let log: Logged[] = [];
  let generation = 0;
  const nameOf = ({ device, incarnation, n }: Pick<Logged, 'device' | 'incarnation' | 'n'>) =>
    `${device} ${incarnation} ${n}`;
  let known = new Set<string>();
  /** Of each length of the log, so that two logs with the same one are the same up to there. */
  const hashes: string[] = [''];
  return {
    append(entry: Logged): void {
      if (known.has(nameOf(entry))) return;
      known.add(nameOf(entry));
      log.push(entry);
      const before = hashes[log.length - 1] ?? '';
      hashes[log.length] = createHash('sha256')
        .update(`${before} ${nameOf(entry)}`)
        .digest('hex');
    },
    after: (cursor: number) => log.slice(cursor),
    logId: () => `log_${generation}`,
    hashAt: (cursor: number) => (cursor > log.length ? '' : (hashes[cursor] ?? '')),
    length: () => log.length,
    has: (entry: Logged) => known.has(nameOf(entry)),
    /** A backup takes the place of the log: its end is lost, and it is another log from now on. */
    restore(length: number): void {
      log = log.slice(0, length);
      known = new Set(log.map((entry) => nameOf(entry)));
      generation += 1;
    },
  };
}
export type Relay = ReturnType<typeof createRelay>;

/** A device with its disk: the same steps as the daemon's, over the same functions. */
export function createDevice(device: string, { random, now }: { random: () => number; now: () => number }) {
  let disk = emptyDisk();
  let writer: Writer;
  let documents: Documents;
  let n = 0;
  const acked: Logged[] = [];

  function boot(): void {
    writer = { device, incarnation: `i${Math.floor(random() * 2 ** 48).toString(36)}` };
    n = 0;
    documents = createDocuments({
      clientId: 1 + Math.floor(random() * (2 ** 32 - 2)),
      load: (bucket) => disk.updates.get(bucket) ?? [],
      keep: 3,
    });
  }
  boot();

  function keep(bucket: number, update: Uint8Array): void {
    const before = disk.updates.get(bucket) ?? [];
    // Now and then what is stored is the whole document.
    disk.updates.set(bucket, random() < 0.2 ? [documents.at(bucket).state()] : [...before, update]);
  }

  const shelf: Replica['shelf'] = {
    clearedBefore: () => disk.clearedBefore,
    saveClearedBefore: (hlc) => (disk.clearedBefore = hlc),
    unwritten: () =>
      disk.outbox.flatMap((item) =>
        item.kind === 'operation' && item.send === null ? [{ ...item.operation, seq: item.seq }] : [],
      ),
    saveOwn(bucket, update, seqs) {
      const gone = new Set(seqs);
      if (update === undefined) {
        disk.outbox = disk.outbox.filter(({ seq }) => !gone.has(seq));
        return;
      }
      keep(bucket, update);
      n += 1;
      const id = disk.next++;
      disk.sends.push({ kind: 'update', id, bucket, body: update, incarnation: writer.incarnation, n });
      for (const item of disk.outbox) if (gone.has(item.seq)) item.send = id;
    },
    saveTheirs: keep,
    place(key, winner) {
      if (winner) disk.clock = Math.max(disk.clock, winner.hlc);
      if (winner) disk.rows.set(key, winner.content);
      else disk.rows.delete(key);
    },
    keys: () => disk.rows.keys(),
    clear: () => disk.rows.clear(),
  };
  const replica = (): Replica => ({ shelf, documents, writer });

  const tick = () => (disk.clock = nextHlc(disk.clock, now()));
  const clone = (from: Disk): Disk => structuredClone(from);

  return {
    set(key: string, value: string): void {
      const time = now();
      const content = { value, metadata: '{}', created_at: time, updated_at: time, expires_at: null };
      disk.rows.set(key, content);
      const operation: Operation = { kind: 'set', key, hlc: tick(), content };
      disk.outbox.push({ kind: 'operation', operation, seq: disk.next++, send: null });
    },
    delete(key: string): void {
      if (!disk.rows.delete(key)) return;
      const operation: Operation = { kind: 'delete', key, hlc: tick() };
      disk.outbox.push({ kind: 'operation', operation, seq: disk.next++, send: null });
    },
    clear(): void {
      writePending(replica());
      disk.rows.clear();
      const hlc = tick();
      disk.clearedBefore = hlc;
      n += 1;
      const id = disk.next++;
      disk.sends.push({ kind: 'clear', id, hlc, incarnation: writer.incarnation, n });
      disk.outbox.push({ kind: 'clear', hlc, seq: disk.next++, send: id });
    },
    write: () => writePending(replica()),
    /** Sends up to `most`; each ack may be lost, then the entry is sent again. */
    send(relay: Relay, most: number, lossOfAcks: number): void {
      // What is sent goes to a log that is known: another one has to be found out first.
      if (disk.logId === '') disk.logId = relay.logId();
      if (disk.logId !== relay.logId()) return;
      for (const send of disk.sends.slice(0, most)) {
        const entry = { ...send, device };
        relay.append(entry);
        if (random() < lossOfAcks) continue;
        acked.push(entry);
        disk.sends = disk.sends.filter(({ id }) => id !== send.id);
        disk.outbox = disk.outbox.filter(({ send: of }) => of !== send.id);
      }
    },
    /** Reads up to `most` entries, from the start again where the log is another one. */
    receive(relay: Relay, most: number): void {
      const lost =
        disk.logId !== relay.logId() ||
        disk.cursor > relay.length() ||
        disk.hash !== relay.hashAt(disk.cursor);
      // Also of a device that read nothing yet: what it sent may be lost.
      if (lost && disk.logId !== '') {
        disk.cursor = 0;
        // What it does not have any more is sent again: whole documents, and the clear.
        writePending(replica());
        for (const bucket of disk.updates.keys()) {
          n += 1;
          const body = documents.at(bucket).state();
          disk.sends.push({
            kind: 'update',
            id: disk.next++,
            bucket,
            body,
            incarnation: writer.incarnation,
            n,
          });
        }
        if (disk.clearedBefore > 0) {
          n += 1;
          const { incarnation } = writer;
          disk.sends.push({ kind: 'clear', id: disk.next++, hlc: disk.clearedBefore, incarnation, n });
        }
      }
      disk.logId = relay.logId();
      for (const entry of relay.after(disk.cursor).slice(0, most)) {
        if (entry.kind === 'update') mergeUpdate(replica(), entry.bucket, entry.body);
        else {
          disk.clock = Math.max(disk.clock, entry.hlc);
          mergeClear(replica(), entry.hlc);
        }
        // A crash may come between two entries, and then reads the last one again.
        if (random() > 0.05) disk.cursor += 1;
        disk.hash = relay.hashAt(disk.cursor);
      }
    },
    restart: boot,
    backup: () => clone(disk),
    restore(from: Disk): void {
      disk = clone(from);
      boot();
    },
    pending: () => disk.outbox.length + disk.sends.length,
    isBehind: (relay: Relay) => disk.cursor < relay.length() || disk.logId !== relay.logId(),
    rows: () => new Map([...disk.rows].sort(([a], [b]) => (a < b ? -1 : 1))),
    rebuilt: () =>
      new Map(
        [...rowsOf({ shelf, documents })]
          .map(([winner]): [string, Version['content']] => [winner.key, winner.content])
          .sort(([a], [b]) => (a < b ? -1 : 1)),
      ),
    acked: () => acked,
    hasGap: () => [...disk.updates.keys()].some((bucket) => documents.at(bucket).hasGap()),
  };
}
export type Device = ReturnType<typeof createDevice>;

/** One seeded run: edits, cuts, lost acks, restarts, backups, clears, skewed clocks; answers what to compare. */
export function simulate(seed: number): {
  devices: Device[];
  fresh: Device;
  relay: Relay;
  restored: boolean;
} {
  const random = randomOf(seed);
  const below = (max: number) => Math.floor(random() * max);
  let time = 1_760_000_000_000;
  const relay = createRelay();
  const skews = Array.from({ length: 2 + below(3) }, () => (below(3) - 1) * below(400_000));
  const devices = skews.map((skew, index) => createDevice(`d${index}`, { random, now: () => time + skew }));
  const backups = new Map<Device, ReturnType<Device['backup']>>();
  const keys = Array.from({ length: 3 + below(6) }, (_, index) => `key ${index}`);
  let relayBackup = 0;
  let restored = false;

  for (let step = 0; step < 60 + below(80); step += 1) {
    time += below(5000);
    const device = devices[below(devices.length)];
    const key = keys[below(keys.length)];
    if (!device || key === undefined) continue;
    const dice = random();
    if (dice < 0.35) device.set(key, `value ${step} of ${seed}`);
    else if (dice < 0.45) device.delete(key);
    else if (dice < 0.47) device.clear();
    else if (dice < 0.55) device.write();
    else if (dice < 0.72) device.send(relay, 1 + below(4), random() < 0.3 ? 0.5 : 0);
    else if (dice < 0.9) device.receive(relay, 1 + below(6));
    else if (dice < 0.95) device.restart();
    else if (dice < 0.965) backups.set(device, device.backup());
    else if (dice < 0.985) {
      const backup = backups.get(device);
      if (backup) device.restore(backup);
    } else if (dice < 0.99) relayBackup = relay.length();
    else if (dice < 0.993 && relayBackup > 0) {
      relay.restore(Math.min(relayBackup, relay.length()));
      restored = true;
    }
  }
  // Everybody comes together: nothing may be left to send or read.
  for (let round = 0; round < 50; round += 1) {
    for (const device of devices) {
      device.receive(relay, 1000);
      device.write();
      device.send(relay, 1000, 0);
    }
    if (devices.every((device) => device.pending() === 0 && !device.isBehind(relay))) break;
  }
  const fresh = createDevice('fresh', { random, now: () => time });
  while (fresh.isBehind(relay)) fresh.receive(relay, 1000);
  return { devices, fresh, relay, restored };
}
