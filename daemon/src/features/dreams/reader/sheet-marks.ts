import type { StrategyAsking } from './asking.ts';
import { sheetMark, timesOf } from './marks.ts';
import { MOST_MISSES } from './sheets.ts';
import type { DreamMemory } from '../strategies/strategy.ts';

/**
 * On how many sheets each memory stood, in earlier dreams and in this one. `read` and `missed` count one sheet more and answer the marks
 * that are to be kept.
 */
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
  { model, strategy, known }: Pick<StrategyAsking, 'model' | 'strategy' | 'known'>,
): SheetMarks {
  const of = { model: model.name, strategy };
  const byId = new Map(memories.map((memory) => [memory.id, memory]));
  const counter = (what: 'read' | 'missed', most: number) => {
    const markOf = (memory: DreamMemory, times: number) =>
      sheetMark(what, of, { memory, times, anew: what === 'read' ? anewOf(memory.id) : 0 });
    const counts = new Map(
      memories.map((memory) => [memory.id, timesOf(most, (times) => known(markOf(memory, times)))]),
    );
    const countOf = (id: number): number => counts.get(id) ?? 0;
    const count = (id: number): string[] => {
      const memory = byId.get(id);
      counts.set(id, countOf(id) + 1);
      return memory && countOf(id) <= most ? [markOf(memory, countOf(id))] : [];
    };
    return { of: countOf, count };
  };
  const turns = counter('read', inAll);
  const misses = counter('missed', MOST_MISSES);
  const isDone = (id: number) => turns.of(id) >= inAll || misses.of(id) >= MOST_MISSES;
  const finish = (id: number): string[] => (isDone(id) ? [] : [...turns.count(id), ...finish(id)]);
  return {
    turnsOf: turns.of,
    missesOf: misses.of,
    isDone,
    read: (ids) => ids.flatMap(turns.count),
    missed: (ids) => ids.flatMap(misses.count),
    rest: () => [...byId.keys()].flatMap(finish),
  };
}
