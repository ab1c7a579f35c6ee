import { describe, expect, it } from 'vitest';

import { loadStaticTable } from '../../../models/static-table.ts';
import { createMeanings } from '../query/meanings.ts';
import type { Query } from '../query/query.ts';
import { readerOf } from './reading.ts';
import { indexedText } from '../../../language/indexed-text.ts';
import { queryTerms, tokenWeights } from '../query/terms.ts';

const table = loadStaticTable();
const meanings = createMeanings(() => table);

function readingFor(text: string) {
  const terms = queryTerms(text);
  const namespace = { id: 1, chunks: 100 };
  const df = () => 1;
  const vector = table.encode(text, tokenWeights(terms, df, namespace.chunks));
  const query = {
    account: 1,
    namespace,
    text,
    respelled: text,
    read: text,
    terms,
    df,
    vector,
  } as unknown as Query;
  const read = readerOf(query, meanings);
  return (value: string) => {
    const text = indexedText(value);
    return read([meanings.words.cut(text)], () => text);
  };
}

describe('reading', () => {
  it('tells the same words from other words of the same meaning', () => {
    const read = readingFor('Where does my sibling live?');
    const same = read('My sibling lives in Bremen.');
    const other = read('My brother has a flat in Bremen.');
    const none = read('The kettle whistles at noon.');
    expect(same.coverage).toBe(1);
    expect(same.concepts).toBe(0);
    expect(other.coverage).toBe(0);
    expect(other.concepts).toBeGreaterThan(0.3);
    expect(other.alike).toBeGreaterThan(none.alike);
    expect(none).toMatchObject({ coverage: 0, concepts: 0 });
  });

  it('looks at the best sentence, however long the text', () => {
    const read = readingFor('what car does she drive');
    const sentence = 'Anna bought a red vehicle.';
    const padding = 'The soup needs more salt and the bread rests overnight. '.repeat(8);
    expect(read(`${padding}${sentence} ${padding}`).sentence).toBeCloseTo(read(sentence).sentence, 5);
    expect(read(sentence).sentence).toBeGreaterThan(read(padding).sentence + 0.1);
  });

  it('covers identifiers, phrases and scripts without blanks as the index has them', () => {
    expect(readingFor('getUserById')('function getUserById(id)').coverage).toBe(1);
    expect(readingFor('user by id')('function getUserById(id)').coverage).toBe(1);
    expect(readingFor('"red vehicle"')('a vehicle that is blue').coverage).toBe(0);
    expect(readingFor('会議')('東京の会議は来週の月曜日です。').coverage).toBe(1);
    expect(readingFor('café')('the cafe at the station').coverage).toBe(1);
  });

  it('reads the same whether or not a text has letters beyond ASCII elsewhere', () => {
    const read = readingFor('when does the violin lesson begin');
    const plain = read('The violin lesson begins at four. Bring the bow.');
    const accented = read('The violin lesson begins at four. Bring the bow. Olé.');
    expect(accented).toMatchObject({ coverage: plain.coverage, concepts: plain.concepts });
    expect(accented.sentence).toBeCloseTo(plain.sentence, 5);
    expect(read('The violin lesson begins at four — bring the bow…').coverage).toBe(1);
  });

  it('of a query that says nothing is nothing', () => {
    for (const text of ['', '→ ∑', 'the of and'])
      expect(readingFor(text)('Anna bought a red vehicle.')).toMatchObject({ concepts: 0, alike: 0 });
  });
});
