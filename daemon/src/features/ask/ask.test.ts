import { askMemory, type AskReply, askStages } from '@reverie/shared/contract/search/ask';
import { clearNamespace, setMemory, storeBatch } from '@reverie/shared/contract/memories/memories';
import { importMemories } from '@reverie/shared/contract/memories/portable';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runs } from '@reverie/shared/testing/depth';
import { startTestDaemon, type TestDaemon } from '../../testing.ts';

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startTestDaemon();
});
afterAll(() => daemon.stop());

const HOUSE = {
  lease: 'The flat in Harbour Street is let until 30 June. The rent is 940 euro a month.',
  dentist: 'Dentist: Dr. Okafor, Mill Lane 4. The next appointment is on Tuesday 9 March at half past nine.',
  lena: 'Lena does not eat fish. She likes mushrooms very much.',
  build: 'The build of gantry fails with E1042 when the cache is cold; `npm run warm` mends it.',
  bike: "Marta's bicycle is dark green, she bought it in Leiden.",
};

async function fill(namespace: string, memories: Readonly<Record<string, string>> = HOUSE): Promise<void> {
  const items = Object.entries(memories).map(([key, value]) => ({ key, value, namespace }));
  await daemon.call(storeBatch, { body: { items } });
}

function asked(question: string, more: object = {}): Promise<AskReply> {
  return daemon.call(askMemory, { body: { question, namespace: 'house', ...more } });
}

describe('an answer', () => {
  beforeAll(() => fill('house'));

  it.each([
    ['How much is the rent of the flat?', 'lease', '940 euro'],
    ['When is the next dentist appointment?', 'dentist', '9 March'],
    ['What does Lena not eat?', 'lena', 'fish'],
    ["What colour is Marta's bicycle?", 'bike', 'dark green'],
    ['What does E1042 mean in the build of gantry?', 'build', 'cache is cold'],
  ])('to %s quotes the memory that answers, word for word', async (question, key, says) => {
    const reply = await asked(question);
    expect(reply).toMatchObject({ found: true, certainty: 'unsure', model: null });
    const [first] = reply.citations;
    expect(first?.key).toBe(key);
    expect(first?.value).toBe(HOUSE[key as keyof typeof HOUSE]);
    expect(first?.value).toContain(first?.quote);
    expect(first?.quote).toContain(says);
    const { text = '', start, end, marks = [] } = first?.passage ?? {};
    expect(text).toContain(says);
    expect(first?.value.slice(start, end)).toBe(text);
    expect(marks.length).toBeGreaterThan(0);
    expect(reply.answer.split('\n').slice(0, 2)).toEqual([
      'Not sure. The closest in memory:',
      expect.stringContaining(`"${first?.quote}" — ${key}`),
    ]);
    expect(Number.isInteger(reply.latency_ms)).toBe(true);
  });

  it('has no more citations than wanted, best first', async () => {
    const question = 'Which appointment is next, and how much is a month of rent?';
    const all = await asked(question);
    expect(
      all.citations
        .slice(0, 2)
        .map(({ key }) => key)
        .sort(),
    ).toEqual(['dentist', 'lease']);
    expect(all.citations[0]?.score).toBeGreaterThanOrEqual(all.citations[1]?.score ?? 1);
    const { citations, answer } = await asked(question, { limit: 1 });
    expect(citations).toEqual(all.citations.slice(0, 1));
    // Nothing is quoted that is not cited.
    expect(answer.split('\n')).toHaveLength(2);
  });

  it('names the day where the memory has one', async () => {
    const metadata = { timestamp: '2026-05-03T10:00:00Z' };
    const value = 'The ferry to Amrum is booked.';
    await daemon.call(setMemory, { body: { key: 'ferry', namespace: 'dated', value, metadata } });
    const { answer, citations } = await asked('Is the ferry to Amrum booked?', { namespace: 'dated' });
    expect(answer).toBe(
      'Not sure. The closest in memory:\n"The ferry to Amrum is booked." — ferry, 3 May 2026',
    );
    expect(citations[0]?.date).toBe('2026-05-03T10:00:00.000Z');
    expect((await asked('Does Lena eat fish?')).citations[0]).not.toHaveProperty('date');
  });

  it.each(['?', ' \t ', 'And then?', '🎂'])('to %j is none', async (question) => {
    expect(await asked(question)).toMatchObject({ certainty: 'none', found: false, citations: [] });
  });

  it('to a question of small words only is what search finds, where it finds something', async () => {
    await fill('small', { ...HOUSE, up: 'I get up at 6:15 on weekdays.' });
    const { citations } = await asked('When do I get up?', { namespace: 'small' });
    expect(citations[0]?.key).toBe('up');
  });

  it('is found by another wording, which it is cited with', async () => {
    const queries = ['Wie hoch ist die Miete?', 'monthly rent of the flat'];
    const { citations } = await asked('What do I owe the landlord?', { queries });
    expect(citations[0]).toMatchObject({ key: 'lease', wording: queries[1] });
  });

  it.each(['hi', 'Thanks!'])('to %s is that nothing in memory answers', async (question) => {
    expect(await asked(question)).toMatchObject({ found: false, citations: [] });
  });

  it('says of nothing that it is not there', async () => {
    const { answer, citations, found } = await asked('When does the lease end?', { namespace: 'nowhere' });
    expect({ answer, citations, found }).toEqual({
      answer: 'Nothing is in memory in the namespace “nowhere”.',
      citations: [],
      found: false,
    });
  });
});

