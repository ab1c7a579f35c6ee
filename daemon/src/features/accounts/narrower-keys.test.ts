import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { EVERY_NAMESPACE } from '@reverie/shared/contract/fields';
import { currentKey } from '@reverie/shared/contract/accounts/keys';
import type { Ability, Route } from '@reverie/shared/contract/route';
import { routes } from '@reverie/shared/contract/routes';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import { seconds } from '@reverie/shared/testing/patience';
import { type RawResponse, type RawRequest, startTestDaemon, type TestDaemon } from '../../testing.ts';
import { type Attempt, requestsOf, type Values } from './testing/requests.ts';
import { tablesOfAccounts } from './wipe.store.ts';

/** Words that only namespaces say which the narrower keys do not have, by what says them. */
const SECRETS = {
  value: 'sycamore',
  tag: 'magnolia',
  key: 'juniper',
  namespace: 'tamarisk',
  trash: 'hawthorn',
  version: 'buckthorn',
  message: 'rosewood',
  task: 'mahogany',
  conflict: 'rosemary',
  channel: 'bergamot',
  moved: 'marjoram',
  webhook: 'valerian',
  imported: 'lavender',
  attachment: 'oleander',
};
const WORDS = Object.values(SECRETS);
const PATTERNS = ['mine/*', 'our * notes'];
/** Namespaces that they do not have, with something in each; one looks nearly like one that they have, and one is never named. */
const FOREIGN = ['theirs', 'default', 'mine', 'not mine/a'];
const EMPTY = 'nothing is here';

let daemon: TestDaemon;
let keys: { read: string; write: string };
let ids: Record<string, string>;
let before: string;

const owner = async (path: string, body?: unknown, more: Partial<RawRequest> = {}): Promise<RawResponse> => {
  const answer = await daemon.ask({ path: `/v1${path}`, ...(body !== undefined && { body }), ...more });
  if (answer.status >= 300) throw new Error(`${path} answered ${answer.status}: ${answer.text}`);
  return answer;
};

let made = 0;
const makeKey = async (narrower: { scope?: string; namespaces?: string[]; can?: Ability[] }) =>
  String((await owner('/keys', { name: `narrower ${(made += 1)}`, ...narrower })).json['key']);

/** The SHA-256 of a picture that is nobody else's. */
const HASH = 'ab'.repeat(32);

/** Puts a picture into a namespace, with its row. */
function furnishPicture(namespace: string): void {
  const { attachment } = SECRETS;
  fs.mkdirSync(daemon.home.attachments, { recursive: true });
  fs.writeFileSync(path.join(daemon.home.attachments, HASH), `<svg>${attachment}</svg>`);
  daemon.withStore((store) =>
    store.write((db) =>
      db
        .prepare<[string, string, string, string]>(
          `INSERT INTO attachments (account, namespace, path, name, hash, size, type, source, stamp)
           SELECT id, ?, ?, ?, ?, 19, 'image/svg+xml', '/', '' FROM accounts WHERE kind = 'machine'`,
        )
        .run(namespace, `${attachment}.svg`, `${attachment}.svg`, HASH),
    ),
  );
}

/** Puts one of everything into a namespace that is not theirs. */
async function furnish(namespace: string): Promise<void> {
  furnishPicture(namespace);
  const { value, tag, key, trash, version, message, imported } = SECRETS;
  const set = (name: string, text: string) =>
    owner('/memory-set', { key: name, namespace, value: text, metadata: { tags: [tag], session: 'walk' } });
  for (const text of [`The treasure lies under the ${version}.`, `The treasure lies under the ${value}.`])
    for (const name of ['secret', 'other secret', key]) await set(name, text);
  await set('thrown away', `The treasure was under the ${trash}.`);
  await owner('/memory/trash', { items: [{ key: 'thrown away', namespace }] });
  await owner(`/inbox/${encodeURIComponent(namespace)}`, {
    from: message,
    kind: message,
    payload: { message },
  });
  await owner('/import', { items: [{ key: 'imported', namespace, value: imported }] });
}

/** A stream, and what it was told until now. */
async function listen(query: string, key: string) {
  const socket = new WebSocket(`ws://${daemon.host}/v1/stream${query}`, {
    headers: { Authorization: `Bearer ${key}` },
  });
  const told: string[] = [];
  socket.on('message', (data: Buffer) => told.push(data.toString('utf8')));
  await once(socket, 'open');
  return { socket, told };
}

