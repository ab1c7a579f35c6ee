import { answerQuestions } from '@reverie/shared/threads/thread';
import type { ReadDb } from '../../../db/open-store.ts';
import { finders } from '../structure/index.ts';
import { type Notes, readNotes } from '../structure/notes.ts';
import { nearnessOf } from '../reading/nearness.ts';
import { readMarks } from '../reading/readings.store.ts';
import { planSheets } from '../reading/sheets.ts';
import { noteLength } from '../reading/notes.ts';
import type { DreamMemory } from '../dream-memory.ts';
import type { DreamWork, FromThread, PlannedSheets } from './messages.ts';
import { readDigest } from './digest.ts';
import { nearestMemories } from './neighbours.ts';
import { openReader } from './view.store.ts';
import { readMemories } from './view.ts';
import { standBack } from './yielding.ts';

// The thread of one dream looks and writes nothing: what structure shows, strategy by strategy, then what is to be read on which sheets.
answerQuestions<DreamWork, PlannedSheets, FromThread>((asked, say) => {
  standBack();
  const flag = new Int32Array(asked.cancelled);
  const work = { ...asked, isStopped: () => Atomics.load(flag, 0) !== 0, say };
  const { db, close } = openReader(work.database);
  const { memories, of } = readMemories(db, work);
  say({ kind: 'viewed', memories: memories.length, of });
  find(work, memories);
  const planned = plan(work, { memories, db });
  close();
  return planned;
});

/** What is asked, and what the thread does it with. */
interface Work extends DreamWork {
  isStopped: () => boolean;
  say: (message: FromThread) => void;
}

/** A strategy that fails does not keep the others from finding. What is known of sentences and words is gone when all have found. */
function find({ strategies, now, isStopped, say }: Work, memories: readonly DreamMemory[]): void {
  let notes: Notes | undefined;
  for (const strategy of strategies) {
    if (isStopped()) return;
    say({ kind: 'began', strategy });
    const from = performance.now();
    try {
      const finder = finders[strategy];
      const proposals = finder ? finder((notes ??= readNotes(memories, now))) : [];
      say({ kind: 'found', strategy, ms: Math.round(performance.now() - from), proposals });
    } catch (cause) {
      const reason = cause instanceof Error ? String(cause.stack) : String(cause);
      say({ kind: 'failed', strategy, reason });
    }
  }
}

function plan(work: Work, { memories, db }: { memories: readonly DreamMemory[]; db: ReadDb }): PlannedSheets {
  const { reading, isStopped } = work;
  if (!reading) return { sheets: [], unread: 0, letters: 0 };
  const marks = readMarks(
    db,
    memories.map(({ id }) => id),
  );
  const notes = memories.map((memory) => {
    const mark = marks.get(memory.id);
    const bits = mark?.digest.equals(readDigest(memory.digest)) ? mark.kinds : 0;
    return {
      id: memory.id,
      time: memory.time,
      length: noteLength(memory),
      lacksFirst: (bits & reading.first) !== reading.first,
      lacksSecond: (bits & reading.second) !== reading.second,
    };
  });
  const nearOf = nearnessOf(memories, () => nearestMemories(memories, { ...work, db }));
  const sheets = planSheets({ notes, nearOf, room: reading.room, isStopped });
  const lengths = new Map(notes.map(({ id, length }) => [id, length]));
  const lengthOf = (ids: readonly number[]) => ids.reduce((sum, id) => sum + (lengths.get(id) ?? 0), 0);
  return {
    sheets,
    unread: notes.filter(({ lacksFirst, lacksSecond }) => lacksFirst || lacksSecond).length,
    letters: sheets.reduce((sum, { ids }) => sum + lengthOf(ids), 0),
  };
}
