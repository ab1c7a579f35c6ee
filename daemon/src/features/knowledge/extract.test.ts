import { beforeAll, describe, expect, it } from 'vitest';
import { type Extract, loadExtractor } from './extract.ts';

let extract: Extract;
beforeAll(async () => {
  extract = await loadExtractor();
});

/** A Friday. */
const observedAt = Date.parse('2026-11-20T14:00:00Z');

/** Each fact as `subject predicate object`, `not` before the predicate of one that denies. */
function said(value: string, more: { key?: string; metadata?: Record<string, unknown> } = {}): string[] {
  const { key = 'mem_01jd00000000000000000000aa', metadata = {} } = more;
  return extract({ key, value, metadata, observedAt }).map(
    (fact) => `${fact.subjectNorm} ${fact.negated ? 'not ' : ''}${fact.predicate} ${fact.objectNorm}`,
  );
}

describe('facts are found', () => {
  it.each([
    ["Anna's birthday is 3 May", 'anna birthday --05-03'],
    ['Anna was born on 3 May 1990.', 'anna birthday 1990-05-03'],
    ['The staging database listens on port 5433.', 'staging database port 5433'],
    ['The port of the staging database is 5433.', 'staging database port 5433'],
    ['I work at Fennel Logistics', 'user works_at fennel logistics'],
    ['My staging server listens on port 5433.', 'staging server port 5433'],
    ['My sister lives in Porto.', 'user sister lives_in porto'],
    ['Bruno lives in Porto', 'bruno lives_in porto'],
    ['Bruno still lives in Porto with two cats, near the river.', 'bruno lives_in porto'],
    ['Anna moved from Berlin to Rome', 'anna lives_in rome'],
    ['my dentist is Dr. Okafor', 'user dentist dr okafor'],
    ['Our dog is called Pixel.', 'user dog pixel'],
    ['My favourite colour is blue', 'user favourite_colour blue'],
    ["Chidi Okafor is Daniel's younger brother.", 'daniel brother chidi okafor'],
    ["I'm allergic to penicillin", 'user allergic_to penicillin'],
    ['Olu Adeyemi is the new head of engineering.', 'olu adeyemi is new head of engineering'],
    ['Renate is 68 years old.', 'renate age 68 year'],
    ['The API key expires on 3 May 2027.', 'api key expires 2027-05-03'],
    ['The report is due next Friday.', 'report due 2026-11-27'],
    ['Tidemark is written in Rust.', 'tidemark written_in rust'],
    ['saltmarsh runs on a Hetzner CX22 in Helsinki', 'saltmarsh runs_on hetzner cx22'],
    ['The licence costs 1,900 euro a month.', 'licence cost 1900 EUR'],
    ['We upgraded Postgres from 16 to 17 last week', 'postgres version 17'],
    ['Set it: MAX_RETRIES=5.', 'max_retries value 5'],
    ['Note: Sofie prefers tea over coffee.', 'sofie prefers tea'],
  ])('%s', (value, expected) => expect(said(value)).toEqual([expected]));

  it('several in one memory, of the person that is spoken of', () => {
    expect(said('My sister Clara is an architect. She lives in Rotterdam, with her girlfriend.')).toEqual([
      'clara is architect',
      'user sister clara',
      'clara lives_in rotterdam',
    ]);
    expect(said('Anna lives in Rome. Clara lives in Kiel. She works at Siemens.')).toEqual([
      'anna lives_in rome',
      'clara lives_in kiel',
    ]);
    expect(said('Leni likes peas and plays drums now.')).toEqual(['leni likes peas', 'leni plays drums']);
    expect(said('Tobias is allergic to nuts and shellfish.')).toEqual([
      'tobias allergic_to nuts',
      'tobias allergic_to shellfish',
    ]);
    expect(said('Bettina Krauss, head of engineering, my manager.')).toEqual([
      'bettina krauss is head of engineering',
      'user manager bettina krauss',
    ]);
  });

  it('of each thing in a list', () => {
    expect(said('Birthdays: Leni 9 May 2018, Emil 30 November 2021, Clara 3 October.')).toEqual([
      'leni birthday 2018-05-09',
      'emil birthday 2021-11-30',
      'clara birthday --10-03',
    ]);
  });

  it('in lines of a record, about what the key names', () => {
    expect(said('host: db-3.internal\nport: 5433\nowner: Marek', { key: 'infra/staging-database' })).toEqual([
      'staging database host db-3.internal',
      'staging database port 5433',
      'staging database owner marek',
    ]);
    expect(said('port: 5433')).toEqual([]);
    // A key of more words is a sentence, not a name.
    expect(said('port: 5433', { key: 'the_old_database_in_oslo' })).toHaveLength(1);
    expect(said('port: 5433', { key: 'the_old_database_of_the_team' })).toEqual([]);
  });

  it('with what is no longer so as a fact of its own', () => {
    expect(said('We switched from yarn to pnpm')).toEqual(['user uses pnpm', 'user not uses yarn']);
    expect(said('Bruno no longer lives in Lisbon')).toEqual(['bruno not lives_in lisbon']);
    expect(said("I don't like olives")).toEqual(['user not likes olives']);
    expect(said('Leni likes peas, not carrots')).toEqual(['leni likes peas']);
  });

  it('since when they hold', () => {
    const [fact] = extract({
      key: 'k',
      value: 'Anna moved to Rome in March 2024.',
      metadata: {},
      observedAt,
    });
    expect(fact?.validFrom).toBe(Date.parse('2024-03-01T00:00:00Z'));
    expect(
      extract({ key: 'k', value: 'Anna lives in Rome.', metadata: {}, observedAt })[0]?.validFrom,
    ).toBeUndefined();
  });

  it('of who speaks', () => {
    expect(said('I live in Porto.', { metadata: { speaker: 'daniel' } })).toEqual(['daniel lives_in porto']);
    expect(said('Caroline: I live in Porto.')).toEqual(['caroline lives_in porto']);
    expect(
      said('I live in your terminal. My dentist is Dr. Okafor.', { metadata: { speaker: 'agent' } }),
    ).toEqual([]);
  });

  it('in metadata', () => {
    const metadata = {
      entities: ['Anna', { name: 'Bruno' }],
      category: 'people',
      tags: 'family, travel',
      n: 3,
    };
    expect(said('hm', { key: 'trip', metadata })).toEqual([
      'trip mentions anna',
      'trip mentions bruno',
      'trip category people',
      'trip tag family',
      'trip tag travel',
    ]);
  });

  it('with their sentence as it stands in the memory', () => {
    const value = '# People\n\n- **Clara** lives in Rotterdam (since 2019).\n- nothing else';
    const [fact] = extract({ key: 'k', value, metadata: {}, observedAt });
    expect(fact).toMatchObject({ subject: 'Clara', object: 'Rotterdam', confidence: 0.95, functional: true });
    expect(value).toContain(fact?.sentence ?? '?');
  });
});

