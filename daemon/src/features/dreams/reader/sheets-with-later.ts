import { nearestTo } from './nearby.ts';
import type { DreamView, SheetTurn } from '../strategies/strategy.ts';

/** Later memories that come along with one that is read: the nearest may say that it is done, or moved. */
const COMPANY = 3;

export interface CompanyPlan {
  readonly view: DreamView;
  /** Memories that are to be read, in order of time. */
  readonly wanted: readonly number[];
  /** Whether a memory may come along. */
  readonly may: (id: number) => boolean;
  readonly turn: SheetTurn;
  readonly lengthOf: (id: number) => number;
  /** On how many sheets it stood that brought no answer of use: then a sheet is half as long, each time. */
  readonly missesOf: (id: number) => number;
}

/**
 * Sheets on which each memory that is to be read stands once, beside the nearest ones that were written later. Where those are to be read
 * themselves, their own later ones come along, too.
 */
export function* sheetsWithCompany({
  view,
  wanted,
  may,
  turn,
  lengthOf,
  missesOf,
}: CompanyPlan): Generator<number[]> {
  const waiting = new Set(wanted.toSorted((a, b) => missesOf(a) - missesOf(b)));
  const times = new Map(view.memories().map(({ id, time }) => [id, time]));
  const companyOf = (id: number): number[] =>
    nearestTo(view, [id], {
      most: COMPANY,
      may: (other) => may(other.id) && other.time >= (times.get(id) ?? 0),
    }).map((other) => other.id);
  while (waiting.size > 0) {
    const sheet = new Set<number>();
    let { room, most } = turn;
    const queue: number[] = [];
    for (;;) {
      const id = queue.find((one) => waiting.has(one)) ?? waiting.values().next().value;
      if (id === undefined) break;
      const company = companyOf(id);
      const added = [id, ...company].filter((one) => !sheet.has(one));
      const length = added.reduce((sum, one) => sum + lengthOf(one), 0);
      most = Math.min(most, turn.most >> missesOf(id));
      if (sheet.size > 0 && (sheet.size + added.length > most || length > room)) break;
      for (const one of added) sheet.add(one);
      room -= length;
      waiting.delete(id);
      queue.push(...company);
    }
    yield [...sheet];
  }
}
