import { parentPort, workerData } from 'node:worker_threads';
import type { ReadDb } from '../../../db/open-store.ts';
import { finders } from '../structure/index.ts';
import { nearnessOf } from '../reading/nearness.ts';
import { readMarks } from '../reading/readings.store.ts';
import { planSheets } from '../reading/sheets.ts';
import { noteLength } from '../reading/notes.ts';
import type { DreamView } from '../dream-view.ts';
import type { DreamWork, FromThread, PlannedSheets } from './messages.ts';
import { readDigest } from './digest.ts';
import { openReader } from './view.store.ts';
import { openView } from './view.ts';
import { standBack } from './yielding.ts';

// The thread of one dream looks and writes nothing: what structure shows, strategy by strategy, then what is to be read on which sheets.
const work = workerData as DreamWork;
const flag = new Int32Array(work.cancelled);
const isStopped = () => Atomics.load(flag, 0) !== 0;
const say = (message: FromThread) => parentPort?.postMessage(message);

/** A strategy that fails does not keep the others from finding. */
function find(view: DreamView): void {
  for (const strategy of work.strategies) {
    if (isStopped()) return;
    say({ kind: 'began', strategy });
    const from = performance.now();
    try {
      const proposals = finders[strategy]?.(view) ?? [];
      say({ kind: 'found', strategy, ms: Math.round(performance.now() - from), proposals });
    } catch (cause) {
      const reason = cause instanceof Error ? String(cause.stack) : String(cause);
      say({ kind: 'failed', strategy, reason });
    }
  }
}

function plan(view: DreamView, db: ReadDb): PlannedSheets {
  const { reading } = work;
  if (!reading) return { sheets: [], unread: 0, letters: 0 };
  const memories = view.memories();
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
  const sheets = planSheets({ notes, nearOf: nearnessOf(view), room: reading.room, isStopped });
  const lengths = new Map(notes.map(({ id, length }) => [id, length]));
  const lengthOf = (ids: readonly number[]) => ids.reduce((sum, id) => sum + (lengths.get(id) ?? 0), 0);
  return {
    sheets,
    unread: notes.filter(({ lacksFirst, lacksSecond }) => lacksFirst || lacksSecond).length,
    letters: sheets.reduce((sum, { ids }) => sum + lengthOf(ids), 0),
  };
}

standBack();
const { db, close } = openReader(work.database);
const { view, of } = openView({ ...work, db, isStopped });
say({ kind: 'viewed', memories: view.memories().length, of });
find(view);
const planned = plan(view, db);
close();
say({ kind: 'planned', ...planned });
