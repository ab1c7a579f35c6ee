import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { Route, Scope } from '@reverie/shared/contract/route';
import { routes } from '@reverie/shared/contract/routes';
import { health } from '@reverie/shared/contract/system/system';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import { seconds } from '@reverie/shared/testing/patience';
import type { RawResponse, TestDaemon } from '../../testing.ts';
import { confirmAt, signUp, startBehindProxy } from '../../testing/sign-up.ts';
import { tablesOfAccounts } from './wipe.store.ts';

/** Words that only the first account ever said; whoever reads one of them looked into it. */
const SECRETS = ['sycamore', 'magnolia', 'juniper', 'tamarisk', 'hawthorn', 'buckthorn', 'rowan'];
const namespace = 'private';

/** What belongs to the first account, by what the others may guess of it. */
interface Theirs {
  account: string;
  key: string;
  webhook: string;
  delivery: string;
  message: string;
  recall: string;
  session: string;
  job: string;
  insight: string;
  mail: string;
}

interface Case {
  params?: (theirs: Theirs) => Record<string, string>;
  query?: string;
  body?: (theirs: Theirs) => unknown;
  /** What a foreign owner key is answered: not there, not allowed, its own, which is empty, that it is no session, or that it asks wrongly. */
  answers: 'not there' | 'forbidden' | 'its own' | 'no session' | 'invalid';
}

const at = { key: 'secret', namespace };
/** Keys that were asked for. */
let made = 0;

const own = (body?: unknown, query?: string): Case => ({
  answers: 'its own',
  ...(body !== undefined && { body: () => body }),
  ...(query !== undefined && { query }),
});
const absent = (name: keyof Theirs, body?: unknown): Case => ({
  answers: 'not there',
  params: (theirs) => ({ id: theirs[name] }),
  ...(body !== undefined && { body: () => body }),
});
const forbidden = (name?: keyof Theirs, body?: unknown): Case => ({
  answers: 'forbidden',
  ...(name && { params: (theirs: Theirs) => ({ id: theirs[name] }) }),
  ...(body !== undefined && { body: () => body }),
});

