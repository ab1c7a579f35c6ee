import { parentPort } from 'node:worker_threads';
import { NotLookedAt, redactAll } from '../redaction/redaction.ts';
import type { RedactionAnswer, RedactionQuestion } from './redacting.ts';

/** The thread in which texts are looked through: one of a megabyte takes seconds. */
const port = parentPort;
if (!port) throw new Error('this is a thread that the daemon starts to look for secrets');

port.on('message', ({ id, texts }: RedactionQuestion) => {
  redactAll(texts).then(
    (redacted) => answer({ id, kind: 'looked', redacted }),
    (cause: unknown) =>
      // What went wrong otherwise is no reason to let anything leave.
      answer({ id, kind: 'refused', why: cause instanceof NotLookedAt ? cause.why : 'unreadable' }),
  );
  const answer = (given: RedactionAnswer) => port.postMessage(given);
});
