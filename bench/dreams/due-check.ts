/**
 * What is said to be due of notes written one by one (pairs/dues.jsonl), each a namespace of its own:
 *
 *   node bench/dreams/due-check.ts [--half fit|aside|old] [--show]
 *
 * `aside` is there to be measured at the end, not to be tuned on.
 */
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { duesIn } from '../../daemon/src/features/dreams/strategies/due.ts';
import { readingOf } from '../../daemon/src/features/dreams/strategies/reading.ts';
import { loadFindDates } from '../../daemon/src/language/dates.ts';
import { readJsonl } from '../retrieval/jsonl.ts';
import { viewOfTold } from './fit-sets.ts';

const { values: options } = parseArgs({
  options: { half: { type: 'string', default: 'fit' }, show: { type: 'boolean', default: false } },
});
if (options.show && options.half === 'aside') throw new Error('what is set aside is not shown');

const Row = z.object({
  id: z.string(),
  half: z.enum(['fit', 'aside']).optional(),
  value: z.string(),
  created_at: z.string(),
  now: z.string(),
  due: z.string().nullable(),
});

const findDates = await loadFindDates();
const counts = { found: 0, of: 0, wrong: 0, silent: 0 };
for (const row of readJsonl(join(import.meta.dirname, 'pairs/dues.jsonl'), Row)) {
  if ((row.half ?? 'old') !== options.half) continue;
  const view = viewOfTold([{ key: row.id, value: row.value, at: row.created_at }], row.now);
  const dues = readingOf(view).memories.flatMap((memory) => duesIn(memory, { findDates, now: view.now }));
  const days = dues.map(({ on, grain }) =>
    new Date(on).toISOString().slice(0, grain === 'month' || row.due?.length === 7 ? 7 : 10),
  );
  const isFound = row.due !== null && days.includes(row.due);
  const wrong = days.filter((day) => day !== row.due).length;
  counts.of += row.due === null ? 0 : 1;
  counts.found += isFound ? 1 : 0;
  counts.wrong += wrong;
  counts.silent += row.due === null && days.length === 0 ? 1 : 0;
  if (options.show && (wrong > 0 || (row.due !== null && !isFound)))
    console.log(row.id, isFound ? 'found' : (row.due ?? '-'), days.join(' '), '|', row.value);
}
const { found, of, wrong, silent } = counts;
console.log(
  `${options.half}: ${found} of ${of} found, ${wrong} false (precision ${((100 * found) / (found + wrong)).toFixed(1)} %), silent on ${silent} of the others`,
);
