import { commonAncestor, descendFrom, goesBackTo, isSameMark, shortWriter } from './lineage.ts';
import {
  bucketOf,
  type Content,
  descentOf,
  isSameContent,
  originOf,
  rankOf,
  slotName,
  type Version,
} from './register.ts';
import { placeVersions, type Replica, type Unmerged, writePending } from './replica.ts';
import { mergeSaid } from './three-way.ts';

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
  const base = itself?.content ?? tables.textOf([first.key, second.key], ancestor);
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
      if (versionsAt(replica, from).length === 0) tables.moveLost(from, to);
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
    else tables.place(key, undefined, []);
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
    ({ device, content }) =>
      device === writer.device && content.created_at === there.content.created_at && rankOf(content) === 2,
  );
  if (!own || !isFree(replica, to, [there])) return false;
  const [written, renamed] = [descentOf(own), descentOf(there)];
  const isSeen = goesBackTo(renamed, written.mark) || isSameContent(own.content, there.content);
  // Of what does not say where it comes from nobody knows whether it had seen this.
  if (isSeen || !commonAncestor(written, renamed)) return false;
  const merged = mergedOf(replica, there, own);
  const { was: _, ...content } = own.content;
  if (!merged) {
    const origin = originOf(written, { by: shortWriter(writer), at: content.updated_at });
    tables.say({ kind: 'set', key: to, hlc: own.hlc, content, joins: { takes: [], origin } });
  } else if (!merged.isFirst) {
    const joins = { takes: [nameOf(there)], origin: merged.origin };
    tables.say({ kind: 'set', key: to, content: merged.content, joins });
  }
  tables.say({ kind: 'delete', key: from, only: nameOf(own) });
  return true;
}
