import {
  MEMORY_VERBS,
  memoryLine,
  namelessMemory,
  type SentenceParts,
} from '@reverie/shared/contract/events/memory-words';
import { memoryActs, type MemoryAct, type What } from '@reverie/shared/contract/events/what-happened';
import { countOf } from '../../platform/format.ts';
import type { EventRow } from './event-row.ts';

/** What was done to one memory. */
export function memoryOfRow(
  who: string,
  row: EventRow,
  what: Extract<What, { kind: 'memory' }>,
): SentenceParts {
  const { redacted, title, key, actor, author } = row;
  const memory = redacted ? namelessMemory(what.act) : { name: title ?? key ?? 'a memory' };
  return memoryLine(who, { memory, actor, author }, what);
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
    const [verb, behind = ''] = MEMORY_VERBS[act];
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
  if (wrote) return memoryOfRow(who, newest, { ...newest.what, act: 'wrote', into: undefined });
  const isSame = rows.every(({ what }) => what.kind === 'memory' && what.act === 'changed');
  const line = memoryOfRow(who, newest, newest.what);
  return isSame ? [...line, ` ${countOf(rows.length, 'time', 'times')}`] : line;
}