/** What is found by ids. */
async function furnishIds(): Promise<Record<string, string>> {
  const namespace = 'theirs';
  const hook = await owner('/webhooks/register', {
    url: 'https://webhooks.invalid/',
    events: ['dream.*'],
    secret: 'a secret of theirs',
    description: SECRETS.webhook,
  });
  const job = await owner('/memory/dream/start', { namespace, task: SECRETS.task });
  const dream = String(job.json['id']);
  const insight = await vi.waitFor(
    async () => {
      const { status } = (await owner(`/memory/dream/status/${dream}`)).json;
      if (status !== 'complete') throw new Error(`the dream is ${String(status)}`);
      const { insights } = (await owner('/memory/dream/insights')).json as { insights: { id: string }[] };
      return insights[0]?.id;
    },
    { timeout: seconds(60), interval: 100 },
  );
  const inbox = (await owner(`/inbox/${namespace}`)).json['messages'] as { id: string }[];
  daemon.withStore((store) =>
    store.write((db) =>
      db
        .prepare<[string, string]>(
          `INSERT INTO sync_conflicts (id, account, namespace, key, value, metadata, device, incarnation, hlc, reason, written_at, found_at)
           SELECT 'conflict', id, ?, 'secret', ?, '{}', 'd', 'i', 1, 'lost', 1, 1 FROM accounts WHERE kind = 'machine'`,
        )
        .run(namespace, SECRETS.conflict),
    ),
  );
  const { socket, told } = await listen('?topics=memory', daemon.ownerKey);
  const { channel } = SECRETS;
  socket.send(JSON.stringify({ type: 'publish', channel, namespace, payload: { channel } }));
  await vi.waitFor(async () => expect((await owner('/events?family=channel')).text).toContain(channel));
  socket.terminate();
  expect(told).toEqual([]);
  return {
    webhook: String(hook.json['id']),
    dream,
    insight: String(insight),
    message: String(inbox[0]?.id),
    conflict: 'conflict',
    account: String((await owner('/keys/current')).json['account']),
    key: String((await owner('/keys/current')).json['id']),
  };
}

/** All rows of the machine's account, but for what every request counts. */
function rows(): string {
  const counts = ['usage', 'account_months', 'api_keys'];
  return daemon.withStore((store) =>
    store.read((db) =>
      JSON.stringify(
        tablesOfAccounts(db)
          .filter((name) => !counts.includes(name))
          .map((name) => [
            name,
            db
              .prepare(
                `SELECT * FROM "${name}" WHERE account = (SELECT id FROM accounts WHERE kind = 'machine')`,
              )
              .all(),
          ]),
      ),
    ),
  );
}

async function settled(): Promise<void> {
  await vi.waitFor(
    async () => {
      const { indexing } = (await owner('/healthz')).json as { indexing: Record<string, number> };
      expect(Object.values(indexing)).toEqual([0, 0]);
      // Nobody answers there; until that is known of each, its row changes.
      const { deliveries } = (await owner('/webhooks/deliveries?limit=1000')).json as {
        deliveries: { attempts: number }[];
      };
      expect(deliveries.filter(({ attempts }) => attempts === 0)).toEqual([]);
    },
    { timeout: seconds(60), interval: 100 },
  );
}

beforeAll(async () => {
  daemon = await startTestDaemon();
  for (const namespace of [...FOREIGN, SECRETS.namespace]) await furnish(namespace);
  for (const namespace of ['mine/a', 'our own notes'])
    for (const key of ['walnut', 'chestnut'])
      await owner('/memory-set', {
        key,
        namespace,
        value: `The ${key} stands here.`,
        metadata: { session: 'walk' },
      });
  // A memory that left a namespace of theirs, and one that came from there.
  await owner('/memory-set', { key: 'goes', namespace: 'mine/a', value: 'It goes.' });
  await owner('/memory/rename', {
    key: 'goes',
    namespace: 'mine/a',
    to: { key: SECRETS.moved, namespace: 'theirs' },
  });
  await owner('/memory-set', { key: `${SECRETS.moved} 2`, namespace: 'theirs', value: 'It comes.' });
  await owner('/memory/rename', {
    key: `${SECRETS.moved} 2`,
    namespace: 'theirs',
    to: { key: 'came', namespace: 'mine/a' },
  });
  ids = await furnishIds();
  keys = {
    read: await makeKey({ scope: 'read', namespaces: PATTERNS }),
    write: await makeKey({ scope: 'write', namespaces: PATTERNS }),
  };
  await settled();
  before = rows();
}, seconds(180));
afterAll(() => daemon.stop());