describe('nothing is found', () => {
  it.each([
    ['in questions', 'Does Bruno live in Porto? Where does Anna work at?'],
    ['in suppositions', 'If Bruno moves, he lives in Rome. Maybe Anna works at Siemens.'],
    [
      'in plans and wishes',
      'Anna will move to Berlin. I want to work at Fennel. We plan to switch from yarn to pnpm.',
    ],
    ['in what others said', 'Anna said Bruno lives in Rome. According to Marek, the port is 5433.'],
    ['in quotations', 'The sign says "the bakery opens at 7 on Sundays and closes at 9".'],
    ['in quoted lines', '> Bruno lives in Rome.\n\n> The port is 5433.'],
    ['in code', '```\nconst port = 5433;\nBruno lives in Rome.\n```\nlet x = { a: 1 };'],
    ['in the past', 'Bruno lived in Lisbon. Anna was a nurse. I used to work at Siemens.'],
    ['in orders', 'Run the tests before you push. Never edit the generated files.'],
    [
      'of pronouns whose person is unknown',
      'She lives in Rotterdam. It listens on port 5433. They use yarn.',
    ],
    ['of nobody', 'Nobody lives in the house. There is a garden. This is a mess.'],
    ['in states', 'The downstairs door is broken. Sofie is tired. My car is in the way.'],
    [
      'in sentences of other languages',
      'Wir sind bis zum 2. Januar in Valencia und das ist gut. Anna ist mit Bruno verheiratet.',
    ],
    ['where a value is only a case', 'The flag is read when DEBUG_MODE=1, run it with LOG_LEVEL=3.'],
    ['in labels', 'Note: bring the keys\nTODO: call Anna\nExample: port 80'],
  ])('%s', (_, value) => expect(said(value, { key: 'notes/anything' })).toEqual([]));
});
