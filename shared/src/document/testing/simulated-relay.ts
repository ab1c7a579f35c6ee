import { createHash } from 'node:crypto';
import { epochAfter } from '../../protocol/epoch-number.ts';
import { LONGEST_AHEAD, wallOf } from '../clock.ts';

export type SentEntry = {
  incarnation: string;
  n: number;
  /** The newest stamp inside. */
  at: number;
} & ({ kind: 'update'; bucket: number; body: Uint8Array } | { kind: 'clear'; hlc: number });
export type Logged = SentEntry & { device: string; epoch: number; seq: number };

/** A bucket's document at the begin of an epoch, in place of entries up to `covers`. */
export interface KeptBase {
  bucket: number;
  epoch: number;
  covers: number;
  body: Uint8Array;
}

const nameOf = ({ device, incarnation, n }: Pick<Logged, 'device' | 'incarnation' | 'n'>) =>
  `${device} ${incarnation} ${n}`;

/** A relay's log of one room: appends are taken once, in order, in its own epoch and not from the future. */
export function createRelay({ random, now }: { random: () => number; now: () => number }) {
  let log: Logged[] = [];
  let generation = 0;
  let epoch = 0;
  let begun = 0;
  let known = new Set<string>();
  /** Entries of earlier epochs that were let go, which are not told apart any more. */
  let forgotten = new Set<string>();
  let bases: (KeptBase & { by: string; isSettled: boolean })[] = [];
  /** Of each length of the log, so that two logs with the same one are the same up to there. */
  const hashes: string[] = [''];
  const settled = () => bases.filter(({ isSettled }) => isSettled);

  function settle(base: (typeof bases)[number]): void {
    base.isSettled = true;
    for (const entry of log)
      if (entry.kind === 'update' && entry.bucket === base.bucket && entry.seq <= base.covers)
        if (entry.epoch < epoch) forgotten.add(nameOf(entry));
  }

  return {
    append(sent: SentEntry, at: { device: string; epoch: number }): 'stored' | 'known' | 'stale' | 'ahead' {
      if (wallOf(sent.at) > now() + LONGEST_AHEAD) return 'ahead';
      const entry: Logged = { ...sent, ...at, seq: log.length + 1 };
      if (known.has(nameOf(entry)) && !forgotten.has(nameOf(entry))) return 'known';
      if (at.epoch !== epoch) return 'stale';
      known.add(nameOf(entry));
      log.push(entry);
      const before = hashes[log.length - 1] ?? '';
      hashes[log.length] = createHash('sha256')
        .update(`${before} ${nameOf(entry)}`)
        .digest('hex');
      return 'stored';
    },
    /** Entries behind a cursor that are kept; now and then some are told twice, or two of them the other way round. */
    after(cursor: number, most: number): Logged[] {
      const isKept = ({ kind, seq, ...entry }: Logged) =>
        kind === 'clear' ||
        !settled().some((base) => 'bucket' in entry && base.bucket === entry.bucket && base.covers >= seq);
      const from = random() < 0.1 ? Math.max(0, cursor - 2) : cursor;
      const page = log.slice(from, cursor + most).filter((entry) => isKept(entry));
      if (random() < 0.1 && page.length > 1) {
        const at = Math.floor(random() * (page.length - 1));
        const [one, two] = [page[at], page[at + 1]];
        if (one && two) page.splice(at, 2, two, one);
      }
      return page;
    },
    basesAfter: (cursor: number): KeptBase[] => settled().filter(({ covers }) => covers > cursor),
    /** Keeps a base; it stands in place of entries once another device came to the same bytes. */
    offer(base: KeptBase, by: string): void {
      const same = bases.find((one) => one.bucket === base.bucket && one.epoch === base.epoch);
      if (!same) bases.push({ ...base, by, isSettled: false });
      else if (same.by !== by && same.covers === base.covers && Buffer.from(same.body).equals(base.body))
        settle(same);
    },
    epoch: () => epoch,
    /** Of two that ask, one is granted. */
    advance(from: number, { present }: { present: boolean }): boolean {
      if (epoch !== from) return false;
      begun += 1;
      // As by chance, and never twice.
      epoch = epochAfter(from, { present, offset: Math.imul(begun, 0x9e3779b1) >>> 12 });
      return true;
    },
    logId: () => `log_${generation}`,
    hashAt: (cursor: number) => (cursor > log.length ? '' : (hashes[cursor] ?? '')),
    length: () => log.length,
    now,
    has: (entry: Pick<Logged, 'device' | 'incarnation' | 'n'>) => known.has(nameOf(entry)),
    backup: () => ({ length: log.length, epoch }),
    /** A backup takes the place of the log: its end is lost, and it is another log from now on. */
    restore(backup: { length: number; epoch: number }): void {
      log = log.slice(0, backup.length);
      epoch = backup.epoch;
      known = new Set(log.map((entry) => nameOf(entry)));
      forgotten = new Set();
      bases = bases.filter((base) => base.covers <= log.length && base.epoch <= epoch);
      generation += 1;
    },
  };
}
export type Relay = ReturnType<typeof createRelay>;
