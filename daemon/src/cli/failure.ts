import { ApiError } from '@reverie/shared/client';
import { Problem } from '@reverie/shared/contract/problems';
import { describeFileError, Refusal } from '../platform/home/home.ts';
import { ImportError } from '@reverie/memory-formats/reader';
import { UsageError } from './terminal.ts';

/** What to tell a person of a failure that was to be expected; undefined for a bug. */
export function messageOf(cause: unknown): string | undefined {
  if (cause instanceof ApiError) {
    if (cause.code === 'unreachable')
      return isTooSlow(cause)
        ? 'Reverie has not answered for five minutes. It may still be at work on it; `reverie status` says whether it runs.'
        : `${asSentence(cause.message)} \`reverie doctor\` says why.`;
    if (cause.code === 'bad_reply')
      return `${asSentence(cause.message)} After an upgrade the Reverie that still runs is the older one: \`reverie stop\`, then start it again.`;
    const fields = cause.errors
      .map(({ path, message }) => `${path} ${message}`.trim())
      .filter((field) => !cause.message.includes(field.replace(' ', ': ')))
      .map((field) => `  ${field}`);
    const isNew = cause.requestId !== undefined && !cause.message.includes(cause.requestId);
    const id = cause.status >= 500 && isNew ? ` (request ${cause.requestId})` : '';
    return [`${asSentence(cause.message)}${id}`, ...fields].join('\n');
  }
  if (
    cause instanceof Refusal ||
    cause instanceof UsageError ||
    cause instanceof ImportError ||
    cause instanceof Problem
  )
    return asSentence(cause.message);
  return cause instanceof Error ? systemFailure(cause) : undefined;
}

/** What a disk or a damaged database said, which is no bug of ours. */
function systemFailure(cause: NodeJS.ErrnoException): string | undefined {
  if (cause.code?.startsWith('SQLITE_'))
    return `The database cannot be used (${cause.message}). \`reverie doctor\` says what to do.`;
  if (cause.syscall !== undefined && cause.path !== undefined)
    return `${describeFileError(cause, cause.path)}.`;
  return undefined;
}

/** Whether the request arrived and no answer came, somewhere below a failed fetch. */
function isTooSlow(cause: unknown): boolean {
  if (!(cause instanceof Error)) return false;
  return ('code' in cause && cause.code === 'UND_ERR_HEADERS_TIMEOUT') || isTooSlow(cause.cause);
}

function asSentence(text: string): string {
  return /[.!?:)]$/.test(text) ? text : `${text}.`;
}
