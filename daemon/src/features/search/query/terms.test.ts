import Database from 'better-sqlite3';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { expectLinear } from '@reverie/shared/testing/linear';
import { runs } from '@reverie/shared/testing/depth';

import { stem } from '../../../language/words/porter.ts';
import { indexedText } from '../../../language/indexed-text.ts';
import {
  affordable,
  sharedOut,
  matchExpression,
  queryTerms,
  rarity,
  selectTerms,
  stemsOf,
  stemsOfText,
  tokenWeights,
} from './terms.ts';

/** A real FTS5 table, as the store has it. */
function indexOf(texts: readonly string[]) {
  const db = new Database(':memory:');
  db.exec(`CREATE VIRTUAL TABLE t USING fts5 (x, tokenize = 'porter unicode61 remove_diacritics 2');
           CREATE VIRTUAL TABLE v USING fts5vocab (t, 'row')`);
  const insert = db.prepare('INSERT INTO t (rowid, x) VALUES (?, ?)');
  for (const [at, text] of texts.entries()) insert.run(at, indexedText(text));
  const select = db.prepare<[string], { rowid: number }>(
    'SELECT rowid FROM t WHERE t MATCH ? ORDER BY bm25(t), rowid',
  );
  const stems = db.prepare<[], { term: string }>('SELECT term FROM v');
  return {
    find: (query: string): number[] => {
      const expression = matchExpression(queryTerms(query));
      return expression === '' ? [] : select.all(expression).map((row) => row.rowid);
    },
    stems: (): string[] => stems.all().map((row) => row.term),
  };
}

const found = (text: string, query: string): boolean => indexOf([text]).find(query).length === 1;

describe('what is found', () => {
  it.each([
    ['function getUserById(id)', 'getUserById'],
    ['function getUserById(id)', 'GETUSERBYID'],
    ['function getUserById(id)', 'user'],
    ['function getUserById(id)', 'get_user_by_id'],
    ['call get_user_by_id', 'getUserById'],
    ['the parseHTTPResponse helper', 'http response'],
    ['IPv4 only', 'ipv4'],
    ['see daemon/src/main.ts', 'src/main.ts'],
    ['see daemon/src/main.ts', 'main'],
    ['failed with ECONNREFUSED', 'econnrefused'],
    ['error TS2345 in build', 'TS2345'],
    ['upgraded to v1.2.3', '1.2.3'],
    ['upgraded to 1.2.3', 'v1.2.3'],
    ['written in C++ mostly', 'c++'],
    ['written in C# mostly', 'C#'],
    ['party 🎉 tonight', '🎉'],
    ['a café in Zürich', 'cafe zurich'],
    ['met again in 2024東京', '"in 2024東京"'],
    ['met again in 東京 at noon', '"in 東京 at"'],
    ['a cafe', 'café'],
    ['Αθήνα το καλοκαίρι', 'αθηνα'],
    ['ёлка в лесу', 'елка'],
    ['ﬁle system', 'file'],
    ['ＡＢＣ company', 'abc'],
    ["Anna's bike", 'anna’s'],
    ["Conor O'Brien", "o'brien"],
    ['東京都庁に行きました', '東京'],
    ['東京都庁に行きました', '都庁'],
    ['東京都庁に行きました', '庁'],
    ['東京都庁に行きました', '東'],
    ['明日', '日'],
    ['我们在北京见面', '"北京见面"'],
    ['ｶﾞﾗｽの靴', 'ガラス'],
    ['서울에서 만났다', '서울'],
    ['ฉันชอบกินข้าวผัด', 'ข้าว'],
    ['ฉันชอบกินข้าวผัด', 'กิน'],
    ['ฉันชอบกินข้าวผัด', 'ผัด'],
    ['สวัสดี', 'ดี'],
    ['TypeScriptの型を直す', 'typescript'],
    ['getUserByIdを直す', 'user'],
    ['React 훅', 'React를'],
    ['हिन्दी भाषा', 'हिन्दी'],
    ['before\0after', 'after'],
    ['they were running late', 'run'],
    ['who are you', 'who are you'],
  ])('%j by %j', (text, query) => expect(found(text, query)).toBe(true));

  it.each([
    ['function getUserByName(id)', '"getUserById"'],
    ['the car was red', '"red car"'],
    ['it is what it is', 'what is a vehicle'],
    ['upgraded to 1.3.2', 'v1.2.3'],
    ['written in C', '"C++ is"'],
    ['東北の都', '"東京都"'],
    ['สวัสดี', 'ขดี'],
    ['commit 3f8a9c2b1d', 'a 9'],
  ])('%j not by %j', (text, query) => expect(found(text, query)).toBe(false));

  it('ranks what has the identifier itself above what has its parts', () => {
    const index = indexOf([
      'get the user by their id, then greet the user',
      'getUserById is slow',
      'the id of a user',
    ]);
    expect(index.find('getUserById')[0]).toBe(1);
  });
});

