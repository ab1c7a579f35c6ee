import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sentencesOf } from './sentences.ts';

const texts = (text: string, longest?: number) => sentencesOf(text, longest).map((sentence) => sentence.text);

describe('sentences', () => {
  it('end at full stops, question marks and lines', () => {
    expect(texts('We moved. Did Anna come?  Yes!\n- milk\n- bread')).toEqual([
      'We moved.',
      'Did Anna come?',
      'Yes!',
      '- milk',
      '- bread',
    ]);
  });

  it('do not end at titles, initials, versions and abbreviations', () => {
    expect(texts('Dr. Okafor saw J. Lindqvist, e.g. about v1.2.3 of the plan. It rained.')).toEqual([
      'Dr. Okafor saw J. Lindqvist, e.g. about v1.2.3 of the plan.',
      'It rained.',
    ]);
  });

  it('are cut at a blank where they are too long', () => {
    expect(texts('one two three four five', 10)).toEqual(['one two', 'three', 'four five']);
  });

  it('stand where they say, in order, and miss nothing but white space', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', maxLength: 200 }),
        fc.integer({ min: 5, max: 50 }),
        (text, longest) => {
          let last = 0;
          let kept = '';
          for (const { text: sentence, start, end } of sentencesOf(text, longest)) {
            expect(start).toBeGreaterThanOrEqual(last);
            expect(text.slice(start, end)).toBe(sentence);
            kept += sentence;
            last = end;
          }
          expect(kept.replace(/\s/gu, '')).toBe(text.replace(/\s/gu, ''));
        },
      ),
    );
  });
});
