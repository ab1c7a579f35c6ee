import { Problem } from '@reverie/shared/contract/problems';
import { codeOf } from '../db/failures.ts';
import { describeFileError, Refusal } from '../platform/home/home.ts';
import { isDiskFull } from '../platform/home/room.ts';
import type { Config } from './config.ts';
import type { Settings } from './settings-file.ts';

/** Refuses to change what a variable or flag of the start sets: it would be as before after the next start, and is now. */
export function refuseGiven(settings: Settings, changes: Readonly<Record<string, unknown>>): void {
  const given = Object.keys(changes).filter((name) => ['variable', 'flag'].includes(settings.sourceOf(name)));
  if (given.length === 0) return;
  const named = given.map((name) => `${name} is set by ${settings.describe(name)}`).join(', ');
  throw new Problem('conflict', `${named}: change it there, and start Reverie again. Nothing was changed.`);
}

/** The settings as the file says now, for who asks over HTTP. Throws `Problem`. */
export function readSettings(settings: Settings): Config {
  return orProblem(() => settings.read());
}

/** Writes settings by dotted name for who asks over HTTP, whole or not at all; answers what holds then. Throws `Problem`. */
export function changeSettings(settings: Settings, changes: Readonly<Record<string, unknown>>): Config {
  return orProblem(() => settings.change(changes));
}

/** A file of settings that cannot be read or written, as the caller is told. */
function orProblem<T>(run: () => T): T {
  try {
    return run();
  } catch (cause) {
    if (cause instanceof Refusal) throw new Problem('conflict', cause.message, { cause });
    if (isDiskFull(cause))
      throw new Problem(
        'disk_full',
        'The disk is full, so config.json was not written and nothing was changed. Free some space and try again.',
        { cause },
      );
    if (codeOf(cause) === '') throw cause;
    throw new Problem('storage_failed', `${describeFileError(cause, 'config.json')}. Nothing was changed.`, {
      cause,
    });
  }
}
