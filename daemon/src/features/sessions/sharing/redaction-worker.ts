import { answerQuestions } from '@reverie/shared/threads/thread';
import { redactEntry } from './redact-entry.ts';
import { namedSecrets, NotLookedAt, redactAll } from '@reverie/redact/redaction';
import { withoutPlaces } from './places.ts';
import type { KnownSecret } from './ports.ts';
import type { RedactionAnswer, RedactionQuestion } from './redacting.ts';

// The thread in which texts are looked through: one of a megabyte takes seconds. One after the other: each has its own time, which it would
// share with all that came together.
answerQuestions(answerTo);

async function answerTo(question: RedactionQuestion): Promise<RedactionAnswer> {
  // Outside the `try`, for it never throws: what could not be looked at stays, and says why.
  if (question.kind === 'entry') {
    const { entry, folder } = question;
    // In this thread, too: a text of a megabyte that is all paths takes a while.
    const elsewhere = { ...entry, text: withoutPlaces(entry.text, folder) };
    const looked = await redactEntry(elsewhere, { known: asMap(question.known) });
    return looked.kind === 'stays'
      ? { kind: 'refused', why: looked.why }
      : { kind: 'entry', entry: looked.entry, rules: looked.findings.map(({ rule }) => rule) };
  }
  try {
    if (question.kind === 'learn') {
      const named = new Map<string, string>();
      for (const text of question.texts)
        for (const [value, rule] of await namedIn(text)) named.set(value, rule);
      return { kind: 'learn', secrets: [...named].map(([value, rule]) => ({ value, rule })) };
    }
    const redacted = await redactAll(question.texts, { known: asMap(question.known) });
    return {
      kind: 'texts',
      texts: redacted.map(({ text }) => text),
      rules: redacted.flatMap(({ findings }) => findings.map(({ rule }) => rule)),
    };
  } catch (cause) {
    // What went wrong otherwise is no reason to let anything leave.
    return { kind: 'refused', why: cause instanceof NotLookedAt ? cause.why : 'unreadable' };
  }
}

/** What is named in a text; nothing in one that takes too long: the entry that has it stays here anyway. */
async function namedIn(text: string): Promise<[string, string][]> {
  try {
    return await namedSecrets(text);
  } catch (cause) {
    if (cause instanceof NotLookedAt) return [];
    throw cause;
  }
}

function asMap(known: readonly KnownSecret[]): Map<string, string> {
  return new Map(known.map(({ value, rule }) => [value, rule]));
}
