import type { Asking } from './asking.ts';
import { missMark, readMark } from './marks.ts';
import { MOST_MISSES } from './sheets.ts';
import type { DreamMemory } from '../strategies/strategy.ts';

/** On how many sheets memories stood, in dreams before and in this one. What counts another sheet answers the marks that are to be kept. */
export interface SheetMarks {
  turnsOf(id: number): number;
  /** Sheets without an answer of use. */
  missesOf(id: number): number;
  /** Whether no sheet needs to be made for it any more. */
  isDone(id: number): boolean;
  read(ids: readonly number[]): string[];
  missed(ids: readonly number[]): string[];
  /** Counts as read what has nobody else to stand beside. */
  rest(): string[];
}

export function sheetMarksOf(
  memories: readonly DreamMemory[],
  { inAll, anewOf }: { inAll: number; anewOf: (id: number) => number },
  { model, strategy, known }: Pick<Asking, 'model' | 'strategy' | 'known'>,
): SheetMarks {
  const byId = new Map(memories.map((memory) => [memory.id, memory]));
  const counter = (most: number, markOf: (memory: DreamMemory, times: number) => string) => {
    const counts = new Map(
      memories.map((memory) => {
        let times = 0;
        while (times < most && known(markOf(memory, times + 1))) times += 1;
        return [memory.id, times];
      }),
    );
    const of = (id: number): number => counts.get(id) ?? 0;
    const count = (id: number): string[] => {
      const memory = byId.get(id);
      counts.set(id, of(id) + 1);
      return memory && of(id) <= most ? [markOf(memory, of(id))] : [];
    };
    return { of, count };
  };
  const turns = counter(inAll, (memory, turn) =>
    readMark(model.name, strategy, { memory, turn, anew: anewOf(memory.id) }),
  );
  const misses = counter(MOST_MISSES, (memory, times) => missMark(model.name, strategy, { memory, times }));
  const isDone = (id: number) => turns.of(id) >= inAll || misses.of(id) >= MOST_MISSES;
  return {
    turnsOf: turns.of,
    missesOf: misses.of,
    isDone,
    read: (ids) => ids.flatMap(turns.count),
    missed: (ids) => ids.flatMap(misses.count),
    rest: () =>
      [...byId.keys()].flatMap((id) => {
        const marks: string[] = [];
        while (!isDone(id)) marks.push(...turns.count(id));
        return marks;
      }),
  };
}