describe('explain', () => {
  it('names the six stages in order, and why each citation is one', async () => {
    await fill('house');
    const {
      stages = [],
      citations,
      understood,
    } = await asked('How much is the rent of the flat?', {
      explain: true,
    });
    expect(stages.map(({ name }) => name)).toEqual(askStages);
    expect(stages.at(-1)?.skipped).toBeTypeOf('string');
    expect(stages.at(-1)?.candidates).toBeGreaterThan(0);
    expect(understood).toEqual({ queries: [], decided_by: 'search' });
    const streams = citations[0]?.why?.streams.map(({ name }) => name);
    expect(streams).toContain('words');
    expect(streams).toContain('vectors');
    expect(citations[0]?.why?.boosts.length).toBeGreaterThan(0);
  });

  it('tells the facts of a citation that have words of the question, each with its line', async () => {
    const namespace = 'explained';
    await fill(namespace, { flat: '# Flat in Harbour Street\n\n- **Rent:** 940 euro\n- Floor: third' });
    const { citations } = await asked('How much is the rent of the flat?', { namespace, explain: true });
    expect(citations[0]?.why?.facts).toEqual([
      {
        subject: 'Flat in Harbour Street',
        predicate: 'Rent',
        object: '940 euro',
        quote: '**Rent:** 940 euro',
      },
    ]);
  });

  it('is left out unless asked for', async () => {
    const reply = await asked('How much is the rent of the flat?');
    expect(reply).not.toHaveProperty('stages');
    expect(reply).not.toHaveProperty('understood');
    expect(reply.citations[0]).not.toHaveProperty('why');
  });
});

describe('as_of', () => {
  it('answers with what was known then: no later memory, the version of that time', async () => {
    const items = [
      { key: 'job', value: 'Daniel works at the hospital in Leipzig.', created_at: '2026-01-05T00:00:00Z' },
      { key: 'dog', value: 'Daniel has bought a dog called Pixel.', created_at: '2026-06-01T00:00:00Z' },
    ].map((item) => ({ ...item, updated_at: item.created_at, namespace: 'past' }));
    await daemon.call(importMemories, { body: { items } });
    await daemon.call(setMemory, {
      body: { key: 'job', value: 'Daniel works at the hospice in Lübeck.', namespace: 'past' },
    });
    const then = { namespace: 'past', as_of: '2026-03-01T00:00:00Z' };
    const before = await asked('Where does Daniel work?', then);
    expect(before.citations.map(({ key, quote }) => [key, quote])).toEqual([
      ['job', 'Daniel works at the hospital in Leipzig.'],
    ]);
    // By words that no index has any more.
    expect((await asked('What is in Leipzig?', then)).citations.map(({ key }) => key)).toEqual(['job']);
    const after = await asked('Where does Daniel work?', { namespace: 'past' });
    expect(after.citations[0]?.quote).toBe('Daniel works at the hospice in Lübeck.');
    const none = await asked('Where does Daniel work?', { ...then, as_of: '2025-01-01T00:00:00Z' });
    expect(none).toMatchObject({
      found: false,
      citations: [],
      answer: 'Nothing was in memory in the namespace “past” on 1 January 2025.',
    });
  });
});

