import { createRequire } from 'node:module';
import type * as Yjs from 'yjs';
import { hasMoreParts, MOST_PARTS } from '../protocol/update-parts.ts';
import type { Hlc } from './clock.ts';
import { descendFrom, shortWriter } from './lineage.ts';
import { hlcOfText, type Patch } from './patch.ts';
import {
  compareVersions,
  descentOf,
  isSameContent,
  type Joins,
  keyOfSlot,
  type Operation,
  type Origin,
  originOf,
  readSlot,
  slotName,
  slotText,
  type Version,
  type VersionName,
  type Writer,
} from './register.ts';
import { outdatedFacts, readSettled, SETTLED, settledSlot } from './settled.ts';

const require = createRequire(import.meta.url);
/** Loaded when the first document is opened: that takes 50 ms, and a start without sync opens none. */
const yjs = (): typeof Yjs => require('yjs') as typeof Yjs;

/** The name of the map in the Yjs document. */
export const MAP = 'memories';

/** One bucket of a namespace, in memory: a Yjs document of slots, and an index of them by key. */
export interface BucketDocument {
  /**
   * Writes operations, in order; answers the one update that says so, or undefined where nothing changed. `isBlind`: they were noted while this
   * document was on its way.
   */
  write(operations: readonly Operation[], writer: Writer, isBlind?: boolean): Uint8Array | undefined;
  /**
   * Merges an update; answers the keys whose versions changed, each with the versions that were deleted: taken out, and nothing was said
   * in their place. Throws for bytes that are no update.
   */
  merge(update: Uint8Array): ReadonlyMap<string, readonly Version[]>;
  /** The versions of a key above a clear, newest first: the first is the memory, the others lost. */
  versions(key: string, clearedBefore: Hlc): Version[];
  keys(): Iterable<string>;
  /** The versions whose conflicts are settled. */
  settled(): VersionName[];
  isSettled(version: VersionName): boolean;
  /** Takes out, without an update, what a clear covers: every replica does so by itself. */
  forget(clearedBefore: Hlc): void;
  /** The whole document as one update; with the vector of another document, what that one does not hold. */
  state(vector?: Uint8Array): Uint8Array;
  /** What it holds, without the content; see `state`. */
  vector(): Uint8Array;
  /** The text of every slot, whoever wrote it. */
  slots(): Iterable<readonly [slot: string, text: string]>;
  /** Says again what another document said; answers the update, or undefined where nothing changed. */
  apply(patch: Pick<Patch, 'add' | 'remove'>): Uint8Array | undefined;
  /** Whether it holds updates that wait for ones that are missing. */
  hasGap(): boolean;
}

export interface BucketSource {
  /** Of this run of the process, random, the same for all documents. */
  clientId: number;
  /** Updates as they were stored, in order. */
  stored: readonly Uint8Array[];
}