/** One for every route that needs a key: a new route without one fails the test below. */
const cases: Record<string, Case> = {
  memory_set: own({ ...at, value: 'mine' }),
  memory_set_short: own({ ...at, value: 'mine again' }),
  memory_store_batch: own({ items: [{ ...at, value: 'mine in a batch' }] }),
  memory_get: { answers: 'not there', body: () => ({ ...at, key: 'other secret' }) },
  memory_search: own({ query: 'sycamore', namespace }),
  memory_search_short: own({ query: 'where does the treasure lie', namespace }),
  memory_search_get: own(undefined, `?q=*`),
  memory_ask: own({ question: 'Where does the treasure lie?', namespace }),
  memory_list: own({ namespace }),
  memory_keys: own(undefined, `?namespace=${namespace}`),
  memory_grep: own(undefined, `?pattern=sycamore&namespace=${namespace}`),
  memory_list_short: own(undefined, `?namespace=${namespace}`),
  namespaces: own(),
  today: own(),
  memory_delete: { answers: 'not there', body: () => ({ ...at, key: 'other secret' }) },
  memory_clear: own({ namespace }),
  memory_trash: { answers: 'not there', body: () => ({ items: [{ ...at, key: 'other secret' }] }) },
  memory_trash_list: own(),
  memory_trash_restore: { answers: 'not there', body: () => ({ items: [{ ...at, key: 'thrown away' }] }) },
  memory_trash_empty: own({}),
  memory_rename: { answers: 'not there', body: () => ({ ...at, key: 'other secret', to: { key: 'mine' } }) },
  memory_tags: {
    answers: 'not there',
    body: () => ({ items: [{ ...at, key: 'other secret' }], add: ['mine'] }),
  },
  memory_property: {
    answers: 'not there',
    body: () => ({ ...at, key: 'other secret', name: 'status', value: 'mine' }),
  },
  import: own({ items: [{ ...at, value: 'mine, imported' }] }),
  import_sources: own(undefined, '?root=other'),
  import_prune: own({ sources: ['other/secret.md'] }),
  memory_history: { answers: 'not there', query: `?key=other%20secret&namespace=${namespace}` },
  memory_history_restore: { answers: 'not there', body: () => ({ ...at, key: 'other secret', version: 1 }) },
  memory_graph: own(undefined, `?namespace=${namespace}`),
  memory_links: { answers: 'not there', query: `?key=other%20secret&namespace=${namespace}` },
  memory_daily: own(undefined, `?day=2026-09-14&namespace=${namespace}`),
  memory_attachments: { answers: 'not there', query: `?key=other%20secret&namespace=${namespace}` },
  attachments_list: own(undefined, `?namespace=${namespace}`),
  attachments_get: {
    answers: 'not there',
    params: () => ({ hash: 'a'.repeat(64) }),
    query: `?namespace=${namespace}`,
  },
  knowledge_facts: own(undefined, `?namespace=${namespace}`),
  dream_start: own({ namespace }),
  dream_status: absent('job'),
  dream_jobs: own(),
  dream_cancel: absent('job'),
  dream_insights: own(),
  dream_insight: absent('insight'),
  dream_insight_accept: absent('insight', {}),
  dream_insight_reject: absent('insight', {}),
  dream_insight_undo: absent('insight', {}),
  dream_insight_snooze: absent('insight', { until: null }),
  dream_insights_accept: { ...own(), body: ({ insight }) => ({ ids: [insight] }) },
  dream_insights_reject: { ...own(), body: ({ insight }) => ({ ids: [insight] }) },
  insight_propose: own({ namespace, findings: [] }),
  dream_sheet: own(undefined, `?namespace=${namespace}`),
  dream_health: own(),
  folders_attachments: forbidden(undefined, { path: '/tmp', namespace }),
  dream_hold: forbidden(undefined, { seconds: 60, why: 'mine' }),
  events: own(undefined, '?since=0'),
  // A name that leads nowhere.
  webhooks_register: {
    answers: 'invalid',
    body: () => ({ url: 'https://webhooks.invalid/', events: ['*'], secret: 'a secret of mine' }),
  },
  webhooks_list: own(),
  webhooks_get: absent('webhook'),
  webhooks_update: absent('webhook', { status: 'paused' }),
  webhooks_delete: absent('webhook'),
  webhooks_test: absent('webhook'),
  deliveries_list: own(),
  deliveries_get: absent('delivery'),
  deliveries_replay: absent('delivery'),
  dead_letters_list: own(),
  dead_letters_replay: { answers: 'not there', body: ({ delivery }) => ({ ids: [delivery] }) },
  inbox_send: { ...own({ from: 'me', kind: 'note', payload: {} }), params: () => ({ namespace }) },
  inbox_list: { ...own(), params: () => ({ namespace }) },
  inbox_ack: { answers: 'not there', params: ({ message }) => ({ namespace, id: message }) },
  agent_hook: forbidden(undefined, { agent: 'codex', event: 'start', input: '{}' }),
  agent_hooks: own(),
  agent_statusline: forbidden(undefined, { input: '{}' }),
  anchors_folder: own({ folder: '/tmp' }),
  anchors_read: own({ namespace, value: 'See README.md.' }),
  recall_record: own({
    way: 'search',
    namespace,
    tokens: 1,
    memories: [{ ...at, reason: 'mine' }],
  }),
  recall_list: own(),
  recall_verdict: absent('recall', { verdict: 'misled' }),
  recall_eval: own(),
  recall_last_eval: own(),
  sessions_list: own(undefined, '?q=rowan'),
  sessions_search: own(undefined, '?q=rowan'),
  sessions_create: own({ agent: 'mine', source_session: 'rowan' }),
  sessions_get: absent('session'),
  sessions_change: absent('session', { title: 'mine' }),
  sessions_entries: absent('session'),
  sessions_add_entries: absent('session', { entries: [{ kind: 'note', text: 'mine' }] }),
  sessions_end_one: absent('session'),
  sessions_handover: absent('session'),
  sessions_export: { ...absent('session'), query: '?format=md' },
  sessions_resume: { ...absent('session'), query: '?in=codex' },
  sessions_notes: absent('session'),
  sessions_delete: absent('session'),
  sessions_sources: own(),
  sessions_formats: own(),
  sessions_source_set: { ...forbidden(undefined, { enabled: false }), params: () => ({ agent: 'codex' }) },
  sessions_preview: forbidden('session'),
  sessions_share: forbidden('session', { from: 'start', token: 'x' }),
  sessions_shared: forbidden('session'),
  sessions_share_approve: forbidden('session', { token: 'x' }),
  sessions_unshare: forbidden('session'),
  sessions_invite_revoke: {
    ...forbidden(),
    params: ({ session }) => ({ id: session, invite: 'x' }),
  },
  sessions_participant_remove: {
    ...forbidden(),
    params: ({ session }) => ({ id: session, participant: 'x' }),
  },
  sessions_join: forbidden(undefined, { invite: 'https://relay.invalid/join#secret' }),
  // A name is taken once.
  keys_create: { answers: 'its own', body: () => ({ name: `mine ${(made += 1)}` }) },
  keys_list: own(),
  keys_current: own(),
  keys_revoke: absent('key'),
  keys_rotate: absent('key', {}),
  tickets_create: own(),
  sessions_end: { answers: 'no session' },
  usage: own(),
  accounts_list: forbidden(),
  accounts_get: forbidden('account'),
  accounts_update: forbidden('account', { tier: 'pro' }),
  accounts_delete: forbidden('account'),
  accounts_adopt: forbidden('account', {}),
  outbox_list: forbidden(),
  outbox_get: forbidden('mail'),
  sync_status: own(),
  sync_trigger: own(),
  sync_link: forbidden(undefined, { relay: 'https://relay.invalid', email: 'me@example.org' }),
  sync_move: forbidden(undefined, { relay: 'https://relay.invalid' }),
  sync_recover: forbidden(undefined, { relay: 'https://relay.invalid', email: 'me@example.org' }),
  sync_unlink: forbidden(),
  sync_pair: forbidden(),
  sync_devices: forbidden(),
  sync_devices_approve: forbidden(),
  sync_devices_remove: forbidden(),
  sync_link_change: forbidden(undefined, { new_namespaces: 'stay' }),
  sync_pause: forbidden(undefined, { paused: true }),
  sync_rebuild: forbidden(),
  sync_lost: forbidden(undefined, { namespace, then: 'keep' }),
  namespaces_share: forbidden(undefined, { namespace }),
  namespaces_join: forbidden(undefined, { invite: 'https://relay.invalid/join#secret' }),
  namespaces_change: { ...own({ models: 'none' }), params: () => ({ namespace }) },
  namespaces_members: { ...forbidden(), query: `?namespace=${namespace}` },
  namespaces_members_remove: {
    ...forbidden(),
    query: `?namespace=${namespace}`,
    params: () => ({ id: 'x' }),
  },
  namespaces_members_change: {
    ...forbidden(undefined, { namespace, role: 'viewer' }),
    params: () => ({ id: 'x' }),
  },
  namespaces_owner: forbidden(undefined, { namespace, member: 'x' }),
  namespaces_leave: forbidden(undefined, { namespace }),
  namespaces_invites: { ...forbidden(), query: `?namespace=${namespace}` },
  namespaces_invites_revoke: {
    ...forbidden(),
    query: `?namespace=${namespace}`,
    params: () => ({ id: 'x' }),
  },
  sync_conflicts: own(),
  sync_conflicts_restore: { answers: 'not there', params: () => ({ id: 'x' }) },
  sync_conflicts_dismiss: { answers: 'not there', params: () => ({ id: 'x' }) },
  folders_add: forbidden(undefined, { path: '/tmp' }),
  folders_list: forbidden(),
  folders_prune: { ...forbidden(), params: () => ({ id: 'fld_x' }) },
  folders_remove: { ...forbidden(), params: () => ({ id: 'fld_x' }) },
  settings_get: forbidden(),
  settings_change: forbidden(undefined, { thoughts: { namespace } }),
  models_state: forbidden(),
  models_found: forbidden(),
  models_use: forbidden(undefined, { server: 'http://127.0.0.1:9', name: 'mine' }),
  models_off: forbidden(),
  models_pull: forbidden(undefined, { server: 'http://127.0.0.1:9', name: 'mine' }),
  models_pull_stop: forbidden(),
  models_examine: forbidden(undefined, { server: 'http://127.0.0.1:9', name: 'mine' }),
  models_examine_stop: forbidden(),
  models_sheets: own(),
  models_read: forbidden(undefined, { namespace: 'x', texts: [{ source: 'a', text: 'b' }] }),
  status: own(),
  backup: forbidden(undefined, {}),
  metrics: forbidden(),
};

