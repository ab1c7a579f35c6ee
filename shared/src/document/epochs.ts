import { isPresentBetween } from '../protocol/epoch-number.ts';
import { baseOf, presentOf } from './base.ts';
import { aliveIn, hlcOfText, joinPatches, type Patch, patchBetween } from './patch.ts';
import type { BucketDocument } from './bucket-document.ts';
import { shortWriter } from './lineage.ts';
import { descentOf, originOf, readSlot, slotName, slotText } from './register.ts';
import { placeAll, placeBucket, type Replica, type WaitingEntry, writePending } from './replica.ts';
import { MOST_BODY, splitUpdate } from './split-update.ts';

/** An update as entries that fit the wire. */
export const partsOf = (update: Uint8Array | undefined, patch?: Patch): WaitingEntry[] =>
  update === undefined ? [] : splitUpdate(update, MOST_BODY).map((body) => ({ body, patch }));

/** What this device says of a bucket and the log does not, as far as it is known. */
function unsaid(replica: Replica, bucket: number): Patch | undefined {
  const { tables, documents } = replica;
  const waiting = tables.waiting(bucket);
  if (waiting.length === 0) return undefined;
  const before = documents.aside(tables.confirmed(bucket));
  return joinPatches([
    ...waiting.flatMap(({ patch }) => patch ?? []),
    { add: [], remove: takenBack(replica, bucket) },
    patchBetween(before, documents.at(bucket)),
  ]);
}

/** Slots that waiting entries said and later ones took out again: the log may have the first of them, for an answer may be lost. */
function takenBack({ tables, documents }: Replica, bucket: number): [slot: string, hlc: number][] {
  const along = documents.aside(tables.confirmed(bucket));
  const said = new Map<string, [slot: string, hlc: number]>();
  for (const { body } of tables.waiting(bucket)) {
    if (!body) continue;
    for (const key of along.merge(body).keys())
      for (const version of along.versions(key, 0)) {
        const slot = slotName(key, version);
        said.set(`${slot}\0${version.hlc}`, [slot, version.hlc]);
      }
  }
  const is = new Map(documents.at(bucket).slots());
  return [...said.values()].filter(([slot, hlc]) => hlcOfText(is.get(slot) ?? '') !== hlc);
}

/** Whether what the log said can be told from what waits: it cannot once a deleted value was taken out of both. */
export function isApart({ tables }: Replica): boolean {
  if (tables.isAnew()) return true;
  if (tables.isClearWaiting()) return false;
  return tables.buckets().every((bucket) => tables.waiting(bucket).every(({ patch }) => patch === undefined));
}

/** A bucket's document at the begin of an epoch, by the word of the relay: in place of entries that it does not keep any more. */
export interface Base {
  epoch: number;
  body: Uint8Array;
}

/**
 * Begins a bucket's document anew. All that the log said before the epoch must have been merged, and `isApart`. What waits is said again
 * in the new document; slots that this device has not seen stay as they are. `base` is the newest one that the relay
 * told of, up to this epoch; `from` is the epoch of what the log said. Answers the document that the epoch begins with.
 */
export function enterEpoch(
  replica: Replica,
  bucket: number,
  { epoch, from, base }: { epoch: number; from: number; base?: Base | undefined },
): Uint8Array {
  const { tables, documents } = replica;
  const patch = tables.isAnew() ? undefined : unsaid(replica, bucket);
  const before = documents.aside(base ? [base.body] : tables.confirmed(bucket));
  const present = isPresentBetween(base?.epoch ?? from, epoch);
  const clearedBefore = tables.clearedInLog();
  const begun = base?.epoch === epoch ? base.body : baseOf(before, { epoch, clearedBefore, present });
  tables.replaceConfirmed(bucket, begun);
  if (base)
    tables.hear([...before.slots()].reduce((max, [, text]) => Math.max(max, hlcOfText(text) ?? 0), 0));
  if (patch) {
    const document = documents.aside([begun]);
    const alive = aliveIn(patch, tables.clearedBefore());
    const standing = present ? withoutLost(replica, alive, documents.at(bucket)) : alive;
    const update = document.apply(isPresentBetween(0, epoch) ? withoutTrash(standing, document) : standing);
    tables.replaceWaiting(bucket, partsOf(update));
    // The log says still what was deleted here.
    if (patch.remove.length > 0) tables.forgetSoon(bucket);
  }
  documents.close(bucket);
  return begun;
}

/**
 * Makes the rows of a bucket what its document says, when all buckets are in the epoch: a `base` said more than had been read, or what waits
 * took out what had overruled another version that the epoch left behind. What was written here meanwhile goes into the documents first.
 */
export function placeBegun(replica: Replica, bucket: number): void {
  if (replica.tables.isAnew()) return;
  writePending(replica, { isBlind: true });
  placeBucket(replica, bucket);
}

/**
 * Empties the documents, so that the log is read into them from its start; what this device has to say is kept
 * aside until then, with `whole` all that it knows; with `present` only what there is now, of what is not its own. Its tables are anew
 * (`isAnew`) from then on.
 */