describe('notes as a person keeps them', () => {
  it('are told with the newest of one subject first, and when the other was stored', async () => {
    const gym = [
      ['gym', 'The gym costs 29 euro a month.', '2026-03-01T10:00:00Z'],
      ['gym-august', 'The gym raised its price, it costs 34 euro a month.', '2026-08-12T10:00:00Z'],
    ] as const;
    const items = gym.map(([key, value, at]) => ({
      key,
      value,
      namespace: 'gym',
      created_at: at,
      updated_at: at,
    }));
    await daemon.call(importMemories, { body: { items } });
    const { answer, citations } = await asked('How much does the gym cost?', { namespace: 'gym' });
    expect(answer.split('\n').slice(1)).toEqual([
      '"The gym raised its price, it costs 34 euro a month." — gym-august, stored 12 August 2026',
      '"The gym costs 29 euro a month." — gym, stored 1 March 2026',
    ]);
    expect(citations.map(({ key }) => key)).toEqual(['gym-august', 'gym']);
    const then = await asked('How much does the gym cost?', {
      namespace: 'gym',
      as_of: '2026-05-01T00:00:00Z',
    });
    expect(then.answer).toBe('Not sure. The closest in memory:\n"The gym costs 29 euro a month." — gym');
  });

  it.each([
    ['When is the window of prod?', 'deploys', 'Env: prod · Command: make ship · Window: Thursday'],
    ['How do I restore the billing database?', 'restore', 'pgback restore --latest billing'],
  ])('in Markdown answer %s from %s by what they say as a whole', async (question, key, quote) => {
    await fill('docs', {
      deploys:
        '# Deploys\n\n| Env | Command | Window |\n| --- | --- | --- |\n| prod | `make ship` | Thursday |\n',
      restore:
        '# Restore\n\nTo restore the billing database run:\n\n```sh\npgback restore --latest billing\n```\n',
    });
    const { citations } = await asked(question, { namespace: 'docs' });
    expect(citations[0]?.key).toBe(key);
    expect(citations[0]?.quote).toContain(quote);
  });
});

describe('who asks', () => {
  it('is never answered from another account', async () => {
    await fill('house');
    const { key } = daemon.addAccount('read');
    const reply = await daemon.as(key)(askMemory, {
      body: { question: 'How much is the rent of the flat?', namespace: 'house', explain: true },
    });
    expect(reply).toMatchObject({ found: false, citations: [] });
    expect(reply.stages?.every(({ candidates }) => candidates === 0)).toBe(true);
  });

  it('is told what is wrong with the request', async () => {
    const { status, json } = await daemon.ask({
      path: '/v1/memory/ask',
      body: { question: '', as_of: 'yesterday', query: 'x' },
    });
    expect(status).toBe(400);
    expect(json.errors?.map(({ path }) => path).sort()).toEqual(['as_of', 'query', 'question']);
  });

  it('leaves nothing behind: asking writes nothing', async () => {
    await fill('house');
    const changes = () =>
      daemon.withStore((store) =>
        store.read((db) =>
          ['events', 'memories', 'memory_versions', 'chunks'].map(
            (table) => db.prepare<[], { n: number }>(`SELECT count(*) AS n FROM ${table}`).get()?.n,
          ),
        ),
      );
    const before = changes();
    await asked('How much is the rent of the flat?');
    expect(changes()).toEqual(before);
  });
});

it.each([
  [{ as_of: 'yesterday' }, 'as_of: is "yesterday"; must be a date and time of RFC 3339'],
  [{ now: 5 }, 'now: is 5; must be a date and time of RFC 3339'],
  [{ explain: 'yes' }, 'explain: is "yes"; must be true or false'],
  [{ limit: 0 }, 'limit: is 0; must be a whole number of at least 1'],
  [{ namespace: '' }, 'namespace: is empty; allowed: 1 to 128 bytes'],
  [{ question: '' }, 'question: is empty; allowed: 1 to 8192 bytes'],
  [{ as_of: 'x'.repeat(5000) }, '…"; must be a date and time of RFC 3339'],
])('%j is refused by its name, its value and what is allowed', async (more, detail) => {
  const reply = await daemon.ask({
    method: 'POST',
    path: '/v1/memory/ask',
    body: { question: 'Who?', ...more },
  });
  expect(reply.status).toBe(400);
  expect(reply.json).toMatchObject({ detail: expect.stringContaining(detail) as string });
});

it('a body that is no object is refused in plain words', async () => {
  const reply = await daemon.ask({ method: 'POST', path: '/v1/memory/ask', body: [] });
  expect(reply.json).toMatchObject({ detail: 'The request must have a JSON object as its body' });
});

describe('any text', () => {
  it('is a question that can be answered or not, and quotes are in the values', async () => {
    await daemon.call(clearNamespace, { body: { namespace: 'any' } });
    await fill('any', {
      ...HOUSE,
      odd: 'Zeichen: \u0000 „“ 🎉 刘燕的生日是三月九日。 `a[0] ?? "x"` \\ \r\n - end',
    });
    const pieces = fc.oneof(
      fc.string({ unit: 'binary', minLength: 1, maxLength: 60 }),
      fc.constantFrom(
        'who',
        'when is',
        '"',
        '刘燕',
        '🎉',
        'E1042',
        'the rent',
        '*',
        'NEAR(',
        '  ',
        '(((',
        '\\',
      ),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(pieces, { minLength: 1, maxLength: 6 }), async (parts) => {
        const question = parts.join(' ').toWellFormed();
        const { citations, answer, found } = await asked(question, { namespace: 'any', explain: true });
        expect(answer).not.toBe('');
        expect(found).toBe(citations.length > 0);
        for (const { value, quote } of citations) expect(value).toContain(quote);
      }),
      { numRuns: runs(12, 60) },
    );
  });
});
