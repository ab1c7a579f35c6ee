import type { Near } from './nearness.ts';

/** A note as it takes room on a sheet. */
export interface PlacedNote {
  readonly id: number;
  /** Milliseconds since 1970. */
  readonly time: number;
  /** Characters. */
  readonly length: number;
  /** Whether it is still to stand on a first sheet, and on a second one. */
  readonly lacksFirst: boolean;
  readonly lacksSecond: boolean;
}

/** A sheet that is to be read, as ids in order of time, and whether it is the first one of its notes, the second one, or the only one. */
export interface PlannedSheet {
  readonly ids: readonly number[];
  readonly turn: Turn;
}

export type Turn = 'first' | 'second' | 'only';

export interface SheetPlan {
  /** By time. */
  readonly notes: readonly PlacedNote[];
  readonly nearOf: (id: number) => readonly Near[];
  /** Characters of a sheet, at most; a longer note stands alone. */
  readonly room: number;
  readonly isStopped: () => boolean;
}

/** Read notes that come along for each unread one, at most. */
const COMPANY = 12;
/** What company that is read already counts of its nearness. */
const READ_BEFORE = 0.5;

/**
 * Sheets to be read. A store that fits on one sheet is one. Of a larger one every unread note stands on two sheets, each time with the notes
 * that are nearest to it and did not share a sheet with it before; on one where all that is unread fits on a single sheet with its company.
 * What an earlier reading left is laid out as it was then.
 */
export function planSheets(plan: SheetPlan): PlannedSheet[] {
  const { notes, room } = plan;
  const isUnread = ({ lacksFirst, lacksSecond }: PlacedNote) => lacksFirst || lacksSecond;
  const unread = notes.filter(isUnread);
  if (unread.length === 0) return [];
  if (lengthOf(notes) <= room) return [{ ids: notes.map(({ id }) => id), turn: 'only' }];
  const byId = new Map(notes.map((note, at) => [note.id, { ...note, at }]));
  const inTime = (ids: readonly number[]) =>
    ids.toSorted((a, b) => (byId.get(a)?.at ?? 0) - (byId.get(b)?.at ?? 0));
  const first = placeAll(plan, unread, new Map());
  const [only] = first;
  if (only && first.length === 1) return [{ ids: inTime(only), turn: 'only' }];
  const lacks = (ids: readonly number[], turn: 'lacksFirst' | 'lacksSecond') =>
    ids.some((id) => byId.get(id)?.[turn] === true);
  // Whom a note met on a sheet of the first round it meets no more.
  const met = new Map<number, number[]>();
  for (const [at, ids] of first.entries()) for (const id of ids) met.set(id, [...(met.get(id) ?? []), at]);
  const second = placeAll(plan, unread, met);
  return [
    ...first
      .filter((ids) => lacks(ids, 'lacksFirst'))
      .map((ids) => ({ ids: inTime(ids), turn: 'first' as const })),
    ...second
      .filter((ids) => lacks(ids, 'lacksSecond'))
      .map((ids) => ({ ids: inTime(ids), turn: 'second' as const })),
  ];
}

/** Puts every unread note on one sheet. */
function placeAll(
  { notes, nearOf, room, isStopped }: SheetPlan,
  unread: readonly PlacedNote[],
  met: ReadonlyMap<number, readonly number[]>,
): number[][] {
  const byId = new Map(notes.map((note) => [note.id, note]));
  const wanted = new Set(unread.map(({ id }) => id));
  const waiting = new Set(wanted);
  const lengthOfNote = (id: number) => byId.get(id)?.length ?? 0;
  const sheets: number[][] = [];
  for (;;) {
    const [seed] = waiting;
    if (seed === undefined || isStopped()) return sheets;
    const sheet = new Set<number>();
    const gains = new Map<number, number>();
    let left = room;
    // Company leaves room for what is to be read: all of it, or half of the sheet.
    let roomOfCompany = Math.max(room / 2, room - lengthOf([...waiting].flatMap((id) => byId.get(id) ?? [])));
    let company = 0;
    const take = (id: number): void => {
      sheet.add(id);
      left -= lengthOfNote(id);
      if (waiting.delete(id)) company += COMPANY;
      else {
        company -= 1;
        roomOfCompany -= lengthOfNote(id);
      }
      gains.delete(id);
      const before = met.get(id) ?? [];
      for (const { id: other, nearness } of nearOf(id)) {
        // Who waits no more in this round stood on another sheet of it.
        const mayStand = waiting.has(other) || (byId.has(other) && !wanted.has(other));
        if (sheet.has(other) || !mayStand || met.get(other)?.some((one) => before.includes(one))) continue;
        gains.set(other, (gains.get(other) ?? 0) + nearness);
      }
    };
    take(seed);
    for (;;) {
      const next = bestOf(gains, {
        waiting,
        fits: (id) =>
          lengthOfNote(id) <= left && (waiting.has(id) || (company > 0 && lengthOfNote(id) <= roomOfCompany)),
      });
      if (next !== undefined) {
        take(next);
        continue;
      }
      // Nothing is near any more: the next note that waits begins a new corner of the same sheet.
      const corner = waiting.values().find((id) => lengthOfNote(id) <= left);
      if (corner === undefined) break;
      take(corner);
    }
    sheets.push([...sheet]);
  }
}

interface Choosing {
  readonly waiting: ReadonlySet<number>;
  readonly fits: (id: number) => boolean;
}

function bestOf(gains: ReadonlyMap<number, number>, { waiting, fits }: Choosing): number | undefined {
  let best: { id: number; gain: number } | undefined;
  for (const [id, given] of gains) {
    const isWaiting = waiting.has(id);
    const gain = isWaiting ? given : given * READ_BEFORE;
    if ((best && gain <= best.gain) || !fits(id)) continue;
    best = { id, gain };
  }
  return best?.id;
}

function lengthOf(notes: readonly PlacedNote[]): number {
  return notes.reduce((sum, { length }) => sum + length, 0);
}
