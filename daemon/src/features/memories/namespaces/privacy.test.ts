import { askMemory } from '@reverie/shared/contract/search/ask';
import { createKey } from '@reverie/shared/contract/accounts/keys';
import {
  clearNamespace,
  listNamespaces,
  type NamespaceModels,
  setMemory,
  changeNamespace,
} from '@reverie/shared/contract/memories/memories';
import { renameMemory } from '@reverie/shared/contract/memories/naming';
import { importMemories } from '@reverie/shared/contract/memories/portable';
import { searchMemories } from '@reverie/shared/contract/search/search';
import { health, status } from '@reverie/shared/contract/system/system';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  type Behaviour,
  embeds,
  type FakeModelServer,
  said,
  startFakeModelServer,
} from '../../../models/testing/fake-model-server.ts';
import { startTestDaemon, type TestDaemon } from '../../../testing.ts';
import { dream } from '../../dreams/testing.ts';

const LEASE = 'The rent of the flat in Harbour Street is 940 euro a month.';
const RENT = said(
  JSON.stringify({
    answered: true,
    sentences: [{ text: LEASE, quotes: [{ note: 1, words: '940 euro a month' }] }],
    search: [],
  }),
);
const talks: Behaviour = () => RENT;
/** One that Ollama would run in its cloud: its server is at the loopback, and what it is told leaves the machine. */
const BEYOND = 'small-cloud';

let fake: FakeModelServer;
let daemon: TestDaemon;
beforeEach(async () => {
  fake = await startFakeModelServer(talks);
});
afterEach(async () => {
  await daemon.stop();
  await fake.stop();
});

async function start(model = 'small', env: Record<string, string> = {}): Promise<void> {
  daemon = await startTestDaemon({
    env: { REVERIE_LLM_BASE_URL: fake.baseUrl, REVERIE_LLM_MODEL: model, ...env },
  });
  await daemon.call(setMemory, { body: { key: 'lease', value: LEASE, namespace: 'home' } });
}
const keep = (models: NamespaceModels, namespace = 'home') =>
  daemon.call(changeNamespace, { params: { namespace }, body: { models } });
async function kept(): Promise<(string | undefined)[]> {
  return (await daemon.call(listNamespaces, {})).namespaces.map(({ models }) => models);
}
const ask = (namespace = 'home') =>
  daemon.call(askMemory, {
    body: { question: 'How much is the rent of the flat?', namespace, explain: true },
  });

describe('which models may see a namespace', () => {
  test('is any of them until it is said, and outlives a restart and the memories', async () => {
    await start();
    expect(await kept()).toEqual([undefined]);
    expect(await keep('local')).toEqual({ namespace: 'home', models: 'local' });
    expect(await kept()).toEqual(['local']);
    await daemon.call(clearNamespace, { body: { namespace: 'home' } });
    await daemon.restart();
    await daemon.call(setMemory, { body: { key: 'lease', value: LEASE, namespace: 'home' } });
    expect(await kept()).toEqual(['local']);
    await keep('any');
    expect(await kept()).toEqual([undefined]);
  });

  test('may be said of a namespace that holds nothing yet, whatever it is called', async () => {
    await start();
    const odd = 'acme/web ?#%2F é';
    await keep('none', odd);
    await daemon.call(setMemory, { body: { key: 'k', value: 'v', namespace: odd } });
    const { namespaces } = await daemon.call(listNamespaces, {});
    expect(namespaces.find(({ namespace }) => namespace === odd)).toMatchObject({ models: 'none' });
  });

  test.each([
    ['another word', 'home', { models: 'some' }],
    ['nothing', 'home', {}],
    ['every namespace', '*', { models: 'none' }],
    ['something beside it', 'home', { models: 'none', also: 1 }],
    ['a name that is too long', 'n'.repeat(129), { models: 'none' }],
  ])('is not said by %s', async (_, namespace, body) => {
    await start();
    const path = `/v1/namespaces/${encodeURIComponent(namespace)}`;
    const reply = await daemon.ask({ method: 'PATCH', path, key: daemon.ownerKey, body });
    expect(reply.status).toBe(400);
    expect(await kept()).toEqual([undefined]);
  });

  test('is for owners to say, each of their own account', async () => {
    await start();
    const body = { models: 'none' } as const;
    for (const scope of ['read', 'write'] as const) {
      const { key } = daemon.addAccount(scope);
      await expect(
        daemon.as(key)(changeNamespace, { params: { namespace: 'home' }, body }),
      ).rejects.toMatchObject({ status: 403 });
    }
    const other = daemon.as(daemon.addAccount('owner').key);
    await other(changeNamespace, { params: { namespace: 'home' }, body });
    expect(await kept()).toEqual([undefined]);
    expect((await ask()).model).toBe('small');
  });
});

describe('a question', () => {
  test.each<[NamespaceModels, string, string | null]>([
    ['any', BEYOND, BEYOND],
    ['any', 'small', 'small'],
    ['local', 'small', 'small'],
    ['local', BEYOND, null],
    ['none', 'small', null],
    ['none', BEYOND, null],
  ])('to a namespace of `%s` is put to %s: %s', async (models, configured, answeredBy) => {
    await start(configured);
    await keep(models);
    const reply = await ask();
    expect(reply.model).toBe(answeredBy);
    expect(reply.answer).toContain('940 euro');
    expect(fake.asked.length > 0).toBe(answeredBy !== null);
    if (answeredBy === null)
      expect(reply.understood?.model_failed).toMatch(
        /^the namespace "home" is kept from (every model|models)/u,
      );
  });

  test('to all namespaces shows a model nothing of one that it may not see', async () => {
    await start();
    await daemon.call(setMemory, { body: { key: 'open', value: 'The door is green.', namespace: 'open' } });
    await keep('none');
    expect((await ask('*')).answer).toContain('940 euro');
    expect(JSON.stringify(fake.asked)).not.toContain('940');
    // A key that cannot read it asks about the others alone, and is told nothing of it.
    const { key } = await daemon.call(createKey, {
      body: { name: 'narrow', scope: 'read', namespaces: ['open'] },
    });
    const narrow = daemon.as(key);
    const body = { question: 'Which colour has the door?', explain: true };
    expect(JSON.stringify(await narrow(askMemory, { body: { ...body, namespace: '*' } }))).not.toMatch(
      /kept|home/u,
    );
    expect(JSON.stringify(await narrow(askMemory, { body: { ...body, namespace: 'home' } }))).not.toContain(
      'kept',
    );
    expect(JSON.stringify(fake.asked)).toContain('door');
    await keep('any');
    expect((await ask('*')).model).toBe('small');
  });
});

