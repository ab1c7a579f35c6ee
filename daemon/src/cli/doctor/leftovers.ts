import fs from 'node:fs';
import path from 'node:path';
import { isHeld } from '../../platform/home/lock.ts';
import { type Leftover, leftoversIn } from '../../platform/home/leftovers.ts';
import { size } from '../print.ts';
import { type DoctorFinding, fine, type Patient, warning } from './finding.ts';

const NAMED = 10;
/** What is written now may be half done and nobody's leftover, ms. */
const AT_WORK = 600_000;

/** Whether the home holds what nothing uses, such as copies of the database with what was deleted since. */
export function checkLeftovers({ home, now }: Patient): DoctorFinding {
  const isRunning = isHeld(home);
  const found = leftoversIn(home).filter(
    ({ goes, at }) => goes === 'by hand' || !isRunning || now - at > AT_WORK,
  );
  const log = isRunning ? 0 : (fs.statSync(`${home.database}-wal`, { throwIfNoEntry: false })?.size ?? 0);
  if (found.length === 0 && log === 0) return fine('Leftovers', 'there are none');
  const named = found.slice(0, NAMED).map((one) => describe(home.folder, one));
  if (found.length > NAMED) named.push(`${found.length - NAMED} more`);
  if (log > 0 && fs.existsSync(home.database))
    named.push(`reverie.db-wal (${size(log)}, what was stored last, and perhaps deleted since: keep it)`);
  const isOurs = log > 0 || found.some(({ goes }) => goes !== 'by hand');
  const todo = [
    ...(isOurs
      ? ['Start Reverie: it takes away what its own ends have left, the rest of it after an hour.']
      : []),
    ...(found.some(({ goes }) => goes === 'by hand')
      ? ['Look at what is not of Reverie, and move or delete it yourself.']
      : []),
  ];
  return warning('Leftovers', named.join('; '), todo.join(' '));
}

function describe(folder: string, { file, bytes, what }: Leftover): string {
  return `${path.relative(folder, file)} (${size(bytes)}, ${what})`;
}