const guarded = routes.filter(({ scope }) => scope !== 'public').map((route) => [route.id, route] as const);

let daemon: TestDaemon;
let receiver: http.Server;
let theirs: Theirs;
let stranger: { account: string; keys: Record<Scope, string> };
let before: string;

/** Makes one of everything in the machine's own account. */
async function furnish(): Promise<Theirs> {
  const ask = async (path: string, body?: unknown, method?: string): Promise<RawResponse> =>
    daemon.ask({ path: `/v1${path}`, ...(body !== undefined && { body }), ...(method && { method }) });
  const port = (receiver.address() as AddressInfo).port;
  const hook = await ask('/webhooks/register', {
    url: `http://127.0.0.1:${port}/tamarisk`,
    events: ['*'],
    secret: 'buckthorn secret',
    description: 'tamarisk',
  });
  for (const value of [
    'The treasure lies under the sycamore.',
    'The treasure lies under the old sycamore. Ada keeps the sycamore.',
  ])
    for (const key of ['secret', 'other secret'])
      await ask('/memory-set', { key, namespace, value, metadata: { tags: ['magnolia'] } });
  const message = await ask(`/inbox/${namespace}`, {
    from: 'juniper',
    kind: 'note',
    payload: { text: 'juniper' },
  });
  const recall = await ask('/recalls', {
    way: 'search',
    agent: 'rowan',
    namespace,
    query: 'where does the treasure lie',
    tokens: 9,
    memories: [{ key: 'other secret', namespace, reason: 'rowan' }],
  });
  await ask(`/recalls/${String(recall.json['id'])}/verdict`, { verdict: 'helped' });
  await ask('/recalls/eval', undefined, 'POST');
  const session = await ask('/coding-sessions', {
    agent: 'codex',
    source_session: 'rowan',
    title: 'rowan',
    namespace,
  });
  await ask(`/coding-sessions/${String(session.json['id'])}/entries`, {
    entries: [{ kind: 'prompt', text: 'The rowan stands behind the sycamore.' }],
  });
  const key = await ask('/keys', { name: 'hawthorn' });
  const job = await ask('/memory/dream/start', { namespace });
  const { account } = (await ask('/keys/current')).json;
  const webhook = String(hook.json['id']);
  const delivery = await ask(`/webhooks/${webhook}/test`, undefined, 'POST');
  const waiting = await signUp(daemon, 'waiting@example.org');
  let insight = 'ins_none';
  if (job.status === 202)
    insight = await vi.waitFor(
      async () => {
        const { json } = await ask(`/memory/dream/status/${String(job.json['id'])}`);
        if (json['status'] !== 'complete') throw new Error(`the dream is ${String(json['status'])}`);
        const { insights } = (await ask('/memory/dream/insights')).json as { insights: { id: string }[] };
        return insights[0]?.id ?? 'ins_none';
      },
      { timeout: seconds(60), interval: 100 },
    );
  return {
    account: String(account),
    key: String(key.json['id']),
    webhook,
    delivery: String(delivery.json['id']),
    message: String(message.json['id']),
    recall: String(recall.json['id']),
    session: String(session.json['id']),
    job: job.status === 202 ? String(job.json['id']) : 'drm_none',
    insight,
    mail: waiting.account,
  };
}