export function leaveDocuments(
  replica: Replica,
  { whole, present = false }: { whole: boolean; present?: boolean },
): void {
  const { tables, documents } = replica;
  writePending(replica);
  for (const bucket of tables.buckets()) {
    const kept = unsaid(replica, bucket);
    const slots = [...documents.at(bucket).slots()];
    const all = (whole || kept?.whole) && {
      add: [...(kept?.add ?? []), ...(present ? presentOf(slots) : slots)],
      remove: kept?.remove ?? [],
    };
    const patch = all || kept;
    if (patch) {
      const says = patch.add.length > 0 || patch.remove.length > 0;
      tables.replaceWaiting(bucket, says ? [{ body: undefined, patch }] : []);
    }
    tables.replaceConfirmed(bucket, undefined);
    documents.close(bucket);
  }
}

/**
 * A patch without what it puts into the trash, but for what that takes away from everybody, as they know it: what nobody has any more, or has
 * not heard of, stays in the trash here, and what somebody wrote again meanwhile is not overruled by it.
 */
function withoutTrash(patch: Patch, document: BucketDocument): Patch {
  const seen = new Set(patch.remove.map(([slot, hlc]) => `${slot}\0${hlc}`));
  const isTakenAway = (key: string) => {
    const there = document.versions(key, 0);
    return there.length > 0 && there.every((one) => seen.has(`${slotName(key, one)}\0${one.hlc}`));
  };
  const add = patch.add.flatMap(([slot, text]): [string, string][] => {
    const version = readSlot(slot, text);
    if (version?.content.trashed === undefined) return [[slot, text]];
    const [known] = document.versions(version.key, 0);
    if (!known || !isTakenAway(version.key)) return [];
    const content = { ...known.content, trashed: version.content.trashed };
    const own = { by: shortWriter(version), at: content.updated_at };
    return [[slot, slotText(version.hlc, content, originOf(descentOf(known), own))]];
  });
  return { ...patch, add };
}

/**
 * A patch without the versions of this device that had lost before others heard of them: in an epoch that began with what there is they
 * stay here, as conflicts.
 */
function withoutLost({ tables, writer }: Replica, patch: Patch, document: BucketDocument): Patch {
  const add = patch.add.filter(([slot, text]) => {
    const version = readSlot(slot, text);
    if (!version || version.device !== writer.device || version.content.trashed !== undefined) return true;
    const [winner] = document.versions(version.key, tables.clearedBefore());
    if (!winner || slotName(version.key, winner) === slot || document.isSettled(version)) return true;
    tables.place(version.key, winner, [version]);
    return false;
  });
  return { ...patch, add };
}

/** Says again what was kept aside, once the log was read to its end; `end` says in its tables that it was. */
export function returnToDocuments(replica: Replica, end: () => void): number {
  const { tables, documents } = replica;
  for (const bucket of tables.buckets()) {
    const patches = tables.waiting(bucket).flatMap(({ patch }) => patch ?? []);
    if (patches.length === 0) continue;
    const document = documents.at(bucket);
    const patch = aliveIn(joinPatches(patches), tables.clearedBefore());
    const update = document.apply(tables.isShared() ? withoutTrash(patch, document) : patch);
    tables.replaceWaiting(bucket, partsOf(update));
    tables.forgetSoon(bucket);
  }
  end();
  writePending(replica, { isBlind: true });
  return placeAll(replica);
}

/**
 * Says again, as entries of this epoch, all that the log said in it: who may read the log from its beginning only finds there what there is.
 * To everybody else it is no news.
 */
export function sayConfirmed({ tables, documents }: Replica): void {
  for (const bucket of tables.buckets()) {
    const confirmed = tables.confirmed(bucket);
    if (confirmed.length === 0) continue;
    for (const part of splitUpdate(documents.aside(confirmed).state(), MOST_BODY))
      tables.saveOwn(bucket, part, []);
  }
}

/** Sends whole documents again: the relay has lost some of what it confirmed, and nobody knows what. */
export function sendWhole(replica: Replica): void {
  const { tables, documents } = replica;
  writePending(replica);
  for (const bucket of tables.buckets()) {
    const remove = unsaid(replica, bucket)?.remove ?? [];
    tables.replaceWaiting(bucket, partsOf(documents.at(bucket).state(), { whole: true, add: [], remove }));
  }
}

/**
 * Writes a bucket's bytes anew, so that they hold no deleted value any more: neither what the log said, nor what
 * waits. What waits stays known as a patch.
 */
export function fold(replica: Replica, bucket: number): void {
  const { tables, documents } = replica;
  if (tables.isAnew()) return;
  const document = documents.at(bucket);
  const isFolded = tables.waiting(bucket).some(({ patch }) => patch !== undefined);
  const before = documents.aside(tables.confirmed(bucket));
  document.forget(tables.isClearWaiting() ? tables.clearedBefore() : tables.clearedInLog());
  const patch = unsaid(replica, bucket);
  const update = isFolded ? document.state() : document.state(before.vector());
  tables.replaceConfirmed(bucket, document.state());
  if (!patch) return;
  const entries = partsOf(update, aliveIn(patch, tables.clearedBefore()));
  // Made anew they have new numbers: two devices that fold what they hear from each other would do so for ever.
  const waiting = tables.waiting(bucket);
  const isSame =
    waiting.length === entries.length && waiting.every((one, at) => isSameEntry(one, entries[at]));
  if (!isSame) tables.replaceWaiting(bucket, entries);
}

const isSameEntry = (one: WaitingEntry, other: WaitingEntry | undefined): boolean =>
  one.body?.length === other?.body?.length &&
  (one.body ?? new Uint8Array()).every((byte, at) => byte === other?.body?.[at]) &&
  JSON.stringify(one.patch) === JSON.stringify(other?.patch);
