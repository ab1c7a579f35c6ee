import { commonAncestor, descendFrom, goesBackTo, isSameMark, type Mark, shortWriter } from './lineage.ts';
import {
  bucketOf,
  compareVersions,
  type Content,
  descentOf,
  isSameContent,
  originOf,
  rankOf,
  slotName,
  type Version,
} from './register.ts';
import {
  leaveKey,
  placeVersions,
  type Replica,
  type ReplicaTables,
  type Unmerged,
  writePending,
} from './replica.ts';
import { mergeSaid, type Said } from './three-way.ts';

/** What two versions of a memory come to; undefined where that is not certain, or both changed the same. */
function mergedOf({ tables, writer }: Replica, first: Version, second: Version): Merged | undefined {
  const [one, other] = [first.content, second.content];
  const isAlike =
    one.created_at === other.created_at &&
    one.expires_at === other.expires_at &&
    rankOf(one) === 2 &&
    rankOf(other) === 2;
  if (!isAlike) return undefined;
  const [descent, otherDescent] = [descentOf(first), descentOf(second)];
  const ancestor = commonAncestor(descent, otherDescent);
  if (!ancestor) return undefined;
  const itself = [first, second].find((version) => isSameMark(descentOf(version).mark, ancestor));
  const base =
    first.key === second.key
      ? (itself?.content ?? tables.textOf([first.key], ancestor))
      : saidUnderBoth(tables, [first.key, second.key], ancestor);
  const said = base && mergeSaid(base, one, other);
  if (!said) return undefined;
  const { created_at, expires_at } = one;
  const updated_at = Math.max(tables.now(), one.updated_at + 1, other.updated_at + 1);
  const mark = { by: shortWriter(writer), at: updated_at };
  const lineage = descendFrom([descent, otherDescent], mark, { isOpen: false });
  return {
    content: { ...said, created_at, updated_at, expires_at },
    origin: originOf({ mark, lineage }, mark),
    isFirst: said.value === one.value && said.metadata === one.metadata,
  };
}

/**
 * What a version of a memory said that stands in what both of its names have of the past: one device may have gone on under both, and then its versions
 * are told apart by their times in neither.
 */
function saidUnderBoth(tables: ReplicaTables, keys: readonly [string, string], mark: Mark): Said | undefined {
  const [one, other] = keys.map((key) => tables.textOf([key], mark));
  return one && other && one.value === other.value && one.metadata === other.metadata ? one : undefined;
}

interface Merged {
  content: Content;
  origin: ReturnType<typeof originOf>;
  /** Whether the first one says all of it. */
  isFirst: boolean;
}

/** Whether this device can write a key without overwriting another version of its own than these. */
function isFree({ documents, writer }: Replica, key: string, of: readonly Version[]): boolean {
  const own = slotName(key, writer);
  return documents
    .at(bucketOf(key))
    .versions(key, 0)
    .every((version) => slotName(key, version) !== own || of.some((one) => one.hlc === version.hlc));
}

/**
 * Looks at what this device wrote and others, who had not seen it, overruled: merges both where each changed something else, and notes a
 * conflict where not. Only the device that wrote it does, so that it is done once. To be called when all was read that there is (`isAtEnd`):
 * until then it notes conflicts, and what it may merge stays in `unmerged`. Answers whether it said anything.
 */
export function mergeOwn(replica: Replica, unmerged: Unmerged, { isAtEnd }: { isAtEnd: boolean }): boolean {
  const { tables } = replica;
  if (!tables.mayMerge()) return false;
  let isSaid = false;
  const touched = new Set(unmerged.lost);
  // What was written on top of it meanwhile comes first.
  if (touched.size > 0 || unmerged.renamed.size > 0) writePending(replica);
  if (isAtEnd) {
    for (const [from, next] of unmerged.renamed) {
      let to = next;
      // It may have been given further names since.
      for (let names = 0; names < unmerged.renamed.size; names += 1)
        if (versionsAt(replica, to).length === 0) to = unmerged.renamed.get(to) ?? to;
      if (!followRenaming(replica, from, to)) continue;
      isSaid = true;
      for (const key of [to, from]) touched.add(key);
      // What was taken there is not in the documents yet.
      writePending(replica);
    }
    for (const [from, to] of unmerged.renamed)
      for (const pair of namesakes(replica, from, to)) {
        if (!keepOneName(replica, pair)) continue;
        isSaid = true;
        for (const { key } of pair) touched.add(key);
        writePending(replica);
      }
    for (const key of unmerged.lost) isSaid = mergeLost(replica, key) || isSaid;
    unmerged.lost.clear();
    unmerged.renamed.clear();
  }
  if (touched.size === 0) return false;
  writePending(replica);
  for (const key of touched) {
    const [winner, ...losers] = versionsAt(replica, key);
    if (winner) placeVersions({ ...replica, unmerged: undefined }, winner, losers);
    else leaveKey(replica, key);
  }
  return isSaid;
}

