import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { temporaryFolder } from '../../testing.ts';
import { DICTIONARY, loadDictionary } from './dictionary.ts';
import { type Abroad, cutsOf, infinitiveOf } from './inflection.ts';

let temporary: ReturnType<typeof temporaryFolder>;
beforeAll(() => {
  temporary = temporaryFolder();
});
afterAll(() => temporary.remove());

describe('the dictionary', () => {
  test.each([
    ['de', 'Schlüssel'],
    ['es', 'llave'],
    ['fr', 'clé'],
    ['it', 'chiave'],
    ['nl', 'sleutel'],
    ['pt', 'chave'],
  ] as const)('of %s has %s', (language, word) => {
    expect(loadDictionary().lookUp(language, [word])).toContain('key');
  });

  it('tells words apart by their accents, and finds those that are written without', () => {
    const dictionary = loadDictionary();
    expect(dictionary.lookUp('fr', ['où'])).toEqual(['where']);
    expect(dictionary.lookUp('fr', ['ou'])).toEqual(['or']);
    expect(dictionary.lookUp('es', ['fontanero'])).toContain('plumber');
    expect(dictionary.lookUp('fr', ['CHAUDIERE'])).toEqual(dictionary.lookUp('fr', ['chaudière']));
  });

  it('knows nothing of what is none of its words', () => {
    const dictionary = loadDictionary();
    for (const word of ['zplkit', 'Trethowan', 'qwertz', ''])
      expect(dictionary.lookUp('de', [word])).toBeUndefined();
    expect(dictionary.isEnglish('kitchen')).toBe(true);
    expect(dictionary.isEnglish('zplkit')).toBe(false);
  });

  it('takes at most 4 MB', () => {
    expect(fs.statSync(DICTIONARY.file).size).toBeLessThan(4_000_000);
  });

  test.each([
    ['empty', (bytes: Buffer) => bytes.subarray(0, 0), 'is not a packed dictionary'],
    [
      'another file',
      (bytes: Buffer) => Buffer.concat([Buffer.from('RVL1'), bytes.subarray(4)]),
      'is not a packed',
    ],
    ['cut short', (bytes: Buffer) => bytes.subarray(0, -7), 'and should have'],
  ])('%s is refused', (name, change, message) => {
    const file = path.join(temporary.folder, `${name}.bin`);
    fs.writeFileSync(file, change(fs.readFileSync(DICTIONARY.file)));
    expect(() => loadDictionary(file)).toThrow(message);
  });
});

describe('forms', () => {
  test.each([
    ['de', 'abgeholt', 'abholen'],
    ['de', 'abzuholen', 'abholen'],
    ['de', 'gekocht', 'kochen'],
    ['nl', 'opgehaald', 'ophaalen'],
    ['de', 'Haus', undefined],
    ['fr', 'geant', undefined],
  ] as const)('%s: %s may be of %s', (language, word, infinitive) => {
    expect(infinitiveOf(language, word)).toBe(infinitive);
  });

  it('cuts compounds with what joins their parts, and those of German and Dutch alone', () => {
    const firstsOf = (language: Abroad, word: string, last: string) =>
      [...cutsOf(language, word)].find((cut) => cut.last === last)?.firsts();
    expect(firstsOf('de', 'Heizungsrechnung', 'rechnung')).toEqual(['heizung', 'heizungs']);
    expect(firstsOf('nl', 'zonnebril', 'bril')).toEqual(['zonn', 'zonne']);
    expect([...cutsOf('fr', 'chaudière')]).toEqual([]);
    expect([...cutsOf('de', 'Tür')]).toEqual([]);
  });
});
