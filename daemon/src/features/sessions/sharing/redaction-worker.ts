import { parentPort } from 'node:worker_threads';
import { redactEntry } from '../redaction/entry.ts';
import { NotLookedAt, redact } from '../redaction/redaction.ts';
import type { RedactionAnswer, RedactionQuestion } from './redacting.ts';

/** The thread in which texts are looked through: one of a megabyte takes seconds. */
const port = parentPort;
if (!port) throw new Error('this is a thread that the daemon starts to look for secrets');

async function answerTo(question: RedactionQuestion): Promise<RedactionAnswer> {
  const { id } = question;
  // Outside the `try`, for it never throws: what could not be looked at stays, and says why.
  if (question.kind === 'entry') {
    const looked = await redactEntry(question.entry);
    return looked.kind === 'stays'
      ? { id, kind: 'refused', why: looked.why }
      : { id, kind: 'entry', entry: looked.entry, rules: looked.findings.map(({ rule }) => rule) };
  }
  try {
    const { text, findings } = await redact(question.text);
    return { id, kind: 'text', text, rules: findings.map(({ rule }) => rule) };
  } catch (cause) {
    // What went wrong otherwise is no reason to let anything leave.
    return { id, kind: 'refused', why: cause instanceof NotLookedAt ? cause.why : 'unreadable' };
  }
}

port.on('message', (question: RedactionQuestion) => {
  void answerTo(question).then((answer) => port.postMessage(answer));
});
