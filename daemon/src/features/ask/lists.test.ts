import { expect, it } from 'vitest';
import { listed } from '../../language/word-lists.ts';
import { languageOf } from './model/sentence-language.ts';
import { isStopWord } from './question/content-words.ts';
import { isScaffold } from './question/question-words.ts';

it.each(listed('ask/languages'))('tells a language by small words, which are sorted: %s', (row) => {
  const [language = '', said = ''] = row.split(': ');
  const words = said.split(' ');
  expect(words).toEqual([...new Set(words)].sort());
  expect(languageOf(said)).toBe(language);
});

it.each(listed('ask/stop-words'))('says nothing of what is sought: %s', (word) => {
  expect(isStopWord(word)).toBe(true);
});

it.each(listed('ask/scaffold'))('builds a question: %s', (word) => {
  expect(isScaffold(word)).toBe(true);
});
