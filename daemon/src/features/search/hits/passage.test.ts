import type { AccountId } from '@reverie/shared/accounts/caller';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { expectLinear } from '@reverie/shared/testing/linear';
import { loadStaticTable } from '../../../models/static-table.ts';
import { createMeanings } from '../query/meanings.ts';
import type { Query } from '../query/query.ts';
import { languageOf } from '../query/query-language.ts';
import { queryTerms, tokenWeights } from '../query/terms.ts';
import { createPassages } from './passage.ts';

const table = loadStaticTable();
const meanings = createMeanings(() => table);

/** What is shown of a value for a query, in a namespace where each word is rare. */
function passageOf(text: string, value: string, found: readonly number[] = []) {
  const language = languageOf(text);
  const terms = queryTerms(text).filter(({ token }) => !language.stopWords.has(token));
  const namespace = { namespaces: [1], chunks: 100 };
  const df = () => 1;
  const vector = table.encode(text, tokenWeights(terms, df, namespace.chunks));
  const query: Query = {
    account: 1 as AccountId,
    namespace,
    vectors: undefined,
    text,
    respelled: text,
    read: text,
    language,
    terms,
    cut: undefined,
    df,
    costOf: () => 1,
    vector,
  };
  const passage = createPassages(query, meanings)(value, () => found);
  if (!passage) return undefined;
  expect(passage.text).toBe(value.slice(passage.start, passage.end));
  expect(passage.text.isWellFormed()).toBe(true);
  expect(passage.text.length).toBeLessThanOrEqual(300);
  return { ...passage, marked: passage.marks.map(([start, end]) => value.slice(start, end)) };
}

const FILLER =
  'Nothing of this has to do with anything else that is written here, and it goes on for a while. ';

describe('a passage', () => {
  it('is the whole of a short text', () => {
    expect(passageOf('rent', '\n The rent is 940 euro.\r\nIt is paid on the third. \n')).toMatchObject({
      text: 'The rent is 940 euro.\r\nIt is paid on the third.',
      start: 2,
      marked: ['rent'],
    });
  });

  it('is of a long text the paragraph that fits', () => {
    const value = `${FILLER.repeat(30)}\n\nThe rent of the flat is 940 euro. It is due on the third.\n\n${FILLER.repeat(30)}`;
    expect(passageOf('how much is the rent?', value)).toMatchObject({
      text: 'The rent of the flat is 940 euro. It is due on the third.',
      marked: ['rent'],
    });
  });

  it('is found by meaning alone', () => {
    const value = `${FILLER.repeat(8)}\n\nGrandfather served aboard a minesweeper.\n\n${FILLER.repeat(8)}`;
    const passage = passageOf('old man in the navy', value);
    expect(passage).toMatchObject({ text: 'Grandfather served aboard a minesweeper.', marks: [] });
  });

  it.each([
    ['a heading', '# The rent of the flat'],
    ['front matter', '---\ntitle: rent\nrent: 940\n---\n'],
    ['badges and a rule', '# Rent\n\n[![rent](https://a.b/rent.svg)](https://a.b)\n\n---\n'],
  ])('is none where there is only %s', (_, value) => {
    expect(passageOf('rent', value)).toBeUndefined();
  });

  it('is a row, an item with its lead, or code, and never their heading', () => {
    const value = `---\ntitle: deploy\n---\n\n# Deploy\n\n${FILLER.repeat(3)}\n\n| Env | Window |\n| --- | --- |\n| prod | Thursday |\n| test | daily |\n\n## Steps\n\nBefore you deploy:\n\n- tell Ida\n- look at the queue\n\n## Commands\n\n\`\`\`sh\nmake ship-it\n\`\`\`\n`;
    expect(passageOf('deploy window prod', value)?.text).toBe('| prod | Thursday |');
    expect(passageOf('tell Ida', value)?.text).toBe('Before you deploy:\n\n- tell Ida');
    expect(passageOf('make ship-it command', value)?.text).toBe('make ship-it');
  });

  it('holds with lines that end as on Windows', () => {
    const value = `# Wohnung\r\n\r\n${FILLER.repeat(4)}\r\n\r\n## Heizung\r\n\r\n- Wartung im Mai\r\n- Die Heizung kostet 120 Euro\r\n`;
    expect(passageOf('Was kostet die Heizung?', value)).toMatchObject({
      text: 'Die Heizung kostet 120 Euro',
      marked: ['Heizung', 'kostet'],
    });
  });

  it('holds in French', () => {
    const value = `${FILLER.repeat(4)}\n\nLe loyer est payé le trois du mois.\n\n${FILLER.repeat(4)}`;
    expect(passageOf('quand est-ce que je paie le loyer ?', value)).toMatchObject({
      text: 'Le loyer est payé le trois du mois.',
      marked: ['loyer'],
    });
  });

  it('cuts no emoji, of a line without blanks either', () => {
    const value = '👩🏽‍🚀'.repeat(200);
    const passage = passageOf('astronaut', value);
    expect(passage?.text.length).toBeGreaterThan(200);
    expect(passage?.text.replaceAll('👩🏽‍🚀', '')).toBe('');
  });

  it('reads a megabyte in one line in time by its length', async () => {
    await expectLinear((length) => {
      const line = FILLER.repeat(Math.ceil(length / FILLER.length));
      const at = length / 2;
      const value = `${line.slice(0, at)} The password of the safe is swordfish. ${line.slice(at)}`;
      const found = passageOf('safe password', value, [Math.floor(at / 1_200), Math.floor(at / 1_150)]);
      expect(found).toBeDefined();
    }, 1_200_000);
  });

  it('of any text is a part of it, with its marks inside', () => {
    const text = fc.array(
      fc.constantFrom(
        '# ',
        '- ',
        '| a | b |\n|---|---|\n| c | rent |\n',
        '```\n',
        'rent ',
        '👩🏽‍🚀',
        '\r\n',
        '\n\n',
        FILLER,
      ),
      { maxLength: 40 },
    );
    fc.assert(
      fc.property(text, (parts) => {
        const value = parts.join('');
        const passage = passageOf('rent', value);
        if (!passage) return;
        for (const [start, end] of passage.marks) {
          expect(start).toBeGreaterThanOrEqual(passage.start);
          expect(end).toBeLessThanOrEqual(passage.end);
        }
        expect(passage.marked.every((one) => one === 'rent')).toBe(true);
      }),
    );
  });
});
