import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '@reverie/shared/testing/depth';
import { passagesOf } from '../../../language/passages.ts';
import { answering, asking } from '../testing/asking.ts';
import { quoteOf } from '../../../language/quoting.ts';

/** What is quoted of the passage that has some words. */
function quoted(value: string, words: string, isAlone = false) {
  const passages = passagesOf(value);
  const place = passages.findIndex(({ text }) => text.includes(words));
  return quoteOf(value, passages, { place, isAlone });
}

describe('a quote', () => {
  it.each([
    [
      'is a sentence with those around it in its paragraph',
      'The flat is let until 30 June. The rent is 940 euro.\nIt is paid on the third.\n\nThe key is at Ida’s.',
      'rent',
      'The flat is let until 30 June. The rent is 940 euro.\nIt is paid on the third.',
    ],
    [
      'is one sentence where two are long',
      `My passport expires on 14 August 2029. The number ${'is of so many figures and letters '.repeat(12)}.`,
      'passport',
      'My passport expires on 14 August 2029.',
    ],
    [
      'is a row with its head and the line that leads to it',
      'Windows:\n\n| Env | Window |\n| - | - |\n| prod | Thursday |',
      'prod',
      'Windows:\nEnv: prod · Window: Thursday',
    ],
    [
      'is code with the sentence before it, in its lines',
      'Ship it with this:\n\n```\nmake ship\nmake watch\n```',
      'make ship',
      'Ship it with this:\nmake ship\nmake watch',
    ],
    ['is an item with the line that leads to it', 'To pack:\n- tent\n- stove', 'stove', 'To pack: stove'],
    [
      'is a line with the list that follows it',
      'To pack:\n- tent\n- stove',
      'To pack',
      'To pack:\ntent\nstove',
    ],
    [
      'is a line with the code that follows it',
      'Set it like this:\n```\nglue = 195\n```',
      'Set it',
      'Set it like this:\nglue = 195',
    ],
    [
      'is an item of broken lines in one line',
      '# A\n- the boiler was replaced last spring by the company from the next\n  village. It runs.',
      'boiler',
      'the boiler was replaced last spring by the company from the next village. It runs.',
    ],
    [
      'is without the marks of a quotation',
      '> It is let.\n> The rent is 940 euro.',
      'rent',
      'It is let.\nThe rent is 940 euro.',
    ],
  ])('%s', (...[, value, words, text]) => {
    expect(quoted(value, words).text).toBe(text);
  });

  it('that tells a change has nothing before it', () => {
    const value = 'The limit is 100. Raised to 250 in August. It holds for all.';
    expect(quoted(value, 'Raised', true).text).toBe('Raised to 250 in August. It holds for all.');
  });

  it('names the passages that it has beside its own', () => {
    expect(quoted('One is a. Two is b. Three is c.', 'Two').places).toEqual([0, 2]);
    expect(quoted('To pack:\n- tent\n- stove', 'To pack').places).toEqual([1, 2]);
  });

  it('is nothing where there is no passage', () => {
    expect(quoteOf('', [], { place: 0 })).toEqual({ text: '', start: 0, end: 0, places: [] });
  });

  it('is never a heading, front matter, a badge, a rule or the head of a table', () => {
    const value = `---\ntitle: The rent\n---\n# The rent\n\n![rent](rent.png)\n\n| Rent | Of |\n| --- | --- |\n| 940 euro | flat |\n\n---\n`;
    const { evidence } = answering({ key: 'house', value }, asking('How much is the rent?'));
    expect(evidence.quote?.text).toBe('Rent: 940 euro · Of: flat');
    expect(evidence.passage?.path).toEqual(['The rent']);
  });

  it('of any text is in range, short, and has the passage that it is of', () => {
    const line = fc.oneof(
      fc.constantFrom(
        '# A',
        '- tent',
        '- To pack:',
        '  - gas',
        'To pack:',
        '',
        'It is. So it is.',
        '```',
        '| a | b |',
        '| - | - |',
        '> q.',
      ),
      fc.string({ unit: 'binary', maxLength: 40 }),
    );
    fc.assert(
      fc.property(fc.array(line, { maxLength: 10 }), (lines) => {
        const value = lines.join('\n');
        const passages = passagesOf(value);
        for (const [place, passage] of passages.entries()) {
          const { text, start, end, places } = quoteOf(value, passages, { place });
          expect(text.replace(/[\s>]+/gu, '')).toContain(passage.text.replace(/[\s>]+/gu, ''));
          expect(start).toBeGreaterThanOrEqual(0);
          expect(end).toBeLessThanOrEqual(value.length);
          expect(start).toBeLessThan(end);
          expect(places).not.toContain(place);
        }
      }),
      { numRuns: runs(50, 300) },
    );
  });
});
