import { askMemory, type AskReply } from '@reverie/shared/contract/search/ask';
import { createKey } from '@reverie/shared/contract/accounts/keys';
import { setMemory } from '@reverie/shared/contract/memories/memories';
import { searchMemories } from '@reverie/shared/contract/search/search';
import * as contract from '@reverie/shared/contract/sessions/sessions';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { said as modelSaid, startFakeModelServer } from '../../models/testing/fake-model-server.ts';
import { startTestDaemon, type TestDaemon } from '../../testing.ts';

const DAY = 86_400_000;
const BOTH = ['memories', 'sessions'] as const;
let daemon: TestDaemon;
const ids: Record<string, string> = {};

beforeAll(async () => {
  daemon = await startTestDaemon();
  const begun = async (title: string, texts: readonly string[], { namespace = 'work', age = 0 } = {}) => {
    const { id } = await daemon.call(contract.createSession, { body: { agent: 'codex', title, namespace } });
    const at = new Date(daemon.clock.now() - age * DAY).toISOString();
    const entries = texts.map((text) => ({ kind: 'answer' as const, text, at }));
    await daemon.call(contract.addEntries, { params: { id }, body: { entries } });
    ids[title] = id;
  };
  await begun('Webhook retries', [
    'The dispatcher retries a webhook seven times with a doubling delay.',
    'The tests of the sender are green again.',
  ]);
  await begun('Old retries', ['Each webhook is tried again three times.'], { age: 400 });
  await begun('Boats', ['The dispatcher of the harbour retries every webhook twice.'], {
    namespace: 'private',
  });
  await daemon.call(setMemory, {
    body: { key: 'lunch', namespace: 'work', value: 'The canteen serves lunch from twelve to two.' },
  });
});
afterAll(() => daemon.stop());

const search = (body: Partial<Parameters<typeof daemon.call<typeof searchMemories>>[1]['body']>) =>
  daemon.call(searchMemories, {
    body: { query: 'how often does the dispatcher retry a webhook', namespace: 'work', ...body },
  });
const ask = (
  question: string,
  body: Partial<Parameters<typeof daemon.call<typeof askMemory>>[1]['body']> = {},
): Promise<AskReply> => daemon.call(askMemory, { body: { question, namespace: 'work', ...body } });
const titles = ({ sessions = [] }: { sessions?: contract.SessionHit[] | undefined }) =>
  sessions.map(({ session }) => session.title);

describe('search', () => {
  test('looks into sessions where that is asked for, and else says nothing of them', async () => {
    expect(await search({})).not.toHaveProperty('sessions');
    const both = await search({ sources: [...BOTH] });
    const { results, elsewhere } = await search({});
    expect({ results: both.results, elsewhere: both.elsewhere }).toEqual({ results, elsewhere });
    expect(titles(both).slice(0, 2)).toEqual(['Webhook retries', 'Old retries']);
    expect(titles(both)).not.toContain('Boats');
    expect(both.sessions?.[0]).toMatchObject({
      passage: { text: expect.stringContaining('seven times') as string },
    });
    const alone = await search({ sources: ['sessions'] });
    expect(alone).toMatchObject({ results: [], count: 0 });
    expect(alone.sessions).toEqual(both.sessions);
    expect(titles(await search({ sources: ['sessions'], namespace: '*' }))).toContain('Boats');
  });

  test('holds its limit, its threshold and its operators against sessions', async () => {
    const of = async (query: string, more = {}) =>
      titles(await search({ query, sources: ['sessions'], ...more }));
    expect(await of('webhook', { limit: 1 })).toHaveLength(1);
    expect(await of('webhook', { threshold: 1 })).toEqual([]);
    expect(await of('webhook -seven')).toEqual(['Old retries']);
    expect(await of('"seven times" webhook')).toEqual(['Webhook retries']);
    const year = new Date(daemon.clock.now() - 200 * DAY).toISOString().slice(0, 10);
    expect(await of(`webhook before:${year}`)).toEqual(['Old retries']);
    expect(await of(`webhook after:${year}`)).toEqual(['Webhook retries']);
    expect(await of('webhook in:private', { namespace: '*' })).toEqual(['Boats']);
    for (const none of ['webhook tag:adr', 'webhook class:error', 'tag:adr'])
      expect(await of(none)).toEqual([]);
    expect(await of('webhook', { tags: ['adr'] })).toEqual([]);
  });

  test('a wrong source is refused by name', async () => {
    for (const sources of [['mail'], []]) {
      const { status, text } = await daemon.ask({
        method: 'POST',
        path: '/v1/memory-search',
        body: { query: 'x', sources },
      });
      expect(status).toBe(400);
      expect(text).toContain('memories, sessions');
    }
  });
});

