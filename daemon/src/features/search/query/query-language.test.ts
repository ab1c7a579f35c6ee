import { describe, expect, it, test } from 'vitest';

import { languageOf } from './query-language.ts';

describe('the language of a query', () => {
  test.each([
    'where does the cat sleep',
    'dentist appointment',
    'Die Hard',
    'was he there',
    'El Niño',
    'Which café opens at six?',
    'git push --force',
    'Who is Noor?',
    '',
    '127.0.0.1:5432',
  ])('%j is English, or may be', (text) => {
    expect(languageOf(text)).toMatchObject({ isEnglish: true });
    expect(languageOf(text).stopWords.size).toBe(0);
  });

  test.each([
    ['Wann müssen wir den Kessel warten lassen?', 'wann'],
    ['Was sollen die Kinder nicht mitnehmen?', 'nicht'],
    ['¿Cuándo abre la panadería de la esquina?', 'cuando'],
    ['À quelle heure ouvre le café de la gare ?', 'quelle'],
    ['Quando parte il treno per Milano?', 'quando'],
    ['Quando é que a minha mãe chega ao Porto? Onde está ela?', 'onde'],
    ['Wanneer gaat de trein naar Utrecht?', 'wanneer'],
  ])('%j is not', (text, stop) => {
    const { isEnglish, stopWords } = languageOf(text);
    expect(isEnglish).toBe(false);
    expect(stopWords.has(stop)).toBe(true);
  });

  it('is another one where the script is', () => {
    for (const text of ['会議はいつですか', 'когда встреча', '회의는 언제입니까'])
      expect(languageOf(text)).toMatchObject({ isEnglish: false });
    expect(languageOf('TypeScript の any')).toMatchObject({ isEnglish: true });
  });
});