/** All rows of the machine's account, in every table that has such rows, but for what its own requests count. */
function rowsOfMachine(): string {
  return daemon.withStore((store) =>
    store.read((db) => {
      const [machine] = db
        .prepare<[], { id: number }>("SELECT id FROM accounts WHERE kind = 'machine'")
        .all();
      const tables = tablesOfAccounts(db).filter((name) => name !== 'usage' && name !== 'account_months');
      return JSON.stringify(
        tables.map((name) => [
          name,
          db
            .prepare<[number], Record<string, unknown>>(`SELECT * FROM "${name}" WHERE account = ?`)
            .all(machine?.id ?? 0)
            .map((row) => ({ ...row, last_used_at: null })),
        ]),
      );
    }),
  );
}

/** The rows, once background work has ended. */
async function settledRows(): Promise<string> {
  for (let last = ''; ;) {
    await pause(300);
    const { indexing } = await daemon.call(health, {});
    const now = indexing.pending + indexing.facts_pending > 0 ? '' : rowsOfMachine();
    if (now !== '' && now === last) return now;
    last = now;
  }
}

function request(route: Route, key: string, headers: Record<string, string> = {}): Promise<RawResponse> {
  const one = cases[route.id];
  const params = one?.params?.(theirs) ?? {};
  const path = route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(params[name] ?? 'x'),
  );
  const body = one?.body?.(theirs);
  return daemon.ask({
    method: route.method,
    path: `/v1${path}${one?.query ?? ''}`,
    key,
    headers,
    ...(route.body && { body: body ?? {} }),
  });
}