describe('any string', () => {
  const syntax = fc.constantFrom(
    '"',
    '*',
    '(',
    ')',
    ':',
    '^',
    '-',
    '+',
    '{',
    '}',
    'NEAR',
    'AND',
    'OR',
    'NOT',
    ' ',
    '\0',
    "'",
    '“',
    '”',
  );
  const lone = fc.constantFrom(
    '\ud800',
    '\udfff',
    '\udc00\ud800',
    '東',
    '東京',
    'ข้',
    'e\u0301',
    '🎉',
    '\u0300',
    'ß',
    'İ',
  );
  const anything = fc
    .array(
      fc.oneof(
        syntax,
        lone,
        fc.string({ unit: 'binary', maxLength: 12 }),
        fc.string({ unit: 'grapheme', maxLength: 8 }),
      ),
      { maxLength: 30 },
    )
    .map((parts) => parts.join(''));
  const index = indexOf(['some text', 'and 東京都 getUserById']);

  it('is a query that FTS5 takes', () => {
    fc.assert(
      fc.property(anything, (query) => index.find(query).length <= 2),
      { numRuns: runs(200, 2_000) },
    );
  });

  it('is found by itself whenever it can be looked for', () => {
    // Letters younger than SQLite's tables (Unicode 6.1) are no letters to it.
    const known = fc.array(fc.oneof(syntax, lone, fc.string({ unit: 'grapheme-ascii', maxLength: 12 })), {
      maxLength: 12,
    });
    fc.assert(
      fc.property(known, (parts) => {
        const text = parts.join('');
        const terms = queryTerms(text).length;
        fc.pre(terms > 0 && terms < 64);
        return indexOf([text]).find(text).length === 1;
      }),
      { numRuns: runs(50, 500) },
    );
  });

  it.each([
    ['8 KiB of one word', 'x'.repeat(8192)],
    ['thousands of words', Array.from({ length: 2700 }, (_, i) => i.toString(36)).join(' ')],
    ['a path of thousands of parts', Array.from({ length: 2000 }, (_, i) => i.toString(36)).join('/')],
    ['8 KiB of quotation marks', '"'.repeat(8192)],
    ['8 KiB of Han', '東京'.repeat(1365)],
    ['8 KiB of NULs', '\0'.repeat(8192)],
    ['8 KiB of accents', '\u0301\u0323'.repeat(2048)],
    ['camels', 'aB'.repeat(4096)],
  ])('%s makes at most 64 terms and no error', (_, query) => {
    expect(queryTerms(query).length).toBeLessThanOrEqual(64);
    expect(() => index.find(query)).not.toThrow();
  });

  it('is indexed in linear time', async () => {
    for (const unit of [
      'aB',
      '東京',
      'e\u0301',
      '\u0301\u0323',
      'x',
      '\0',
      'ข้',
      'getUserById ',
      '\ud800',
      '🎉',
      "'s",
    ])
      await expectLinear((length) => indexedText(unit.repeat(length / unit.length)), 1 << 20);
  });
});

