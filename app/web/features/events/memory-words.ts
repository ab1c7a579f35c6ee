import { authorOwns } from '@reverie/shared/contract/author';
import { countOf } from '../../platform/format.ts';
import type { EventRow } from './event-row.ts';
import { memoryActs, type MemoryAct, type What } from './what.ts';

/** Words, and between them what memories, channels and kinds of proposal are called. */
export type SentenceParts = readonly (string | { name: string })[];

type OfMemory = Extract<What, { kind: 'memory' }>;

/** Verbs, and what stands behind what they are done to. */
const VERBS: Readonly<Record<MemoryAct, readonly [verb: string, behind?: string]>> = {
  wrote: ['wrote'],
  changed: ['changed'],
  renamed: ['renamed'],
  moved: ['moved'],
  merged: ['merged'],
  archived: ['archived'],
  'set aside': ['set', ' aside'],
  showed: ['showed', ' again'],
  'took back': ['took', ' out of the trash'],
  trashed: ['moved', ' to the trash'],
  lost: ['overwrote'],
  deleted: ['deleted', ' for good'],
};
/** What stands between a memory and the key or namespace that it went to. */
const INTO: Readonly<Partial<Record<MemoryAct, string>>> = {
  renamed: ' to ',
  moved: ' to ',
  merged: ' into ',
  'set aside': ' aside for ',
};

/** What was done to one memory. */
export function memoryLine(who: string, row: EventRow, { act, into, loser }: OfMemory): SentenceParts {
  const memory = nameOf(row, act);
  const [verb, behind = ''] = VERBS[act];
  const to = INTO[act];
  if (act === 'lost')
    return loser && row.author
      ? [
          'Two versions of ',
          memory,
          `: ${authorOwns(row.author)} stands, ${authorOwns(loser)} is kept in conflicts`,
        ]
      : ['A version of ', memory, ' gave way to a later one'];
  if (act === 'deleted' && row.actor.id === 'expiry')
    return [`${who} deleted `, memory, ', which had expired'];
  if (into !== undefined && to !== undefined) return [`${who} ${verb} `, memory, to, { name: into }];
  return [`${who} ${verb} `, memory, behind];
}

function nameOf({ redacted, title, key }: EventRow, act: MemoryAct): string | { name: string } {
  if (!redacted) return { name: title ?? key ?? 'a memory' };
  return act === 'deleted' ? 'a memory' : 'a memory that was deleted since';
}

/** The sentence that says that a whole namespace was cleared. */
export function clearedWords(
  who: string,
  { namespace }: EventRow,
  { count }: Extract<What, { kind: 'cleared' }>,
): SentenceParts {
  return [
    `${who} cleared `,
    { name: namespace },
    `: ${countOf(count, 'memory was', 'memories were')} deleted`,
  ];
}

/** What was done to several memories, or several times to one. */
export function memoriesSentence(who: string, rows: readonly EventRow[]): SentenceParts {
  const cleared = rows.find(({ what }) => what.kind === 'cleared');
  if (cleared?.what.kind === 'cleared') return clearedWords(who, cleared, cleared.what);
  const counts = countActs(rows);
  if ([...counts.values()].reduce((sum, count) => sum + count, 0) === 1) return oneMemory(who, rows);
  const lost = counts.get('lost');
  if (lost !== undefined) return [`${countOf(lost, 'version', 'versions')} gave way to later ones`];
  const said = memoryActs.flatMap((act) => {
    const count = counts.get(act);
    const [verb, behind = ''] = VERBS[act];
    return count === undefined ? [] : [{ verb, count, behind }];
  });
  const parts = said.map(({ verb, count, behind }, at) =>
    [verb, at === 0 ? ` ${countOf(count, 'memory', 'memories')}` : ` ${count}`, behind].join(''),
  );
  const isGone = rows.every(({ redacted }) => redacted) && !counts.has('deleted');
  return [`${who} ${joined(parts)}${isGone ? ', deleted since' : ''}`];
}

function joined(parts: readonly string[]): string {
  const last = parts.at(-1) ?? '';
  return parts.length > 1 ? `${parts.slice(0, -1).join(', ')} and ${last}` : last;
}

/** Of how many memories each was done; what was written just now is not told to be changed as well. */
function countActs(rows: readonly EventRow[]): Map<MemoryAct, number> {
  const seen = new Map<string, MemoryAct>();
  for (const { what, key, namespace, seq } of rows.toReversed()) {
    if (what.kind !== 'memory') continue;
    const place = what.act === 'moved' ? what.into : namespace;
    const memory = key === undefined ? String(seq) : JSON.stringify([place, key]);
    const before = seen.get(memory);
    if (before === undefined || (before !== 'wrote' && what.act !== 'changed')) seen.set(memory, what.act);
  }
  const counts = new Map<MemoryAct, number>();
  for (const act of seen.values()) counts.set(act, (counts.get(act) ?? 0) + 1);
  return counts;
}

function oneMemory(who: string, rows: readonly EventRow[]): SentenceParts {
  const [newest] = rows;
  if (newest?.what.kind !== 'memory') return [];
  // It was written and then changed: that it was written says more.
  const wrote = rows.some(({ what }) => what.kind === 'memory' && what.act === 'wrote');
  if (wrote) return memoryLine(who, newest, { ...newest.what, act: 'wrote', into: undefined });
  const isSame = rows.every(({ what }) => what.kind === 'memory' && what.act === 'changed');
  const line = memoryLine(who, newest, newest.what);
  return isSame ? [...line, ` ${countOf(rows.length, 'time', 'times')}`] : line;
}
