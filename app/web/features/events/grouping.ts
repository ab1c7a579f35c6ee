import type { MemoryAct } from '@reverie/shared/contract/events/what-happened';
import type { EventRow } from './event-row.ts';

/** Events that are told in one sentence, newest first; there is one at least. */
export interface EventGroup {
  /** Stays the same while newer events join it. */
  id: string;
  rows: readonly EventRow[];
}

const SECOND = 1_000;
/** How long after each other things are done that are one act to a person: an import, a folder, a batch, a tidying hand. */
const BURST_MS = 60 * SECOND;
/** The same of changes that a device sends, and of proposals that are worked off. */
const SITTING_MS = 10 * 60 * SECOND;
/** How long after each other somebody changes one memory, to be told of once. */
const SAME_MEMORY_MS = 6 * 60 * 60 * SECOND;

/** Acts that are told together: `wrote two memories and changed three`. */
const HANDS: Readonly<Record<MemoryAct, string>> = {
  wrote: 'writing',
  changed: 'writing',
  renamed: 'writing',
  moved: 'writing',
  trashed: 'trash',
  'took back': 'back',
  showed: 'back',
  archived: 'hiding',
  'set aside': 'hiding',
  merged: 'hiding',
  lost: 'lost',
  deleted: 'deleting',
};

interface Thread {
  name: string;
  /** How long after each other events of it are one group; without one they always are. */
  within: number;
}

/** Who does what where: events of one thread may be one group, whatever others do in between. */
function threadOf({ what, actor, namespace }: EventRow): Thread {
  // All of one dream, what it writes and proposes too.
  if (actor.kind === 'job') return { name: `job ${actor.id}`, within: Infinity };
  if (actor.kind === 'device') return { name: `device ${actor.id}`, within: SITTING_MS };
  // Both namespaces hear of a memory that moves.
  const moved = what.kind === 'memory' && what.act === 'moved' ? what.into : undefined;
  const place = JSON.stringify([actor.id, moved ?? namespace]);
  switch (what.kind) {
    case 'memory':
      return { name: `${HANDS[what.act]} ${place}`, within: BURST_MS };
    case 'cleared':
      return { name: `deleting ${place}`, within: BURST_MS };
    case 'insight':
      return { name: `${what.decision} ${actor.id}`, within: SITTING_MS };
    case 'message':
      return { name: `message ${what.from} ${namespace}`, within: SITTING_MS };
    case 'published':
      return { name: `published ${place} ${what.channel}`, within: BURST_MS };
    case 'followed':
      return { name: `followed ${place}`, within: BURST_MS };
    case 'session':
      return { name: `session ${what.agent} ${namespace}`, within: SITTING_MS };
    case 'dream':
    case 'webhook':
      return { name: `${what.kind} ${actor.id}`, within: 0 };
  }
}

/** The rows, newest first, as groups in the order of their newest events. */
export function groupsOf(rows: readonly EventRow[]): EventGroup[] {
  const groups: { name: string; within: number; rows: EventRow[] }[] = [];
  const open = new Map<string, EventRow[]>();
  for (const row of rows) {
    const { name, within } = threadOf(row);
    const group = open.get(name);
    if (group && joins(group, row, within)) group.push(row);
    else {
      const next = [row];
      groups.push({ name, within, rows: next });
      open.set(name, next);
    }
  }
  return groups.map((group) => ({
    id: group.within === Infinity ? group.name : `${group.name} ${group.rows.at(-1)?.seq}`,
    rows: group.rows,
  }));
}

function joins(group: readonly EventRow[], row: EventRow, within: number): boolean {
  const last = group.at(-1);
  if (!last) return false;
  const apart = Date.parse(last.created_at) - Date.parse(row.created_at);
  return apart <= within || (apart <= SAME_MEMORY_MS && isOfOne([last, row]) && isOfOne(group));
}

/** Whether all rows are about one memory. */
export function isOfOne(rows: readonly EventRow[]): boolean {
  const [first] = rows;
  return (
    first?.key !== undefined &&
    rows.every(({ key, namespace }) => key === first.key && namespace === first.namespace)
  );
}