/** Opens a bucket from what is stored of it. */
export function openBucket({ clientId, stored }: BucketSource): BucketDocument {
  const Y = yjs();
  // Named, for a name of chance, which nobody asks for, takes most of the time that opening an empty one does.
  const doc = new Y.Doc({ guid: 'bucket' });
  for (const update of stored) Y.applyUpdate(doc, update);
  // After the stored state: set before, Yjs would take another one as soon as it meets this one in there.
  doc.clientID = clientId;
  const map = doc.getMap<unknown>(MAP);
  const slotsOf = new Map<string, Set<string>>();
  for (const slot of map.keys()) indexSlot(slotsOf, slot, true);

  let changed = new Map<string, Version[]>();
  let written: Uint8Array | undefined;
  map.observe((event) => {
    const isSaid = new Set<string>();
    for (const slot of event.keysChanged as Set<string>) {
      const key = keyOfSlot(slot);
      const isThere = map.has(slot);
      indexSlot(slotsOf, slot, isThere);
      if (isThere) isSaid.add(key);
      if (!changed.has(key)) changed.set(key, []);
    }
    // What it said can be read of the event here only: afterwards the document has forgotten it.
    for (const [slot, { action, oldValue }] of event.keys) {
      const version = action === 'delete' ? readSlot(slot, oldValue) : undefined;
      if (version && !isSaid.has(version.key)) changed.get(version.key)?.push(version);
    }
  });
  doc.on('update', (update: Uint8Array) => (written = update));

  function versionsOf(key: string): Version[] {
    const found: Version[] = [];
    for (const slot of slotsOf.get(key) ?? []) {
      const version = readSlot(slot, map.get(slot));
      if (version) found.push(version);
    }
    return found;
  }

  /** Says that a conflict is settled, and takes out what lost where that still stands. */
  function settle({ key, hlc, settles }: Extract<Operation, { kind: 'settle' }>): void {
    const [, ...losers] = versionsOf(key).sort((a, b) => compareVersions(b, a));
    const slot = slotName(key, settles);
    // Where it stands by now nobody can have meant to take it out.
    if (losers.some((version) => slotName(key, version) === slot && version.hlc === settles.hlc)) {
      map.delete(slot);
      indexSlot(slotsOf, slot, false);
    }
    const facts = [...(slotsOf.get(SETTLED) ?? [])].map((fact): [string, Hlc] => [fact, stampOf(fact) ?? 0]);
    const fact = settledSlot(settles);
    for (const old of outdatedFacts(facts, hlc))
      if (old !== fact) {
        map.delete(old);
        indexSlot(slotsOf, old, false);
      }
    map.set(fact, JSON.stringify([hlc]));
    indexSlot(slotsOf, fact, true);
  }

  function stampOf(slot: string): Hlc | undefined {
    const text = map.get(slot);
    return typeof text === 'string' ? hlcOfText(text) : undefined;
  }

  function takeOut(key: string, name: VersionName): void {
    const slot = slotName(key, name);
    map.delete(slot);
    // Observers run after the transaction, and the next operation may be about the same key.
    indexSlot(slotsOf, slot, false);
  }

  function put(
    { key, hlc, content }: Extract<Operation, { kind: 'set' }>,
    writer: Writer,
    origin: Origin,
  ): void {
    const own = slotName(key, writer);
    map.set(own, slotText(hlc, content, origin));
    indexSlot(slotsOf, own, true);
  }

  /** Puts a merged version in the place of those that it was made of. Others stay, for nothing of them is in it. */
  function join(
    operation: Extract<Operation, { kind: 'set' }>,
    writer: Writer,
    { takes, origin }: Joins,
  ): void {
    const own = slotName(operation.key, writer);
    const isTaken = (version: Version) => takes.some((name) => isSameVersion(name, version));
    const standing = versionsOf(operation.key);
    if (standing.some((version) => slotName(operation.key, version) === own && !isTaken(version))) return;
    const taken = standing.filter(isTaken);
    for (const version of taken) takeOut(operation.key, version);
    put(withFormerKey(operation, taken), writer, origin);
  }

  function writeOne(operation: Operation, writer: Writer, isBlind: boolean): void {
    if (operation.kind === 'settle') return settle(operation);
    if (operation.kind === 'set' && operation.joins) return join(operation, writer, operation.joins);
    const { key, hlc } = operation;
    const own = slotName(key, writer);
    const only = operation.kind === 'delete' ? operation.only : undefined;
    const taken: Version[] = [];
    let superseded = false;
    for (const version of versionsOf(key)) {
      if (only && !isSameVersion(only, version)) continue;
      // Else it was not seen when this was written: it stays, and wins.
      if (version.hlc < hlc) taken.push(version);
      else superseded ||= slotName(key, version) === own;
    }
    const seen = seenOf(operation, taken, { writer, isBlind });
    for (const version of seen)
      if (operation.kind === 'delete' || slotName(key, version) !== own) takeOut(key, version);
    if (operation.kind === 'delete' || superseded) return;
    put(withFormerKey(operation, seen), writer, originOfWrite(operation, writer, seen));
  }

  return {
    write(operations, writer, isBlind = false) {
      written = undefined;
      doc.transact(() => {
        for (const operation of operations) writeOne(operation, writer, isBlind);
      });
      return written;
    },
    merge(update) {
      changed = new Map();
      Y.applyUpdate(doc, update);
      return changed;
    },
    versions: (key, clearedBefore) =>
      versionsOf(key)
        .filter(({ hlc }) => hlc > clearedBefore)
        .sort((a, b) => compareVersions(b, a)),
    *keys() {
      for (const key of slotsOf.keys()) if (key !== SETTLED) yield key;
    },
    settled: () => [...(slotsOf.get(SETTLED) ?? [])].flatMap((slot) => readSettled(slot) ?? []),
    isSettled: (version) => map.has(settledSlot(version)),
    forget(clearedBefore) {
      doc.transact(() => {
        for (const [key, slots] of [...slotsOf])
          if (key === SETTLED) {
            for (const slot of slots) if ((stampOf(slot) ?? 0) <= clearedBefore) map.delete(slot);
          } else
            for (const version of versionsOf(key))
              if (version.hlc <= clearedBefore) map.delete(slotName(key, version));
      });
    },
    state: (vector) => Y.encodeStateAsUpdate(doc, vector),
    vector: () => Y.encodeStateVector(doc),
    *slots() {
      for (const [slot, text] of map.entries()) if (typeof text === 'string') yield [slot, text];
    },
    apply({ add, remove }) {
      written = undefined;
      doc.transact(() => {
        for (const [slot, hlc] of remove) if (stampOf(slot) === hlc) map.delete(slot);
        for (const [slot, text] of add) {
          const there = stampOf(slot);
          if (there === undefined || there < (hlcOfText(text) ?? 0)) map.set(slot, text);
        }
      });
      return written;
    },
    hasGap: () => doc.store.pendingStructs !== null || doc.store.pendingDs !== null,
  };
}