beforeAll(async () => {
  daemon = await startBehindProxy();
  receiver = http.createServer((_request, response) => response.end()).listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  theirs = await furnish();
  const { reply, account, token } = await signUp(daemon, 'stranger@example.org');
  await confirmAt(daemon, token);
  await daemon.ask({ path: `/v1/accounts/${account}`, method: 'PATCH', body: { tier: 'pro' } });
  const make = async (scope: Scope) =>
    String(
      (
        await daemon.ask({
          path: '/v1/keys',
          headers: { 'X-Reverie-Account': account },
          body: { name: scope, scope },
        })
      ).json['key'],
    );
  stranger = {
    account,
    keys: { read: await make('read'), write: reply.api_key, owner: await make('owner') },
  };
  before = await settledRows();
});
afterAll(async () => {
  await daemon.stop();
  receiver.close();
});

test('there is a case for every route, and the first account has something of every kind', () => {
  expect(guarded.map(([id]) => id).filter((id) => !(id in cases))).toEqual([]);
  for (const word of SECRETS) expect([word, before.includes(word)]).toEqual([word, true]);
});

describe('a foreign owner key', () => {
  test.each(guarded)('%s answers nothing of another account', async (id, route) => {
    const answer = await request(route, stranger.keys.owner);
    for (const word of SECRETS) expect(answer.text).not.toContain(word);
    const expected = cases[id]?.answers;
    const { status } = answer;
    if (expected === 'not there') expect(status).toBe(404);
    else if (expected === 'forbidden') expect([status, answer.json.code]).toEqual([403, 'forbidden_scope']);
    else if (expected === 'no session') expect([status, answer.json.code]).toEqual([409, 'conflict']);
    else if (expected === 'invalid') expect([status, answer.json.code]).toEqual([400, 'invalid_request']);
    else expect([status, answer.json.code]).toEqual([route.status, undefined]);
  });

  test.each(guarded)('%s is refused with the id of another account in the header', async (_, route) => {
    for (const key of Object.values(stranger.keys)) {
      const answer = await request(route, key, { 'X-Reverie-Account': theirs.account });
      expect([answer.status, answer.json.code]).toEqual([403, 'forbidden_scope']);
    }
  });
});

test.each(guarded)('%s answers nothing of another account to a key of its own scope', async (_, route) => {
  if (route.scope === 'public') return;
  const answer = await request(route, stranger.keys[route.scope]);
  for (const word of SECRETS) expect(answer.text).not.toContain(word);
});

test('the stream tells of nothing that happens in another account', async () => {
  const socket = new WebSocket(`ws://${daemon.host}/v1/stream?since=0`, {
    headers: { Authorization: `Bearer ${stranger.keys.owner}` },
  });
  const told: string[] = [];
  socket.on('message', (data: Buffer) => told.push(data.toString('utf8')));
  await once(socket, 'open');
  await daemon.ask({ path: '/v1/memory-set', body: { key: 'streamed', namespace, value: 'sycamore' } });
  await daemon.ask({ path: '/v1/memory-delete', body: { key: 'streamed', namespace } });
  await daemon.ask({
    path: '/v1/memory-set',
    key: stranger.keys.write,
    body: { key: 'last', value: 'the stream has come this far' },
  });
  await expect.poll(() => told.join()).toContain('the stream has come this far');
  socket.terminate();
  for (const word of SECRETS) expect(told.join()).not.toContain(word);
});

test('after all of this nothing in the first account has changed, but for what its owner wrote since', async () => {
  const rows = (text: string) =>
    (JSON.parse(text) as [string, Record<string, unknown>[]][])
      // The owner's own write and deletion above.
      .map(([name, all]) => [name, all.filter((row) => !JSON.stringify(row).includes('streamed'))] as const)
      .filter(([name]) => !['namespaces', 'webhooks', 'deliveries', 'delivery_attempts'].includes(name));
  await expect.poll(async () => rows(await settledRows())).toEqual(rows(before));
  const hook = await daemon.ask({ path: `/v1/webhooks/${theirs.webhook}` });
  expect([hook.status, hook.json['status']]).toEqual([200, 'active']);
});