// Told in order: all requests are made before it is looked at what they changed.
describe('narrower keys', { shuffle: false }, () => {
  test('every secret is there, and the owner reads it', async () => {
    for (const path of [`/memory/dream/insights/${ids['insight']}`, `/memory/dream/status/${ids['dream']}`])
      expect((await owner(path)).json).toMatchObject({ namespace: 'theirs' });
    expect(wordsIn(before)).toEqual(WORDS);
    expect((await owner('/memory-search?q=*')).text).toContain(SECRETS.value);
  });

  /** All that a key may try of a route about a namespace. */
  function attempts(route: Route, namespace: string | undefined): Attempt[] {
    const asking = ['treasure', 'Where does the treasure lie?'];
    const values: Values = {
      namespace: [namespace],
      key: ['secret', 'thrown away'],
      id: [...Object.values(ids), 'not-there'],
      hash: [HASH, 'cd'.repeat(32)],
      query: [
        ...asking,
        '"treasure"',
        ...(namespace === EVERY_NAMESPACE ? ['in:theirs', 'in:theirs lies'] : []),
      ],
      question: asking,
      task: asking.slice(0, 1),
      q: ['*', ...asking],
      subject: ['treasure'],
      day: ['2026-09-14'],
      since: [undefined, 0],
      limit: [undefined],
      include: [['merged', 'archived', 'superseded']],
    };
    return requestsOf(route, values);
  }

  const wordsIn = (text: string) => WORDS.filter((word) => text.includes(word));

  /** A reply without what two of them may differ in: the name that was asked about, and what is counted anew for each. */
  function shapeOf({ status, text }: RawResponse, namespace: string): unknown {
    const named = text
      .replaceAll(`\\"${namespace}\\"`, '\\"N\\"')
      .replaceAll(`"${namespace}"`, '"N"')
      .replaceAll(`"/v1/inbox/${encodeURIComponent(namespace)}`, '"/v1/inbox/N')
      .replaceAll(`namespace=${new URLSearchParams({ n: namespace }).toString().slice(2)}`, 'namespace=N')
      .replaceAll(`“${namespace}”`, '“N”')
      .replaceAll(` in ${namespace}"`, ' in N"')
      .replaceAll(/"(ms|latency_ms)":[\d.]+/g, '')
      .replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '');
    return [status, named];
  }

  describe('a key that has some namespaces only', () => {
    let tried = 0;
    const understood = new Map<string, Set<number>>();

    test.each(routes.map((route) => [route.id, route] as const))(
      '%s tells it nothing of others, and answers what is there as what is not',
      async (id, route) => {
        const statuses = understood.get(id) ?? new Set();
        understood.set(id, statuses);
        // What only changes is refused to a reading key before anything else.
        for (const key of route.scope === 'read' ? [keys.write, keys.read] : [keys.write]) {
          const replyTo = async (one: Attempt): Promise<RawResponse> => {
            const answer = await daemon.ask({ ...one, key });
            tried += 1;
            statuses.add(answer.status);
            expect([one, wordsIn(answer.text)]).toEqual([one, []]);
            return answer;
          };
          for (const namespace of [undefined, EVERY_NAMESPACE])
            for (const one of attempts(route, namespace)) await replyTo(one);
          const nothing: unknown[] = [];
          for (const one of attempts(route, EMPTY)) nothing.push(shapeOf(await replyTo(one), EMPTY));
          for (const namespace of FOREIGN)
            for (const [at, one] of attempts(route, namespace).entries()) {
              const shape = shapeOf(await replyTo(one), namespace);
              if (!isOfEverything(route)) expect([one, shape]).toEqual([one, nothing[at]]);
            }
        }
      },
      seconds(120),
    );

    test('that were 1,383 requests at least, of every operation of the OpenAPI document, and each was understood', async () => {
      const { paths } = (await owner('/openapi.json')).json as {
        paths: Record<string, Record<string, { operationId: string }>>;
      };
      const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
      expect(operations.map(({ operationId }) => operationId).filter((id) => !understood.has(id))).toEqual(
        [],
      );
      expect(tried).toBeGreaterThanOrEqual(1383);
      // What is public takes what only a mail, a ticket or a home says.
      const publicOnes = routes.filter(({ scope }) => scope === 'public').map(({ id }) => id);
      const refusedAlways = [...understood].filter(([, statuses]) =>
        [...statuses].every((status) => status === 400),
      );
      expect(refusedAlways.map(([id]) => id).filter((id) => !publicOnes.includes(id))).toEqual([]);
    });

    test.each(['dream', 'insight', 'message'])('the id of a %s is as one that nothing has', async (what) => {
      const path = (id: string) =>
        ({
          dream: [`/memory/dream/status/${id}`, `/memory/dream/${id}/cancel`],
          insight: ['', '/accept', '/reject', '/undo', '/snooze'].map(
            (end) => `/memory/dream/insights/${id}${end}`,
          ),
          message: [`/inbox/theirs/${id}/ack`],
        })[what] ?? [];
      const answers = async (id: string) => {
        const all: unknown[] = [];
        for (const [at, one] of path(id).entries()) {
          const isRead = one.includes('/status/') || (what === 'insight' && at === 0);
          const answer = await daemon.ask({
            path: `/v1${one}`,
            key: keys.write,
            method: isRead ? 'GET' : 'POST',
            ...(one.endsWith('/snooze') && { body: { until: null } }),
          });
          all.push(shapeOf({ ...answer, text: answer.text.replaceAll(id, 'ID') }, 'theirs'));
        }
        return all;
      };
      const there = await answers(ids[what] ?? '');
      expect(there).toEqual(await answers('not-there'));
      expect(there).toEqual(there.map(() => [404, expect.any(String) as unknown]));
    });

    test('and nothing is changed by them', async () => {
      await settled();
      expect(rows()).toBe(before);
    });
  });

  /** Whether a route answers about the daemon, whose numbers and times go on by themselves. */
  function isOfEverything({ id }: Route): boolean {
    return ['keys_current', 'usage', 'status', 'healthz', 'metrics'].includes(id);
  }

  describe('what it may read without a name', () => {
    const of = async (path: string, name: string) =>
      ((await daemon.ask({ path: `/v1${path}`, key: keys.read })).json[name] as { namespace: string }[]).map(
        ({ namespace }) => namespace,
      );

    test('is that of its own namespaces, all of it', async () => {
      expect(await of('/namespaces', 'namespaces')).toEqual(['mine/a', 'our own notes']);
      expect((await of('/memory-search?q=*', 'memories')).sort()).toEqual([
        ...['mine/a', 'mine/a', 'mine/a'],
        ...['our own notes', 'our own notes'],
      ]);
      expect(await of('/memory-search?q=*&limit=2', 'memories')).toHaveLength(2);
      expect(new Set(await of('/events', 'events'))).toEqual(new Set(['mine/a', 'our own notes']));
      const { memories, namespaces, embedder } = (await daemon.ask({ path: '/v1/status', key: keys.read }))
        .json;
      expect([memories, namespaces, embedder]).toEqual([
        5,
        2,
        expect.objectContaining({ embedded: 5, total: 5 }),
      ]);
    });

    test('is what it finds in every namespace, and nothing that stands elsewhere is named', async () => {
      const ask = async (path: string, body: object) =>
        (await daemon.ask({ path: `/v1${path}`, key: keys.read, body })).json as Found;
      interface Found {
        total?: number;
        results?: { namespace: string; key: string }[];
        memories?: { namespace: string; key: string }[];
        citations?: { namespace: string }[];
        elsewhere?: { namespace: string }[];
        understood?: { corrected?: unknown };
      }
      const every = { namespace: EVERY_NAMESPACE };
      for (const path of ['/memory-search', '/memory/search']) {
        const { results } = await ask(path, { ...every, query: 'walnut' });
        expect(
          results
            ?.slice(0, 2)
            .map(({ namespace, key }) => `${namespace} ${key}`)
            .sort(),
        ).toEqual(['mine/a walnut', 'our own notes walnut']);
        // They say it all alike.
        expect((await ask(path, { ...every, query: 'where does the treasure lie' })).results?.length).toBe(5);
      }
      expect(await of('/memory-search?q=walnut&namespace=*', 'memories')).toHaveLength(5);
      expect(await of('/memory-search?q=*&namespace=*', 'memories')).toHaveLength(5);
      const { total, memories } = await ask('/memory-list', every);
      expect([total, memories?.length]).toEqual([5, 5]);
      expect(await of('/memory/list?namespace=*', 'memories')).toHaveLength(5);
      expect((await ask('/memory-search', { ...every, query: 'in:theirs treasure' })).results).toEqual([]);
      expect(await ask('/memory-list', { ...every, query: 'in:theirs' })).toMatchObject({ total: 0 });
      const asked = await ask('/memory/ask', { ...every, question: 'Where does the walnut stand?' });
      expect(asked.citations?.map(({ namespace }) => namespace)).toEqual(
        expect.arrayContaining([expect.stringMatching(/^mine\/a$|^our own notes$/u)]),
      );
      const question = 'Where does the treasure lie?';
      expect(await ask('/memory/ask', { ...every, question })).toMatchObject({ found: false, citations: [] });
      // What is elsewhere: of its own namespaces it is told, of others it is not.
      const there = { namespace: 'mine/b', query: 'where does the chestnut stand', explain: true };
      const { elsewhere } = await ask('/memory-search', there);
      expect(elsewhere?.map(({ namespace }) => namespace).sort()).toEqual(['mine/a', 'our own notes']);
      const others = await ask('/memory-search', { ...there, query: 'the treasure lies under the sycamore' });
      expect([others.results, others.elsewhere]).toEqual([[], undefined]);
      const nothing = await ask('/memory/ask', { namespace: 'mine/b', question });
      expect(nothing.elsewhere).toBeUndefined();
      // A misspelt word is read as one that it may see.
      const misspelt = async (query: string) =>
        (await ask('/memory-search', { ...every, query, explain: true })).understood?.corrected;
      expect(await misspelt('sycamoree')).toBeUndefined();
    });

    test('a memory that came, or went, is told without the name that it has elsewhere', async () => {
      const { events } = (await daemon.ask({ path: '/v1/events?namespace=mine/a', key: keys.read })).json as {
        events: { type: string; data: Record<'before' | 'after', { key?: string } | null> }[];
      };
      const moves = events.filter(({ type }) => type === 'memory.update').map(({ data }) => data);
      expect(moves).toEqual([
        { before: expect.objectContaining({ key: 'goes' }) as unknown, after: null },
        { before: null, after: expect.objectContaining({ key: 'came' }) as unknown },
      ]);
    });
  });

  describe('the stream', () => {
    test('tells of its own namespaces, live and from the log, and of no other', async () => {
      const queries = ['', '?since=0', '?topics=memory,channel,dream,insight&since=0', '?namespace=mine/a'];
      const all = await Promise.all(
        [keys.read, keys.write].flatMap((key) => queries.map((query) => listen(query, key))),
      );
      const elsewhere = await Promise.all(
        FOREIGN.map((namespace) => listen(`?since=0&namespace=${encodeURIComponent(namespace)}`, keys.read)),
      );
      for (const namespace of FOREIGN) {
        await owner('/memory-set', { key: 'streamed', namespace, value: SECRETS.value });
        await owner('/memory-delete', { key: 'streamed', namespace });
      }
      await owner('/memory/rename', {
        key: 'came',
        namespace: 'mine/a',
        to: { key: SECRETS.moved, namespace: 'not mine/a' },
      });
      await owner('/memory-set', { key: 'last', namespace: 'mine/a', value: 'It has come this far.' });
      for (const { told } of all) await expect.poll(() => told.join()).toContain('It has come this far.');
      for (const { told } of all) {
        expect(told.join()).toContain('"key":"came"');
        expect(wordsIn(told.join())).toEqual([]);
      }
      for (const { told } of elsewhere) expect(told).toEqual([]);
      for (const { socket } of [...all, ...elsewhere]) socket.terminate();
    });

    test('takes from it what is for its own namespaces only', async () => {
      const { socket, told } = await listen('?topics=channel', keys.write);
      const publish = (namespace: string) =>
        socket.send(JSON.stringify({ type: 'publish', channel: 'build', namespace, payload: { namespace } }));
      for (const namespace of FOREIGN) publish(namespace);
      publish('mine/a');
      await expect.poll(() => told.join()).toContain('"type":"channel.publish"');
      expect(told.filter((one) => one.includes('"forbidden_scope"'))).toHaveLength(FOREIGN.length);
      const { events } = (await owner('/events?type=channel.publish')).json as {
        events: { namespace: string }[];
      };
      // The first one is the owner's.
      expect(events.map(({ namespace }) => namespace)).toEqual(['theirs', 'mine/a']);
      // Following channels of `default` would be told there.
      expect((await owner('/events?type=channel.subscribe')).json['events']).toEqual([]);
      socket.terminate();
    });
  });

  describe('in its own namespaces', () => {
    const at = (key: string) => ({ key, namespace: 'mine/new' });
    const ask = (path: string, body?: unknown) =>
      daemon.ask({ path: `/v1${path}`, key: keys.write, ...(body !== undefined && { body }) });

    test('it works as a wide one does', async () => {
      for (const [path, body] of [
        ['/memory-set', { ...at('one'), value: 'The harbour opens at six.' }],
        ['/memory-set', { ...at('one'), value: 'The harbour opens at seven.' }],
        ['/memory/store-batch', { items: [{ ...at('two'), value: 'The bakery opens at eight.' }] }],
        ['/memory-get', at('one')],
        ['/memory/history/restore', { ...at('one'), version: 1 }],
        ['/memory/tags', { items: [at('one')], add: ['sea'] }],
        ['/memory/rename', { ...at('one'), to: { key: 'one', namespace: 'mine/newer' } }],
        ['/memory/rename', { key: 'one', namespace: 'mine/newer', to: at('one') }],
        ['/memory/trash', { items: [at('two')] }],
        ['/memory/trash/restore', { items: [at('two')] }],
        ['/memory-delete', at('two')],
      ] as const)
        expect([path, (await ask(path, body)).status]).toEqual([path, 200]);
      const found = await ask('/memory-search', { query: 'harbour', namespace: 'mine/new' });
      expect(found.text).toContain('The harbour opens at six.');
      const answer = await ask('/memory/ask', {
        question: 'When does the harbour open?',
        namespace: 'mine/new',
      });
      expect(answer.json).toMatchObject({ found: true });
      const dream = await ask('/memory/dream/start', { namespace: 'mine/new' });
      expect(dream.status).toBe(202);
      expect((await ask(`/memory/dream/status/${String(dream.json['id'])}`)).status).toBe(200);
      const { jobs } = (await ask('/memory/dream/jobs')).json as { jobs: { namespace: string }[] };
      expect(jobs.map(({ namespace }) => namespace)).toEqual(['mine/new']);
      await ask('/memory/trash', { items: [at('one')] });
      expect((await ask('/memory/trash')).json).toMatchObject({ total: 1, memories: [at('one')] });
      await ask('/memory/trash/restore', { items: [at('one')] });
      expect((await ask('/memory/clear', { namespace: 'mine/new' })).json).toMatchObject({ deleted: 1 });
    });

    test('it neither puts anything elsewhere nor takes anything from there', async () => {
      await ask('/memory-set', { ...at('here'), value: 'v' });
      const to = { key: 'here', namespace: 'theirs' };
      for (const body of [
        { ...at('here'), to },
        { ...to, key: 'secret', to: at('stolen') },
      ])
        expect([403, 404]).toContain((await ask('/memory/rename', body)).status);
      const both = await ask('/memory/tags', {
        items: [at('here'), { key: 'secret', namespace: 'theirs' }],
        add: ['x'],
      });
      expect([both.status, both.json.detail]).toEqual([
        404,
        'There is no memory "secret" in the namespace "theirs"',
      ]);
      const batch = await ask('/memory/store-batch', { items: [{ ...at('a'), value: 'v' }, { value: 'v' }] });
      expect([batch.status, batch.json.code]).toEqual([403, 'forbidden_scope']);
      expect((await ask('/memory-get', at('a'))).status).toBe(404);
      expect((await ask('/memory-get', at('here'))).json).toMatchObject({ metadata: {} });
    });

    test('an Idempotency-Key of another key neither answers nor refuses it', async () => {
      const headers = { 'Idempotency-Key': 'once' };
      const theirs = { key: 'first', namespace: 'theirs', value: 'v' };
      await owner('/memory-set', theirs, { headers });
      const again = (body: object) => daemon.ask({ path: '/v1/memory-set', key: keys.write, headers, body });
      expect((await again(theirs)).status).toBe(403);
      const own = await again({ ...at('own'), value: 'v' });
      expect([own.status, own.json]).toEqual([200, { success: true, key: 'own', findable: true }]);
      expect((await again({ ...at('other'), value: 'v' })).status).toBe(409);
    });
  });

  describe('a key that may not do all that its scope may', () => {
    const all: readonly Ability[] = ['read', 'set', 'delete', 'clear'];

    test.each(all)(
      'and may only %s is refused every route that needs more, before its body is read',
      async (ability) => {
        const key = await makeKey({ can: [ability] });
        for (const route of routes) {
          const { reach } = route;
          if (!reach || reach === 'nothing') continue;
          const missing = reach.can.filter((one) => one !== ability);
          const path = `/v1${route.path.replaceAll(/\{\w+\}/g, 'x')}`;
          const { status, json } = await daemon.ask({
            method: route.method,
            path,
            key,
            ...(route.body && { body: '{' }),
            headers: { 'Content-Type': 'application/json' },
          });
          const isRefused = status === 403 && (json.detail ?? '').startsWith('This needs a key that may');
          expect([route.id, isRefused]).toEqual([route.id, missing.length > 0]);
        }
      },
    );

    test('cannot clear by other ways', async () => {
      const key = await makeKey({ can: ['read', 'set'] });
      const later = new Date(daemon.clock.now() + 1000).toISOString();
      const memory = { key: 'kept', namespace: 'kept', value: 'It stays.' };
      await owner('/memory-set', memory);
      const ask = (path: string, body: unknown) => daemon.ask({ path: `/v1${path}`, key, body });
      for (const [path, body] of [
        ['/memory-set', { ...memory, expires_at: later }],
        ['/memory', { ...memory, expires_at: later }],
        ['/memory/store-batch', { items: [{ ...memory, expires_at: later }] }],
        ['/memory-delete', { key: 'kept', namespace: 'kept' }],
        ['/memory/trash', { items: [{ key: 'kept', namespace: 'kept' }] }],
        ['/memory/clear', { namespace: 'kept' }],
        ['/memory/trash/empty', {}],
      ] as const)
        expect([path, (await ask(path, body)).status]).toEqual([path, 403]);
      daemon.clock.advance(2000);
      expect((await ask('/memory-get', { key: 'kept', namespace: 'kept' })).json).toMatchObject({
        value: 'It stays.',
      });
      expect((await ask('/memory-set', memory)).status).toBe(200);
    });
  });

  describe('making one', () => {
    test.each([
      [{ scope: 'owner', namespaces: ['a'] }, ['namespaces']],
      [{ scope: 'owner', can: ['read'] }, ['can']],
      [{ scope: 'read', can: ['read', 'set'] }, ['can']],
      [{ can: [] }, ['can']],
      [{ can: ['write'] }, ['can.0']],
      [{ namespaces: [] }, ['namespaces']],
      [{ namespaces: ['a\u0000*'] }, ['namespaces.0']],
      [{ namespaces: [''] }, ['namespaces.0']],
      [{ namespaces: 'a' }, ['namespaces']],
      [{ namespaces: ['x'.repeat(129)] }, ['namespaces.0']],
      [{ namespaces: Array.from({ length: 65 }, (_, at) => `n${at}`) }, ['namespaces']],
    ])('%j is refused', async (given, paths) => {
      const { status, json } = await daemon.ask({ path: '/v1/keys', body: { name: 'wrong', ...given } });
      expect([status, json.errors?.map(({ path }) => path)]).toEqual([400, paths]);
    });

    test('is shown wherever keys are, and a replaced key stays as narrow', async () => {
      const narrower = { namespaces: ['project/*', 'a'], can: ['read', 'set'] };
      const { json } = await owner('/keys', { name: 'shown', ...narrower });
      expect(json).toMatchObject(narrower);
      const { keys: listed } = (await owner('/keys')).json as { keys: { id: string; name: string }[] };
      expect(listed.find(({ id }) => id === json['id'])).toMatchObject(narrower);
      expect(listed.find(({ name }) => name === 'api-key')).toMatchObject({
        namespaces: ['*'],
        can: ['read', 'set', 'delete', 'clear'],
      });
      const next = await owner(`/keys/${String(json['id'])}/rotate`, {});
      expect(await daemon.as(String(next.json['key']))(currentKey, {})).toMatchObject(narrower);
    });

    test('with all that there is makes a key that is not narrower', async () => {
      const { json } = await owner('/keys', {
        name: 'all',
        namespaces: ['a', '*'],
        can: ['clear', 'set', 'read', 'delete'],
      });
      expect(json).toMatchObject({ namespaces: ['*'], can: ['read', 'set', 'delete', 'clear'] });
      expect((await daemon.ask({ path: '/v1/sync/status', key: String(json['key']) })).status).toBe(200);
    });
  });
});