describe('a dream', () => {
  const MEMORIES = [
    ['plumber', '2026-01-03', 'Zdeněk Horák fixed the drain in the bathroom, took 90 euro in cash.'],
    ['letter', '2026-06-20', 'A collection agency claims money on behalf of Z. Horák.'],
  ].map(([key = '', day, value = '']) => {
    const at = `${day}T12:00:00Z`;
    return { key, value, namespace: 'home', created_at: at, updated_at: at };
  });

  test.each<[NamespaceModels, string, boolean]>([
    ['local', 'small', true],
    ['local', BEYOND, false],
    ['none', 'small', false],
  ])('over a namespace of `%s` asks %s: %s, and says so', async (models, configured, isAsked) => {
    await start(configured);
    await daemon.call(importMemories, { body: { items: MEMORIES } });
    fake.behave(() => said('{"findings": []}'));
    await keep(models);
    const job = await dream(daemon.call, { namespace: 'home', strategies: ['connect', 'sleep'] });
    const [connect, sleep] = job.strategies;
    expect(job.status).toBe('complete');
    expect(fake.asked.length > 0).toBe(isAsked);
    expect(
      connect?.note?.startsWith(
        'by structure alone, for no model was asked: the namespace "home" is kept from',
      ),
    ).toBe(!isAsked);
    // No model judges what this one makes.
    expect(sleep?.note ?? '').not.toContain('kept from');
  });
});

describe('vectors that a server makes', () => {
  const embedding = (name: string) => ({
    REVERIE_EMBEDDING_BASE_URL: fake.baseUrl,
    REVERIE_EMBEDDING_MODEL: name,
  });
  /** Texts of which the server was asked for vectors. */
  const sent = () => fake.asked.flatMap(({ body }) => (body['input'] as string[] | undefined) ?? []);
  async function settled(): Promise<void> {
    while ((await daemon.call(health, {})).indexing.pending > 0) {
      daemon.clock.advance(1000);
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
  const found = async (query: string, namespace = 'diary') =>
    (await daemon.call(searchMemories, { body: { query, namespace, limit: 1 } })).results.map(
      ({ key }) => key,
    );

  test.each<[NamespaceModels, string]>([
    ['local', 'letters-cloud'],
    ['none', 'letters'],
  ])('are not made of a namespace of `%s` by %s: words find it', async (models, name) => {
    fake.behave(embeds());
    await start('small', embedding(name));
    await settled();
    await keep(models, 'diary');
    await daemon.call(setMemory, { body: { key: 'fruit', value: 'pear apple', namespace: 'diary' } });
    await daemon.call(setMemory, { body: { key: 'drink', value: 'oooo uuuu', namespace: 'open' } });
    await settled();
    expect(await found('pear')).toEqual(['fruit']);
    // Neither is the query, which is of no use to anything there.
    expect(sent().join(' ')).not.toMatch(/pear/u);
    expect(sent()).toContain('oooo uuuu');
    expect((await daemon.call(status, {})).embedder).toMatchObject({ embedded: 2, total: 2, state: 'ok' });
    await daemon.restart();
    await settled();
    expect(sent().join(' ')).not.toMatch(/pear/u);
    // Put into a namespace that may be seen, or where it may be seen itself, it gets its vector.
    await keep('any', 'diary');
    while (!sent().includes('pear apple')) await settled();
    await settled();
    expect(await found('appel arep')).toEqual(['fruit']);
  });

  test('are made once a memory is moved to where its model may see it', async () => {
    fake.behave(embeds());
    await start('small', embedding('letters'));
    await keep('none', 'diary');
    await daemon.call(setMemory, { body: { key: 'fruit', value: 'pear apple', namespace: 'diary' } });
    await settled();
    await daemon.call(renameMemory, {
      body: { key: 'fruit', namespace: 'diary', to: { key: 'fruit', namespace: 'open' } },
    });
    while (!sent().includes('pear apple')) await settled();
    await settled();
    expect(await found('appel arep', 'open')).toEqual(['fruit']);
  });

  test('stop at once where a namespace is kept from them while its texts are sent', async () => {
    fake.behave(embeds());
    await start('small', { ...embedding('letters'), REVERIE_EMBEDDING_BATCH: '1' });
    await settled();
    const hangs = Promise.withResolvers<void>();
    fake.behave((asked) => {
      if (JSON.stringify(asked.body).includes('page one')) hangs.resolve();
      return 'never';
    });
    const items = ['one', 'two', 'three'].map((n) => ({ key: n, value: `page ${n}`, namespace: 'diary' }));
    await daemon.call(importMemories, { body: { items } });
    await hangs.promise;
    await keep('none', 'diary');
    fake.behave(embeds());
    await settled();
    expect(sent().filter((text) => text.startsWith('page'))).toEqual(['page one']);
  });
});