const versionsAt = ({ documents, tables }: Replica, key: string) =>
  documents.at(bucketOf(key)).versions(key, tables.clearedBefore());

/** Merges the version of this device that lost at a key. */
function mergeLost(replica: Replica, key: string): boolean {
  const { tables, documents, writer } = replica;
  const [winner, loser] = versionsAt(replica, key);
  if (!winner || loser?.device !== writer.device || documents.at(bucketOf(key)).isSettled(loser))
    return false;
  if (saysTheSame(winner, loser) || !isFree(replica, key, [winner, loser])) return false;
  const merged = mergedOf(replica, winner, loser);
  if (!merged) return false;
  const { content, origin, isFirst } = merged;
  const takes = [winner, loser].map(nameOf);
  if (!isFirst) tables.say({ kind: 'set', key, content, joins: { takes, origin } });
  // Others have noted that it lost.
  tables.say({ kind: 'settle', key, settles: nameOf(loser) });
  tables.settle([loser]);
  return true;
}

/** Whether two versions say the same, which is no conflict. */
const saysTheSame = ({ content: a }: Version, { content: b }: Version) =>
  a.value === b.value && a.metadata === b.metadata && a.expires_at === b.expires_at;

const nameOf = ({ device, incarnation, hlc }: Version) => ({ device, incarnation, hlc });

/**
 * Takes what this device wrote under a key to the new key that somebody gave the memory meanwhile, who had not seen it: merged with what is
 * said there, or as a version beside it. Answers whether there was any such.
 */
function followRenaming(replica: Replica, from: string, to: string): boolean {
  const { tables, writer } = replica;
  const [there] = versionsAt(replica, to);
  if (!there || there.device === writer.device || rankOf(there.content) !== 2) return false;
  const own = versionsAt(replica, from).find(
    ({ device, content }) => device === writer.device && content.created_at === there.content.created_at,
  );
  if (!own) return false;
  const isSeen =
    goesBackTo(descentOf(there), descentOf(own).mark) || isSameContent(own.content, there.content);
  // Who gave it a new name wants it still, and it says all that went into the trash.
  if (isSeen && own.content.trashed !== undefined) {
    tables.say({ kind: 'delete', key: from, only: nameOf(own) });
    tables.forget([own]);
    return true;
  }
  return !isSeen && rankOf(own.content) === 2 && moveTo(replica, own, there);
}

/** Says a version under the key of another one, merged with that or as a version beside it, and no more under its own. Answers whether it did. */
function moveTo(replica: Replica, version: Version, there: Version): boolean {
  const { tables, writer } = replica;
  const [from, to] = [descentOf(version), descentOf(there)];
  const isIn = saysTheSame(version, there) || goesBackTo(to, from.mark);
  if (isIn && !saysTheSame(version, there) && !saidUnderBoth(tables, [version.key, there.key], from.mark))
    return false;
  // Of what does not say where it comes from nobody knows whether it had seen this.
  if (!isIn && (!commonAncestor(from, to) || !isFree(replica, there.key, [there]))) return false;
  const others = versionsAt(replica, there.key).filter((one) => one.hlc !== there.hlc);
  if (others.some(({ device }) => device === version.device)) return false;
  const merged = isIn ? undefined : mergedOf(replica, there, version);
  const { was: _, ...content } = version.content;
  if (!isIn && !merged) {
    if (version.device !== writer.device || !isFree(replica, there.key, [])) return false;
    const origin = originOf(from, { by: shortWriter(writer), at: content.updated_at });
    tables.say({ kind: 'set', key: there.key, hlc: version.hlc, content, joins: { takes: [], origin } });
  } else if (merged && !merged.isFirst) {
    const joins = { takes: [nameOf(there)], origin: merged.origin };
    tables.say({ kind: 'set', key: there.key, content: merged.content, joins });
  }
  tables.say({ kind: 'delete', key: version.key, only: nameOf(version) });
  return true;
}

/** What one memory says under two names, the later one first: two gave it another one each. */
function namesakes(replica: Replica, from: string, to: string): [keeps: Version, goes: Version][] {
  const [there] = versionsAt(replica, to);
  if (!there) return [];
  const { created_at } = there.content;
  return replica.tables.namesakes(from, created_at).flatMap((key): [Version, Version][] => {
    const [other] = key === to ? [] : versionsAt(replica, key);
    if (other?.content.created_at !== created_at) return [];
    if (rankOf(there.content) !== 2 || rankOf(other.content) !== 2) return [];
    return [compareVersions(there, other) > 0 ? [there, other] : [other, there]];
  });
}

/** Takes a memory from one of its two names to the other; only a device that wrote what it says under either does. */
function keepOneName(replica: Replica, [keeps, goes]: readonly [Version, Version]): boolean {
  const { device } = replica.writer;
  return (keeps.device === device || goes.device === device) && moveTo(replica, goes, keeps);
}
