import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { type FindNames, loadFindNames } from './names.ts';

let findNames: FindNames;
beforeAll(async () => {
  findNames = await loadFindNames();
});

const read = (text: string) => findNames(text).map(({ text: name }) => name);

describe('names', () => {
  it.each([
    [
      'Anna met Dr. Okafor and Ludwig van Beethoven in Porto.',
      ['Anna', 'Dr. Okafor', 'Ludwig van Beethoven', 'Porto'],
    ],
    ["The board moved Bruno's laptop to Grafana Cloud", ['Bruno', 'Grafana Cloud']],
    ['Deploy on Monday, and call Clara.', ['Clara']],
    ['Yesterday it rained. However, nobody went out.', []],
    ['I told Marek that I was late; Marek laughed.', ['Marek', 'Marek']],
    ['OK. TODO: ask them. This is it.', []],
  ])('%s', (text, expected) => expect(read(text)).toEqual(expected));

  it('stand where they say, in order', () => {
    const words = fc.constantFrom(
      'Anna',
      'the',
      'Dr.',
      'Okafor',
      'of',
      'Berlin',
      "Bruno's",
      'and',
      '.',
      '\n',
      'ran',
      '&',
    );
    fc.assert(
      fc.property(fc.array(words, { maxLength: 15 }), (parts) => {
        const text = parts.join(' ');
        let last = 0;
        for (const { text: name, start, end } of findNames(text)) {
          expect(start).toBeGreaterThanOrEqual(last);
          expect(text.slice(start, end)).toBe(name);
          last = end;
        }
      }),
      { numRuns: 50 },
    );
  });
});