const isSameVersion = (a: VersionName, b: VersionName) =>
  a.hlc === b.hlc && a.device === b.device && a.incarnation === b.incarnation;

/**
 * The versions that were looked at when one was written, which has a newer stamp. `isBlind`: the documents were on their way then, and may say since what
 * was not known; all the same where what it was written over does not stand any more.
 */
function seenOf(
  { before }: Exclude<Operation, { kind: 'settle' }>,
  standing: readonly Version[],
  { writer, isBlind }: { writer: Writer; isBlind: boolean },
): readonly Version[] {
  if (before === undefined || (before === null && !isBlind)) return standing;
  const former = writtenAt(standing, before, writer);
  return isBlind || former.length === 0 ? former : standing;
}

/** The versions that say that they were changed then; of several, by clocks that are wrong, those of the writer's device. */
function writtenAt(versions: readonly Version[], at: number | null, { device }: Writer): Version[] {
  const found = versions.filter(({ content }) => content.updated_at === at);
  const own = found.filter((version) => version.device === device);
  return own.length > 0 ? own : found;
}

/** A write that goes on saying which key the memory had: who changed it there meanwhile may hear of no other version. */
function withFormerKey(
  operation: Extract<Operation, { kind: 'set' }>,
  taken: readonly Version[],
): Extract<Operation, { kind: 'set' }> {
  const { content } = operation;
  const former = taken.find((one) => one.content.created_at === content.created_at && one.content.was);
  return { ...operation, content: { ...content, was: content.was ?? former?.content.was } };
}

/**
 * Where a version comes from: it goes on from what it was written over, where that stands still; what was taken out besides was not looked at. What says
 * nothing new is the version that it was.
 */
function originOfWrite(
  { content, before, renamed }: Extract<Operation, { kind: 'set' }>,
  writer: Writer,
  taken: readonly Version[],
): Origin {
  const former = renamed ?? writtenAt(taken, before ?? null, writer)[0];
  if (!former) return {};
  const own = { by: shortWriter(writer), at: content.updated_at };
  const { mark, lineage } = descentOf(former);
  const isOpen = taken.some((version) => version !== former);
  if (isSameContent(former.content, content))
    return originOf({ mark, lineage: isOpen ? { ...lineage, isOpen } : lineage }, own);
  if (renamed) return {};
  return originOf({ mark: own, lineage: descendFrom([{ mark, lineage }], own, { isOpen }) }, own);
}

function indexSlot(slotsOf: Map<string, Set<string>>, slot: string, isThere: boolean): void {
  const key = keyOfSlot(slot);
  const slots = slotsOf.get(key) ?? new Set();
  if (isThere) slots.add(slot);
  else slots.delete(slot);
  if (slots.size > 0) slotsOf.set(key, slots);
  else slotsOf.delete(key);
}

/** Throws for an update that would keep this process from everything else while it is merged. */
export function refuseMany(update: Uint8Array): void {
  if (hasMoreParts(update)) throw new Error(`it holds more than ${MOST_PARTS} structures`);
}

/** Checks that bytes are a Yjs update, without applying them. Throws what is wrong with them. */
export function checkUpdate(update: Uint8Array): void {
  refuseMany(update);
  yjs().decodeUpdate(update);
}
