import { pino, type Logger } from 'pino';

export type Log = Logger;

export const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof logLevels)[number];

/** Characters of lines that are kept while they cannot be written; further ones are dropped. */
const MOST_KEPT = 256 * 1024;

/**
 * JSON lines on stderr. Keys, tickets and tokens never reach a log: requests are logged without
 * headers and query strings, and what might carry one is redacted here as a second line of defence. `file` is a
 * descriptor, stderr where it is omitted.
 */
export function createLog(level: LogLevel, file = 2): Log {
  const lines = pino.destination({ dest: file, sync: true, maxLength: MOST_KEPT });
  // A log in the background stands on the disk of the home: where that is full, nothing is left to be told, and Reverie
  // must not end of it. The lines are kept, up to the length above, and written once there is room.
  let isFull = false;
  lines.on('error', () => (isFull = true));
  lines.on('write', () => (isFull = false));
  // Before Reverie ends of a bug, pino has all lines written, and sonic-boom tries for ever while there is no room.
  const flush = lines.flushSync.bind(lines);
  lines.flushSync = () => {
    if (!isFull) flush();
  };
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      redact: {
        paths: [
          'key',
          'token',
          'ticket',
          'secret',
          'password',
          '*.key',
          '*.token',
          '*.ticket',
          '*.secret',
          '*.password',
        ],
        censor: '[redacted]',
      },
    },
    lines,
  );
}
