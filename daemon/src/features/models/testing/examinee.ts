import type { Chat, Saying } from '../../../models/testing/talking.ts';
import { type ExaminationQuestion, readPaper } from '../examination/examination-data.ts';

const paper = readPaper();

/** The question of the paper that a chat is about; undefined for another chat, such as one about a pair. */
export function askedIn({ prompt }: Chat): ExaminationQuestion | undefined {
  return paper.questions.find(({ question }) => prompt.includes(`Question: ${question}`));
}

/** Answers with a sentence of a note, word for word. */
export function citing({ prompt }: Chat, sentence: string): Saying {
  const line = prompt.split('\n').find((one) => one.includes(sentence));
  const note = Number(/^\[(\d+)\]/u.exec(line ?? '')?.[1] ?? 0);
  return json({
    answered: true,
    sentences: [{ text: sentence, sources: [note], quotes: [{ note, words: sentence }] }],
    search: [],
  });
}

export function declining(): Saying {
  return json({ answered: false, sentences: [], search: [] });
}

/** Knows every answer, declines the rest, and judges every pair rightly. */
export function honest(chat: Chat): Saying {
  const asked = askedIn(chat);
  if (!asked) return judging(chat, (contradicts) => contradicts);
  if (asked.kind === 'unanswerable') return declining();
  const sentence = sentencesOf(asked.notes[0]).find((one) =>
    asked.accepted.every((pattern) => pattern.test(one)),
  );
  return sentence === undefined ? declining() : citing(chat, sentence);
}

/** Has an answer to everything: the first sentence of the first note that it is shown. */
export function assertingAnything(chat: Chat): Saying {
  if (!askedIn(chat)) return judging(chat, () => true);
  const shown = paper.notes.find(({ value }) => chat.prompt.includes(value));
  return citing(chat, sentencesOf(shown?.key)[0] ?? '');
}

function judging({ prompt }: Chat, judge: (contradicts: boolean) => boolean): Saying {
  const pair = paper.pairs.find(({ older }) => prompt.includes(older.value));
  if (!pair) return { text: 'Yes.' };
  if (!judge(pair.contradicts)) return json({ findings: [] });
  const notes = [pair.older, pair.newer].map(({ value }, at) => ({ note: at + 1, quote: value }));
  return json({
    findings: [{ kind: 'disagree', notes, title: 'They differ', why: '', due: '', settle: '' }],
  });
}

function sentencesOf(key: string | undefined): string[] {
  const value = paper.notes.find((note) => note.key === key)?.value ?? '';
  return value.split(/(?<=\p{L}[.;])\s/u);
}

function json(said: object): Saying {
  return { text: JSON.stringify(said) };
}
