import { Problem } from '@reverie/shared/contract/problems';
import { describeFileError, Refusal } from '../platform/home/home.ts';

/** The code of an SQLite or system error; empty where it has none. */
export function codeOf(cause: unknown): string {
  return cause instanceof Error && 'code' in cause ? String(cause.code) : '';
}

/** Whether a failure says that the disk has no room; the index of the write-ahead log needs some as it grows. */
export function isNoRoom(cause: unknown): boolean {
  return ['SQLITE_FULL', 'SQLITE_IOERR_SHMSIZE', 'ENOSPC', 'EDQUOT'].includes(codeOf(cause));
}

/** The problem that the caller of a failed write is told; a cause that is none of the known ones comes back as it is. */
export function explainWriteFailure(cause: unknown): unknown {
  const code = codeOf(cause);
  if (isNoRoom(cause))
    return new Problem(
      'disk_full',
      'The disk is full, so nothing was stored. Free some space and try again; what was stored before is safe.',
      { cause },
    );
  if (
    code.startsWith('SQLITE_IOERR') ||
    code.startsWith('SQLITE_READONLY') ||
    code.startsWith('SQLITE_CANTOPEN')
  )
    return new Problem(
      'storage_failed',
      'The database could not be written, so nothing was stored. `reverie doctor` says what to do.',
      { cause },
    );
  return explainReadFailure(cause);
}

/**
 * The problem that the caller of a failed read is told; a cause that is none of the known ones comes back as it is. A damaged text index
 * says `vtable constructor failed`.
 */
export function explainReadFailure(cause: unknown): unknown {
  const code = codeOf(cause);
  if (code.startsWith('SQLITE_BUSY'))
    return new Problem(
      'storage_busy',
      'Another program holds the database. Try again in a moment, and end that program if it stays so.',
      { cause, headers: { 'Retry-After': '1' } },
    );
  const isDamage =
    code.startsWith('SQLITE_CORRUPT') ||
    code === 'SQLITE_NOTADB' ||
    (code.startsWith('SQLITE_') && String(cause).includes('vtable constructor failed'));
  if (!isDamage) return cause;
  return new Problem(
    'storage_failed',
    'The database is damaged. Run `reverie doctor`, then `reverie restore` with your newest backup.',
    { cause },
  );
}

/** A store that cannot be opened, as a person is told who starts it. */
export function explainOpenFailure(cause: unknown, file: string): unknown {
  if (cause instanceof Refusal) return cause;
  const code = codeOf(cause);
  if (['EACCES', 'EROFS', 'EPERM', 'EISDIR'].includes(code))
    return new Refusal(`${describeFileError(cause, file)}.`, cause);
  const because = cause instanceof Error ? cause.message : String(cause);
  if (code === 'SQLITE_NOTADB' || code.startsWith('SQLITE_CORRUPT'))
    return new Refusal(
      `The database ${file} is damaged (${because}). Nothing was changed. Run \`reverie doctor\`, then \`reverie restore\` with your newest backup.`,
      cause,
    );
  if (isNoRoom(cause))
    return new Refusal(
      `The disk that holds ${file} is full: free some space and start again; nothing that was stored is lost.`,
      cause,
    );
  if (
    code.startsWith('SQLITE_READONLY') ||
    code.startsWith('SQLITE_CANTOPEN') ||
    code.startsWith('SQLITE_IOERR')
  )
    return new Refusal(
      `The database ${file} cannot be opened for writing (${because}). Check the permissions of the folder, or run \`reverie doctor\`.`,
      cause,
    );
  return cause;
}
