import { askMemory, type AskReply } from '@reverie/shared/contract/ask';
import { importMemories } from '@reverie/shared/contract/portable';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestDaemon, type TestDaemon } from '../../testing.ts';

/** Notes as a person keeps them, and the days on which they were stored. */
const NOTES: Readonly<Record<string, readonly (readonly [key: string, value: string, day?: string])[]>> = {
  life: [
    ['chain', 'The bike chain is 116 links long, a size 11 one.'],
    ['passport', 'My passport number is C01X00T47, it expires on 14 August 2029.'],
    ['etf', 'I put 200 euro a month into the ETF savings plan.'],
    ['clara', 'Clara lives in Lyon and works as a nurse.'],
    ['berlin', 'In 2023 I lived in Berlin, in Weserstrasse.'],
    ['dog', 'The dog of the neighbours barks at night.'],
  ],
  family: [
    ['sister', 'My sister is called Mira.'],
    ['tartu', 'Mira has begun to study in Tartu, a town in Estonia.'],
    ['roof', 'The roof was mended in May.'],
    ['gym', 'The gym costs 29 euro a month.', '2026-03-01'],
    ['gym-august', 'The gym raised its price, it costs 34 euro a month.', '2026-08-12'],
  ],
  work: [
    ['limit', 'The API rate limit is 100 requests a minute.', '2026-03-01'],
    ['limit-august', 'The API rate limit was raised to 250 requests a minute.', '2026-08-12'],
    [
      'editor',
      '# Editor\n\nThe editor framework that we use is ProseMirror.\nDropped ProseMirror in October, we moved to Lexical.',
    ],
    [
      'deploys',
      '# Deploys\n\n| Env | Command | Window |\n| --- | --- | --- |\n| prod | `make ship` | Thursday |\n| staging | `make try` | any day |\n',
    ],
    [
      'oncall',
      '---\ntitle: On call\n---\n# On call\n\n![status](https://a.example/s.svg)\n\nBefore handing over:\n\n- close the open alerts\n- write to Petra\n',
    ],
    [
      'restore',
      '# Restore\n\nTo restore the billing database run:\n\n```sh\npgback restore --latest billing\n```\n',
    ],
  ],
};

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startTestDaemon();
  const items = Object.entries(NOTES).flatMap(([namespace, notes]) =>
    notes.map(([key, value, day = '2026-02-01']) => {
      const at = `${day}T10:00:00Z`;
      return { key, value, namespace, created_at: at, updated_at: at };
    }),
  );
  await daemon.call(importMemories, { body: { items } });
});
afterAll(() => daemon.stop());

const asked = (namespace: string, question: string, more: object = {}): Promise<AskReply> =>
  daemon.call(askMemory, { body: { namespace, question, now: '2026-11-20T12:00:00Z', ...more } });

describe('what is next to what is asked', () => {
  it.each([
    ['How tall am I?', 'a chain has a length'],
    ['How much is the rent?', 'a savings plan has an amount'],
    ['When did the washing machine break?', 'nothing is near'],
  ])('%s is not in memory: %s', async (question) => {
    const reply = await asked('life', question);
    expect(reply).toMatchObject({ certainty: 'none', found: false, citations: [] });
    expect(reply.answer).toMatch(/^Nothing in memory answers this\./u);
  });

  it.each(['What is my bank account number?', 'How many children does Clara have?'])(
    '%s is not asserted',
    async (question) => {
      const reply = await asked('life', question);
      expect(reply).toMatchObject({ certainty: 'unsure', found: true });
      expect(reply.answer).toMatch(/^Not sure\. The closest in memory:\n"/u);
    },
  );

  it('Do I have a dog? is not asserted of that of the neighbours: small words are all it says else', async () => {
    expect((await asked('life', 'Do I have a dog?')).certainty).toBe('unsure');
  });

  it('Where did I live in 2023? is', async () => {
    const reply = await asked('life', 'Where did I live in 2023?');
    expect(reply).toMatchObject({ certainty: 'sure', found: true });
    expect(reply.answer).toContain('Berlin');
  });
});

describe('what holds now', () => {
  it('is told before what held, with both dates', async () => {
    const { answer, citations, certainty } = await asked('family', 'How much does the gym cost?');
    expect(answer.split('\n')).toEqual([
      '"The gym raised its price, it costs 34 euro a month." — gym-august, stored 12 August 2026',
      'Until 12 August 2026: "The gym costs 29 euro a month." — gym, stored 1 March 2026',
    ]);
    expect(citations.slice(0, 2).map(({ key }) => key)).toEqual(['gym-august', 'gym']);
    expect(certainty).toBe('likely');
  });

  it('is told alone where one citation is wanted: nothing is quoted that is not cited', async () => {
    const { answer, citations } = await asked('family', 'How much does the gym cost?', { limit: 1 });
    expect(citations.map(({ key }) => key)).toEqual(['gym-august']);
    expect(answer).toMatch(/^"The gym raised its price, it costs 34 euro a month\."[^\n]*$/u);
  });

  it('is what was known as of a time', async () => {
    const { answer } = await asked('family', 'How much does the gym cost?', {
      as_of: '2026-05-01T00:00:00Z',
    });
    expect(answer).toBe('"The gym costs 29 euro a month." — gym');
  });

  it.fails(
    'is the limit that was raised: a figure that counts requests is not taken for one of the limit',
    async () => {
      const { answer } = await asked('work', 'What is the API rate limit?');
      expect(answer).toMatch(/^"The API rate limit was raised to 250/u);
    },
  );

  it('is not asserted as sure where a newer value may be there', async () => {
    const { certainty, citations } = await asked('work', 'What is the API rate limit?');
    expect(certainty).toBe('likely');
    expect(citations.map(({ key }) => key)).toEqual(['limit', 'limit-august']);
  });

  it('is what the next line says, before what it changes', async () => {
    const { answer, citations } = await asked('work', 'What editor framework do we use?');
    const [first, second] = answer.split('\n');
    expect(first).toMatch(/^"Dropped ProseMirror in October, we moved to Lexical\."/u);
    expect(second).toMatch(/^Before that: "The editor framework that we use is ProseMirror\." — editor/u);
    expect(citations[0]?.quote).toContain('Lexical');
  });
});

describe('Markdown', () => {
  it.each([
    ['When is the window of prod?', 'deploys', 'Env: prod · Command: make ship · Window: Thursday'],
    [
      'How do I restore the billing database?',
      'restore',
      'To restore the billing database run:\npgback restore --latest billing',
    ],
    ['Whom do I write to before handing over?', 'oncall', 'Before handing over:'],
  ])('%s is answered from %s by what it says as a whole', async (question, key, quote) => {
    const { citations, answer } = await asked('work', question);
    expect(citations[0]?.key).toBe(key);
    expect(citations[0]?.quote).toContain(quote);
    expect(answer).not.toMatch(/"(?:#|\||---|!\[|title:)/u);
  });
});
