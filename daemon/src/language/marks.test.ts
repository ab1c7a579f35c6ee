import { describe, expect, it } from 'vitest';
import { marksOf } from './marks.ts';
import { stem } from './words/porter.ts';

/** The marked words of a text for some words; those of a phrase have blanks between them. */
const marked = (text: string, ...sought: string[]) =>
  marksOf(
    text,
    sought.map((one) => one.split(' ').map(stem)),
  ).map(([start, end]) => text.slice(start, end));

describe('marks', () => {
  it.each([
    ['whole words, whatever their case', 'Pay out the Rent.', ['rent', 'out'], ['out', 'Rent']],
    ['never a part of a word', 'The checkout is outside.', ['out'], []],
    ['other forms of a word', 'She deployed it, and deploys again.', ['deploy'], ['deployed', 'deploys']],
    ['words with accents, however they are written', 'Le loye\u0301 du café', ['cafe'], ['café']],
    ['German words', 'Die Heizung läuft, der Heizungskeller nicht.', ['heizung'], ['Heizung']],
    ['a phrase in one piece', 'The red door, a red old door', ['red door'], ['red door']],
    ['identifiers that have the word', 'set retryLimit = 3', ['limit'], ['retryLimit']],
    ['characters of scripts without blanks', '我们在东京见面', ['东京'], ['东京']],
    ['words with vowel points', 'المَخْزَنُ مغلق', ['المخزن'], ['المَخْزَنُ']],
    ['words with what is invisible', 'Gesamt\u00adkonzept', ['gesamtkonzept'], ['Gesamt\u00adkonzept']],
    ['ligatures and letters as ß', 'The ﬂoor, die Straße', ['floor', 'strasse'], ['ﬂoor', 'Straße']],
    ['words that are spelled out', 'Die Mühle', ['muehle'], ['Mühle']],
    ['half-width characters', 'ﾊﾟｽﾜｰﾄﾞは金庫', ['パス'], ['ﾊﾟｽ']],
    ['characters with vowels above them', 'กุญแจ', ['กญแ'], ['กุญแ']],
    ['numbers in groups', 'Paid 1,000,000 in 2026', ['number1000000'], ['1,000,000']],
    ['hashes that begin so', 'In 9fceb02d0ae598e9', ['9fceb02'], ['9fceb02d0ae598e9']],
    ['what stands beside such a script', 'TypeScriptの型', ['typescript'], ['TypeScript']],
    ['nothing where nothing is sought', 'Some words.', [], []],
  ])('are %s', (...[, text, sought, expected]) => {
    expect(marked(text, ...sought)).toEqual(expected);
  });
});