describe('ask', () => {
  const QUESTION = 'How many times does the dispatcher retry a webhook?';

  test('answers from a session where memory does not, with the entry that said it', async () => {
    expect(await ask(QUESTION)).toMatchObject({ certainty: 'none', found: false });
    const reply = await ask(QUESTION, { sources: [...BOTH], explain: true });
    expect(reply).toMatchObject({ certainty: 'unsure', found: true, model: null });
    expect(reply.answer).toMatch(
      /^Not sure. The closest in memory:\nIn sessions:\n"The dispatcher retries a webhook seven times[^]*" — Webhook retries, \d/,
    );
    const [{ session, value, passage } = {}] = reply.citations;
    expect(session).toMatchObject({ id: ids['Webhook retries'], title: 'Webhook retries' });
    expect(value?.slice(passage?.start, passage?.end)).toBe(passage?.text);
    const { entries } = await daemon.call(contract.listEntries, {
      params: { id: session?.id ?? '' },
      query: { around: session?.entry },
    });
    expect(entries[0]?.text).toContain('seven times');
    expect(reply).not.toHaveProperty('understood.abstained');
    const alone = await ask(QUESTION, { sources: ['sessions'] });
    expect(alone.answer).toBe(reply.answer);
  });

  test('answers as ever where sessions have nothing of it', async () => {
    const question = 'What is the capital of Mongolia?';
    const { latency_ms: _, ...before } = await ask(question);
    const { latency_ms: __, ...after } = await ask(question, { sources: [...BOTH] });
    expect(after).toEqual(before);
    expect(await ask('What is the capital of Mongolia?', { sources: ['sessions'] })).toMatchObject({
      certainty: 'none',
      found: false,
      citations: [],
      answer: 'Nothing that was said in sessions answers this.',
    });
  });

  test('asked about the past, it knows only what was said by then', async () => {
    const as_of = new Date(daemon.clock.now() - 300 * DAY).toISOString();
    const { answer } = await ask(QUESTION, { sources: [...BOTH], as_of });
    expect(answer).not.toContain('seven');
    expect(answer).toContain('three times');
  });
});

test('a model is not shown sessions; what they say stands behind what it found', async () => {
  const prompts: string[] = [];
  const fake = await startFakeModelServer(({ body }) => {
    prompts.push(JSON.stringify(body['messages']));
    return modelSaid(JSON.stringify({ answered: false, sentences: [], search: [] }));
  });
  const own = await startTestDaemon({
    env: { REVERIE_LLM_BASE_URL: fake.baseUrl, REVERIE_LLM_MODEL: 'small-2b' },
  });
  try {
    const { id } = await own.call(contract.createSession, { body: { agent: 'codex', title: 'Retries' } });
    const text = 'The dispatcher retries a webhook seven times with a doubling delay.';
    await own.call(contract.addEntries, {
      params: { id },
      body: { entries: [{ kind: 'answer', text }] },
    });
    await own.call(setMemory, { body: { key: 'dispatcher', value: 'The dispatcher was written by Mara.' } });
    const question = 'How many times does the dispatcher retry a webhook?';
    const reply = await own.call(askMemory, { body: { question, sources: [...BOTH] } });
    expect(reply).toMatchObject({ certainty: 'unsure', model: null, citations: [{ session: { id } }] });
    expect(prompts.join('\n')).toContain('written by Mara');
    expect(prompts.join('\n')).not.toContain('seven times');
  } finally {
    await own.stop();
    await fake.stop();
  }
});

test('a narrower key is shown sessions of its own namespaces alone', async () => {
  const { key } = await daemon.call(createKey, {
    body: { name: 'narrow', scope: 'read', namespaces: ['private'], can: ['read'] },
  });
  const asked = async (path: string, body: object) =>
    (await daemon.ask({ method: 'POST', path, key, body: { sources: BOTH, ...body } })).text;
  for (const namespace of ['*', 'work']) {
    const query = 'How often does the dispatcher retry a webhook?';
    const found = await asked('/v1/memory-search', { query, namespace });
    const told = await asked('/v1/memory/ask', { question: query, namespace });
    for (const text of [found, told]) {
      expect(text).not.toMatch(/seven times|three times/);
      if (namespace === '*') expect(text).toContain('Boats');
      else expect(text).not.toContain('Boats');
    }
  }
});
