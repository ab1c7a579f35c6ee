import { expect, it } from 'vitest';
import { listed } from '../../language/word-lists.ts';
import { isStopWord } from './question/content-words.ts';
import { isScaffold } from './question/question-words.ts';

it.each(listed('ask/stop-words'))('says nothing of what is sought: %s', (word) => {
  expect(isStopWord(word)).toBe(true);
});

it.each(listed('ask/scaffold'))('builds a question: %s', (word) => {
  expect(isScaffold(word)).toBe(true);
});