describe('terms', () => {
  it('leaves out stop and question words unless nothing else is left', () => {
    expect(queryTerms('What did Anna say about it?').map((term) => term.token)).toEqual(['anna', 'say']);
    expect(queryTerms('who are you').map((term) => term.token)).toEqual(['who', 'are', 'you']);
    expect(queryTerms('?!… ')).toEqual([]);
  });

  it('keeps quoted phrases, and the longest of too many words', () => {
    expect(queryTerms('"blue car" red')).toEqual([
      { token: 'blue car', match: '"blue car"', prefix: false, quoted: true },
      { token: 'red', match: '"red"', prefix: false, quoted: false },
    ]);
    const many = queryTerms(`${Array.from({ length: 90 }, (_, i) => `w${i}`).join(' ')} extraordinary "a b"`);
    expect(many).toHaveLength(64);
    expect(many.map((term) => term.token)).toEqual(expect.arrayContaining(['extraordinary', 'a b']));
  });

  it('answers an empty expression for no terms', () => expect(matchExpression([])).toBe(''));

  it('drops what is everywhere while something rarer finds anything', () => {
    const terms = queryTerms('server timeout zzz "the server"');
    const df = (counts: Record<string, number>) => (term: { token: string }) => counts[term.token] ?? 0;
    const tokens = (counts: Record<string, number>, rows: number) =>
      selectTerms(terms, df(counts), rows).map((term) => term.token);
    expect(tokens({ server: 9000, timeout: 40, 'the server': 5000 }, 10_000)).toEqual([
      'the server',
      'timeout',
      'zzz',
    ]);
    expect(tokens({ server: 9000, timeout: 4000 }, 10_000)).toHaveLength(4);
    expect(tokens({ server: 90, timeout: 1 }, 100)).toHaveLength(4);
  });

  it('weighs rare words more, and stop words nothing', () => {
    const counts: Record<string, number> = { server: 5000, timeout: 3 };
    const weight = tokenWeights(
      queryTerms('why is the server timeout'),
      (term) => counts[term.token] ?? 0,
      10_000,
    );
    expect(weight('timeout')).toBeGreaterThan(2 * weight('server'));
    expect(weight('the')).toBe(0);
    expect(tokenWeights(queryTerms('who are you'), () => 2, 10)('who')).toBeGreaterThan(0);
    expect(rarity(0, 1000)).toBeCloseTo(1);
    expect(rarity(1000, 1000)).toBeGreaterThan(0);
    expect(rarity(0, 0)).toBe(1);
  });

  it('stems as the index does', () => {
    // Counterexamples of the property below, and suffixes with nothing before them.
    for (const word of ['ayying', 'ies', 'eed', 'eeds', 'sses'])
      expect(indexOf([word]).stems()).toEqual([stem(word)]);
    fc.assert(
      fc.property(
        fc.stringMatching(/^[a-z]{3,20}(ational|izer|ing|ed|ies|sses|ement|ion|eed|y|e|ll|ly|ness)?$/),
        (word) => {
          expect(indexOf([word]).stems()).toEqual([stem(word)]);
        },
      ),
      { numRuns: runs(50, 500) },
    );
    expect(stemsOf({ token: 'running vehicles' })).toEqual(['run', 'vehicl']);
    for (const text of ['Running getUserById', '東京都 and ข้าวผัด', 'naïve ﬁles in C++ v1.2']) {
      expect([...stemsOfText(text)].sort()).toEqual(
        expect.arrayContaining(
          indexOf([text])
            .stems()
            .filter((term) => /^[a-z]{2,}$|東京/.test(term)),
        ),
      );
    }
  });
});

describe('what can be afforded', () => {
  const terms = queryTerms('common rare "common rare"');
  const costs = (of: Record<string, number>) => (term: { token: string }) => of[term.token] ?? 0;

  it('is everything while it is little', () => {
    expect(affordable(terms, costs({ common: 200_000, rare: 10 }))).toEqual(terms);
  });

  it('is the cheapest, and what is in quotation marks first', () => {
    const left = (of: Record<string, number>) => affordable(terms, costs(of)).map(({ token }) => token);
    expect(left({ common: 900_000, rare: 10 })).toEqual(['common rare', 'rare']);
    expect(left({ common: 300_000, rare: 10, 'common rare': 390_000 })).toEqual(['common rare', 'rare']);
    expect(left({ common: 600_000, rare: 600_000, 'common rare': 600_000 })).toEqual([]);
  });

  it('a phrase has sixteen words at most', () => {
    const [phrase] = queryTerms(`"${'word '.repeat(40)}"`);
    expect(phrase?.token.split(' ')).toHaveLength(16);
    for (const { token } of queryTerms('a_'.repeat(4000)))
      expect(token.split(' ').length).toBeLessThanOrEqual(16);
  });
});

describe('what several wordings look for together', () => {
  const words = (name: string, count: number) =>
    Array.from({ length: count }, (_, n) =>
      String.fromCodePoint(97 + (n % 26), 97 + Math.floor(n / 26)),
    ).flatMap((letters) => queryTerms(name + letters));
  const counts = (...wordings: ReturnType<typeof queryTerms>[]) =>
    sharedOut(wordings, () => 10).map(({ length }) => length);

  it('is all of it where that is little, and 64 terms at most', () => {
    expect(counts(words('x', 20), words('y', 20), words('z', 10))).toEqual([20, 20, 10]);
    // Half is the first one's, the rest is shared out in turn.
    expect(counts(words('x', 60), words('y', 60), words('z', 60))).toEqual([43, 11, 10]);
    expect(counts(words('x', 4), words('y', 60), words('z', 8))).toEqual([4, 52, 8]);
  });

  it('counts once what several have', () => {
    expect(counts(words('x', 40), words('x', 40), words('z', 24))).toEqual([40, 40, 24]);
  });

  it('has no more places than one query, the cheapest first', () => {
    const [dear, cheap] = [queryTerms('dear'), queryTerms('cheap')];
    const cost = (token: string) => (token === 'dear' ? 300_000 : 10);
    const kept = sharedOut([queryTerms('dear ones'), dear, cheap], ({ token }) => cost(token));
    expect(kept.map((terms) => terms.map(({ token }) => token))).toEqual([
      ['dear', 'ones'],
      ['dear'],
      ['cheap'],
    ]);
    const two = sharedOut([dear, queryTerms('costly cheap')], ({ token }) =>
      token === 'cheap' ? 10 : 300_000,
    );
    expect(two.map((terms) => terms.map(({ token }) => token))).toEqual([['dear'], ['cheap']]);
  });
});
