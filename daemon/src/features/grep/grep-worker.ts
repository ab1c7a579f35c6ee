import { answerQuestions } from '@reverie/shared/threads/thread';
import { compile, type LinePattern, type MatchedText, matchText } from './line-match.ts';

/** Texts in which lines are looked for, and so many of the lines as are wanted of them together. */
export interface MatchQuestion extends LinePattern {
  texts: readonly string[];
  context: number;
  most: number;
}

/** For each text that has such lines, which one it is, counted from 0, and its lines. */
export type MatchAnswer = { text: number; matched: MatchedText }[];

// The thread in which strangers' patterns are held against texts: one may take for ever.
answerQuestions(({ texts, context, most, ...pattern }: MatchQuestion) => {
  const find = compile(pattern);
  const answer: MatchAnswer = [];
  let room = most;
  for (const [at, text] of texts.entries()) {
    // Most texts do not have what is looked for as it stands, and need not be cut into lines.
    if (!pattern.regex && find(text) < 0) continue;
    const matched = matchText(text, find, { context, most: room });
    if (matched.count === 0) continue;
    room -= matched.lines.length;
    answer.push({ text: at, matched });
  }
  return answer;
});
