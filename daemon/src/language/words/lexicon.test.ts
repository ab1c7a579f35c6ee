import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { lexiconBytes } from '../../../../scripts/data/lexicon/pack.ts';
import { temporaryFolder } from '../../testing.ts';
import { LEXICON, type Lexicon, loadLexicon, phraseWords } from './lexicon.ts';
import { stem } from './porter.ts';
import { hashOf } from './words.ts';

const LINES = [
  'landlord|landlady|owner of the flat|my landlords',
  'flat|apartment|flats',
  'owner|has it|proprietor',
];

function lexiconOf(lines: readonly string[]): Lexicon {
  const { folder, remove } = temporaryFolder();
  try {
    writeFileSync(join(folder, LEXICON.text), `${lines.join('\n')}\n`);
    writeFileSync(join(folder, LEXICON.packed), lexiconBytes(lines));
    const lexicon = loadLexicon(folder);
    lexicon.phrases(0);
    return lexicon;
  } finally {
    remove();
  }
}

function named(lexicon: Lexicon, text: string) {
  const words = phraseWords(text);
  const keys = words.map((word) => hashOf(stem(word)));
  return lexicon.namings(keys, keys.length).map(({ from, to, concepts }) => ({
    said: words.slice(from, to).join(' '),
    concepts: [...concepts],
  }));
}

describe('a lexicon', () => {
  const lexicon = lexiconOf(LINES);

  it('finds the longest phrase at each place, in any form of its words', () => {
    expect(named(lexicon, 'The owners of her flats have two apartments')).toEqual([
      { said: 'owners of flats', concepts: [0] },
      { said: 'apartments', concepts: [1] },
    ]);
    expect(named(lexicon, 'the owner of a house')).toEqual([{ said: 'owner', concepts: [2] }]);
  });

  it('passes over articles and possessives, and takes no stop word for a phrase', () => {
    expect(named(lexicon, "my Landlady's call")).toEqual([{ said: 'landlady', concepts: [0] }]);
    expect(named(lexicon, 'he has the other')).toEqual([]);
    expect(named(lexiconOf(['having|has|have']), 'he has one')).toEqual([]);
  });

  it('says a concept in its own phrases, and the keys that they begin with', () => {
    expect(lexicon.size).toBe(3);
    expect(lexicon.phrases(1)).toEqual(['flat', 'apartment', 'flats']);
    const begins = [...lexicon.begins(1)].sort();
    expect(begins).toEqual(
      [...new Set(['flat', 'apartment'].map((word) => hashOf(stem(word)) & 0xffff))].sort(),
    );
  });

  it('gives the same concept to several phrases and several concepts to one', () => {
    const both = lexiconOf(['bank|lender', 'bank|shore']);
    expect(named(both, 'banks')).toEqual([{ said: 'banks', concepts: [0, 1] }]);
  });

  it('is refused where its file is cut short or something else', () => {
    const { folder, remove } = temporaryFolder();
    const bytes = lexiconBytes(LINES);
    for (const broken of [bytes.subarray(0, 10), bytes.subarray(0, bytes.length >> 1), Buffer.alloc(5_000)]) {
      writeFileSync(join(folder, LEXICON.packed), broken);
      expect(() => loadLexicon(folder)).toThrow(/not a packed lexicon|cut short/);
    }
    remove();
  });
});

describe('the lexicon that comes with the program', () => {
  it('is packed from its text', () => {
    const lines = readFileSync(join(LEXICON.folder, LEXICON.text), 'utf8').trimEnd().split('\n');
    expect(readFileSync(join(LEXICON.folder, LEXICON.packed)).equals(lexiconBytes(lines))).toBe(true);
  });

  it('knows a brother for a sibling', () => {
    const lexicon = loadLexicon();
    const concepts = (text: string) => named(lexicon, text).flatMap((one) => one.concepts);
    const shared = concepts('sibling').filter((concept) => concepts('brother').includes(concept));
    expect(shared.length).toBeGreaterThan(0);
  });
});
