import { seconds } from '@reverie/shared/testing/patience';
import * as contract from '@reverie/shared/contract/sessions/sessions';
import { listEvents } from '@reverie/shared/contract/events/events';
import { createKey } from '@reverie/shared/contract/accounts/keys';
import net from 'node:net';
import { participantLimits } from '@reverie/shared/protocol/participant-limits';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { startTestDaemon, type TestDaemon } from '../../testing.ts';
import { LONGEST_TURN, type Turns, turnsOf } from '../../testing/turns.ts';

let daemon: TestDaemon;
beforeEach(async () => {
  daemon = await startTestDaemon();
});
afterEach(() => daemon.stop());

const MINUTE = 60_000;
const create = (
  body: Partial<Parameters<typeof daemon.call<typeof contract.createSession>>[1]['body']> = {},
) => daemon.call(contract.createSession, { body: { agent: 'my-agent', title: 'Rate limits', ...body } });
type Given = Parameters<typeof daemon.call<typeof contract.addEntries>>[1]['body']['entries'][number];
const add = (id: string, entries: Given[]) =>
  daemon.call(contract.addEntries, { params: { id }, body: { entries } });
const entries = (id: string, query = {}) => daemon.call(contract.listEntries, { params: { id }, query });
const at = (minute: number) => new Date(daemon.clock.now() + minute * MINUTE).toISOString();
const texts = ({ entries: page }: { entries: { text: string }[] }) => page.map(({ text }) => text);
const code = (promise: Promise<unknown>) =>
  promise.then(
    () => 'answered',
    (cause: unknown) => (cause instanceof Error && 'code' in cause ? cause.code : cause),
  );

test('a session is begun once for the id of its agent, and is listed with what it holds', async () => {
  const first = await create({ source_session: 'a1', namespace: 'work', project: 'api', branch: 'main' });
  expect(first).toMatchObject({
    title: 'Rate limits',
    agent: 'my-agent',
    project: 'api',
    branch: 'main',
    namespace: 'work',
    status: 'live',
    entries: 0,
    others: 0,
    unknown_records: 0,
    tokens: 0,
    models: [],
    parent: null,
    role: 'owner',
  });
  expect(await create({ source_session: 'a1', title: 'Another' })).toEqual(first);
  const other = await create({ title: 'Tea' });
  await add(first.id, [{ kind: 'prompt', text: 'Add rate limits' }]);
  const { sessions } = await daemon.call(contract.listSessions, { query: {} });
  expect(sessions.map(({ id }) => id).sort()).toEqual([first.id, other.id].sort());
  expect(await daemon.call(contract.getSession, { params: { id: first.id } })).toMatchObject({ entries: 1 });
});

test('a session that was begun here is listed before anything is said in it, with or without a title', async () => {
  const { id } = await daemon.call(contract.createSession, { body: { agent: 'my-agent' } });
  const { sessions } = await daemon.call(contract.listSessions, { query: {} });
  expect(sessions).toMatchObject([{ id, title: 'Untitled session', entries: 0 }]);
});

test('entries stand in the order of their times, whatever the order in which they came', async () => {
  const { id } = await create();
  await add(id, [
    { kind: 'answer', text: 'second', at: at(2) },
    { kind: 'prompt', text: 'first', at: at(1) },
    { kind: 'answer', text: 'third', at: at(2) },
  ]);
  expect(texts(await entries(id))).toEqual(['first', 'second', 'third']);
  const pages = [];
  let after: string | null | undefined;
  do {
    const page = await entries(id, { limit: 1, ...(after ? { after } : {}) });
    pages.push(...texts(page));
    after = page.after;
  } while (after !== null);
  expect(pages).toEqual(['first', 'second', 'third']);
  const last = await entries(id, { around: (await entries(id)).entries[2]?.id, limit: 2 });
  expect(texts(last)).toEqual(['third']);
  expect(texts(await entries(id, { before: last.before, limit: 5 }))).toEqual(['first', 'second']);
});

test('an item that comes again is replaced, and only a change moves the cursor of who follows', async () => {
  const { id } = await create();
  const one: Given = { kind: 'answer', text: 'Hel', item: 'm1', at: at(1) };
  const first = await add(id, [one]);
  expect(await add(id, [one])).toEqual(first);
  const second = await add(id, [{ ...one, text: 'Hello' }]);
  expect(second.ids).toEqual(first.ids);
  expect(second.seq).toBe(first.seq + 1);
  expect(texts(await entries(id, { since: first.seq }))).toEqual(['Hello']);
  expect(texts(await entries(id, { since: second.seq }))).toEqual([]);
  expect(await daemon.call(contract.getSession, { params: { id } })).toMatchObject({ entries: 1 });
});

test('a session is live, idle and ended by its times, and opens again when it is written to', async () => {
  const { id } = await create();
  await add(id, [{ kind: 'prompt', text: 'x' }]);
  const status = async () => (await daemon.call(contract.getSession, { params: { id } })).status;
  const listed = async (of: contract.SessionStatus) =>
    (await daemon.call(contract.listSessions, { query: { status: of } })).sessions.length;
  const all = async () => [await status(), await listed('live'), await listed('idle'), await listed('ended')];
  expect(await all()).toEqual(['live', 1, 0, 0]);
  daemon.clock.advance(2 * MINUTE - 1);
  expect(await all()).toEqual(['live', 1, 0, 0]);
  daemon.clock.advance(1);
  expect(await all()).toEqual(['idle', 0, 1, 0]);
  // A day after its last entry, to the millisecond: what a session says of itself, and where it is listed.
  daemon.clock.advance(1438 * MINUTE - 1);
  expect(await all()).toEqual(['idle', 0, 1, 0]);
  daemon.clock.advance(1);
  expect(await all()).toEqual(['ended', 0, 0, 1]);
  await add(id, [{ kind: 'prompt', text: 'y' }]);
  expect(await all()).toEqual(['live', 1, 0, 0]);
  await daemon.call(contract.endSession, { params: { id } });
  expect(await all()).toEqual(['ended', 0, 0, 1]);
  daemon.clock.advance(MINUTE);
  await add(id, [{ kind: 'prompt', text: 'z' }]);
  expect(await status()).toBe('live');
});

test('what was said is found by its words, and no more once the session is deleted', async () => {
  const { id } = await create();
  await add(id, [
    { kind: 'prompt', text: 'Which port does the staging database listen on?' },
    { kind: 'answer', text: 'I looked at compose.yml. The staging database listens on port 5433.' },
    { kind: 'other', text: '{"staging": "database"}' },
  ]);
  const search = (q: string, query = {}) => daemon.call(contract.searchSessions, { query: { q, ...query } });
  const { hits } = await search('staging database port');
  expect(hits.map(({ kind }) => kind).sort()).toEqual(['answer', 'prompt']);
  expect(hits[0]?.session.title).toBe('Rate limits');
  expect(hits.find(({ kind }) => kind === 'answer')?.passage.text).toContain(
    'The staging database listens on port 5433.',
  );
  expect((await search('staging database port', { session: id })).count).toBe(2);
  expect((await search('staging database port', { namespace: 'other' })).count).toBe(0);
  expect((await search('lemon cake')).count).toBe(0);
  expect(
    (await daemon.call(contract.listSessions, { query: { q: 'compose.yml' } })).sessions.map((one) => one.id),
  ).toEqual([id]);
  expect(await daemon.call(contract.deleteSession, { params: { id } })).toEqual({
    success: true,
    id,
    entries: 3,
  });
  expect((await search('staging database port')).count).toBe(0);
  expect(await code(daemon.call(contract.getSession, { params: { id } }))).toBe('session_not_found');
  expect(await code(entries(id))).toBe('session_not_found');
});

test('others have their turn while long entries are searched, whatever is asked', async () => {
  const { id } = await create();
  const long = (piece: string) => piece.repeat(Math.floor(64_000 / piece.length));
  for (const [piece, count] of [
    ['the queue is full. ', 20],
    ['a-', 5],
    ['~~a', 5],
  ] as const)
    await add(
      id,
      Array.from({ length: count }, () => ({ kind: 'answer' as const, text: long(piece) })),
    );
  /** The calmest of three, for the first loads what it needs, and the daemon has work of its own. */
  const search = async (q: string) => {
    const tries: Turns[] = [];
    for (let n = 0; n < 3; n += 1)
      tries.push(await turnsOf(() => daemon.call(contract.searchSessions, { query: { q } })));
    return tries.reduce((least, one) => (one.longest < least.longest ? one : least));
  };
  const words = await search('is the queue full?');
  expect(words.longest).toBeLessThan(LONGEST_TURN);
  // A phrase of sixteen of what stands everywhere is not looked for: that would cost more than to read all that has its words.
  for (const q of [long('a-').slice(0, 900), long('~~a').slice(0, 900), `"${'a '.repeat(400)}"`])
    expect((await search(q)).longest, q.slice(0, 10)).toBeLessThan(LONGEST_TURN);
});

test('an entry is asked for by the beginning of its id, and what is wrong is named', async () => {
  const { id } = await create();
  const { ids } = await add(id, [{ kind: 'prompt', text: 'x' }]);
  expect(texts(await entries(id, { around: ids[0]?.slice(0, 12) }))).toEqual(['x']);
  expect(await code(entries(id, { around: 'ent_00000000' }))).toBe('entry_not_found');
  expect(await code(entries(id, { around: '%' }))).toBe('entry_not_found');
  expect(await code(entries(id, { after: 'x' }))).toBe('invalid_request');
  expect(await code(entries(id, { after: 'x', since: 1 }))).toBe('invalid_request');
  expect(await code(add(id, [{ kind: 'note', text: 'y', reply_to: 'ent_1' }]))).toBe('entry_not_found');
  expect(texts(await entries(id))).toEqual(['x']);
});

test('a note answers an entry, and a long text comes cut unless the whole is asked for', async () => {
  const { id } = await create();
  const long = 'ab '.repeat(3_000);
  const { ids } = await add(id, [{ kind: 'tool_result', text: long, tool: { name: 'Bash', failed: true } }]);
  await add(id, [{ kind: 'note', text: 'Look here', reply_to: ids[0] ?? '', at: at(1) }]);
  const page = await entries(id);
  expect(page.entries[0]).toMatchObject({
    bytes: 9_000,
    text: long.slice(0, 4_000),
    tool: { name: 'Bash', call: null, failed: true },
  });
  expect(page.entries[1]).toMatchObject({ reply_to: ids[0], author: { id: 'person', agent: null } });
  expect((await entries(id, { text: 'whole' })).entries[0]?.text).toBe(long);
  expect(texts(await entries(id, { kinds: 'note' }))).toEqual(['Look here']);
  expect((await entries(id, { failed: 'true' })).total).toBe(1);
});

test('what is written with the key of the owner is by the agent of its session', async () => {
  const { id } = await create();
  await add(id, [{ kind: 'answer', text: 'Done.' }]);
  await add(id, [{ kind: 'answer', text: 'So it is.', agent: 'reviewer', at: at(1) }]);
  const authors = (await entries(id)).entries.map(({ author }) => author);
  expect(authors).toEqual([
    { id: 'my-agent', name: 'my-agent', agent: 'my-agent' },
    { id: 'reviewer', name: 'reviewer', agent: 'reviewer' },
  ]);
});

test('a NUL in the output of a tool ends no text', async () => {
  const { id } = await create();
  const text = `before\0behind ${'x'.repeat(8_000)} end`;
  await add(id, [{ kind: 'prompt', text }]);
  expect(texts(await entries(id))).toEqual([text.slice(0, 4_000)]);
  expect(texts(await entries(id, { text: 'whole' }))).toEqual([text]);
  const handover = await daemon.call(contract.handOver, { params: { id }, query: {} });
  expect(JSON.stringify(handover)).toContain('behind');
});

test('what is written is an event that says nothing of its text', async () => {
  const { id } = await create({ namespace: 'work' });
  await add(id, [{ kind: 'prompt', text: 'the secret of the lemon cake' }]);
  const { events } = await daemon.call(listEvents, { query: { type: 'session.entry' } });
  expect(events.map(({ namespace }) => namespace)).toEqual(['work', 'work']);
  expect(events[1]?.data.after).toMatchObject({ session: id, agent: 'my-agent', entries: 1, kind: 'prompt' });
  expect(JSON.stringify(events)).not.toContain('lemon');
});

test('a narrower key sees the sessions of its namespaces only', async () => {
  const mine = await create({ namespace: 'project/a' });
  const other = await create({ namespace: 'private' });
  await add(mine.id, [{ kind: 'prompt', text: 'lemon cake of mine' }]);
  await add(other.id, [{ kind: 'prompt', text: 'lemon cake of others' }]);
  const { key } = await daemon.call((await import('@reverie/shared/contract/accounts/keys')).createKey, {
    body: { name: 'narrow', scope: 'write', namespaces: ['project/*'] },
  });
  const narrow = daemon.as(key);
  const { sessions } = await narrow(contract.listSessions, { query: {} });
  expect(sessions.map(({ id }) => id)).toEqual([mine.id]);
  expect((await narrow(contract.searchSessions, { query: { q: 'lemon cake' } })).count).toBe(1);
  for (const id of [other.id, 'cs_none']) {
    expect(await code(narrow(contract.getSession, { params: { id } }))).toBe('session_not_found');
    expect(await code(narrow(contract.deleteSession, { params: { id } }))).toBe('session_not_found');
    expect(await code(narrow(contract.handOver, { params: { id }, query: {} }))).toBe('session_not_found');
    const written = narrow(contract.addEntries, {
      params: { id },
      body: { entries: [{ kind: 'note', text: 'x' }] },
    });
    expect(await code(written)).toBe('session_not_found');
  }
});

test('what a narrower key asks by the id of an agent, or by that of a session, is answered as where nothing else is', async () => {
  const secret = { title: 'Zebra merger', project: 'zebra', branch: 'walrus', namespace: 'private' };
  const other = await create({ ...secret, source_session: 'known' });
  const near = await create({ namespace: 'project/a', source_session: 'near' });
  const { key } = await daemon.call(createKey, { body: { name: 'narrow', namespaces: ['project/*'] } });
  const narrow = daemon.as(key);
  const begin = (source_session: string, agent = 'my-agent') =>
    narrow(contract.createSession, { body: { agent, source_session, namespace: 'project/a' } });
  const [known, unknown] = [await begin('known'), await begin('unknown')];
  expect({ ...known, id: '' }).toEqual({ ...unknown, id: '' });
  expect(known.id).not.toBe(other.id);
  // Again it is the same one, whatever is elsewhere.
  expect([(await begin('known')).id, (await begin('unknown')).id]).toEqual([known.id, unknown.id]);
  expect((await begin('near')).id).toBe(near.id);
  // Nor does it take the name from whoever has every namespace.
  expect((await create({ source_session: 'unknown', namespace: 'private' })).namespace).toBe('private');
  // Its own, once that was moved away, is as absent as any.
  await daemon.call(contract.changeSession, { params: { id: known.id }, body: { namespace: 'private' } });
  expect(await begin('known')).toMatchObject({ namespace: 'project/a', entries: 0 });
  const ids = [other.id, 'cs_00000000000000000000000000'];
  for (const session of ids)
    expect(await code(narrow(contract.searchSessions, { query: { q: 'zebra', session } }))).toBe(
      'session_not_found',
    );
});

test('a narrower key is told of no session of another namespace from which, or to which, one of its own leads', async () => {
  const parent = await create({ source_session: 'parent', namespace: 'private' });
  const child = await create({ source_session: 'child', namespace: 'project/a' });
  await add(parent.id, [{ kind: 'tool_call', text: 'begin a subagent' }]);
  daemon.withStore((store) =>
    store.write((db) => {
      const lead = (set: string, id: string) => db.prepare(`UPDATE ${set}`).run(id);
      lead(`sessions SET parent = 'parent', parent_kind = 'subagent' WHERE id = ?`, child.id);
      lead(
        `session_entries SET child = 'child' WHERE session = (SELECT n FROM sessions WHERE id = ?)`,
        parent.id,
      );
    }),
  );
  const as = async (namespaces: string[]) =>
    daemon.as((await daemon.call(createKey, { body: { name: namespaces[0] ?? '', namespaces } })).key);
  const [of, other] = [await as(['project/*']), await as(['private'])];
  const at = (id: string) => ({ params: { id }, query: {} });
  expect((await of(contract.getSession, at(child.id))).parent).toBeNull();
  expect((await other(contract.listEntries, at(parent.id))).entries[0]?.child).toBeNull();
  expect((await daemon.call(contract.getSession, at(child.id))).parent?.id).toBe(parent.id);
  expect((await daemon.call(contract.listEntries, at(parent.id))).entries[0]?.child).toBe(child.id);
});

test('who writes notes into a session of somebody else is told when they are too many', async () => {
  const { hourly, total, noteBytes } = participantLimits;
  const { id } = await create();
  const alter = (change: string) =>
    daemon.withStore((store) => store.write((db) => db.prepare(`UPDATE ${change}`).run()));
  const note: Given = { kind: 'note', text: 'x' };
  await add(id, [{ ...note, item: 'first' }]);
  const write = (...notes: Given[]) =>
    daemon.ask({ path: `/v1/coding-sessions/${id}/entries`, body: { entries: notes } });
  const weigh = (notes: number) => alter(`session_entries SET bytes = ${notes * noteBytes}`);
  weigh(hourly - 1);
  alter(`sessions SET role = 'editor'`);
  // All of a request, or nothing.
  const both = await write(note, note);
  expect(both).toMatchObject({ status: 429, json: { code: 'rate_limited' } });
  expect(Number(both.headers['retry-after'])).toBeGreaterThan(0);
  expect((await write({ ...note, text: 'x'.repeat(noteBytes + 1) })).status).toBe(429);
  expect((await write(note)).status).toBe(201);
  expect((await write({ ...note, item: 'first', text: 'changed' })).status).toBe(201);
  daemon.clock.advance(60 * MINUTE);
  weigh(total / 2);
  expect(await write(note)).toMatchObject({ status: 413, json: { code: 'storage_exceeded' } });
  alter(`sessions SET role = 'owner'`);
  expect((await write(note)).status).toBe(201);
});

test('a hand-over tells what was asked, decided, done, failed and is open, each with its entry', async () => {
  const { id } = await create({ project: 'acme/api', branch: 'limits' });
  await add(id, [
    { kind: 'prompt', text: 'Add rate limiting to the API.', at: at(0) },
    { kind: 'answer', text: 'We decided to use a token bucket in Redis. It is simple.', at: at(1) },
    { kind: 'tool_call', text: '{}', tool: { name: 'Edit' }, files: ['src/limit.ts'], at: at(2) },
    {
      kind: 'tool_result',
      text: 'Error: cannot find module redis',
      tool: { name: 'Bash', failed: true },
      at: at(3),
    },
    { kind: 'answer', text: 'The limiter is in place. The next step is a test for bursts.', at: at(4) },
    { kind: 'prompt', text: 'Please also limit by IP.', at: at(5) },
  ]);
  const { markdown, tokens, left_out } = await daemon.call(contract.handOver, { params: { id }, query: {} });
  expect(markdown).toContain('# Hand-over: Rate limits\nmy-agent in acme/api, branch limits');
  const section = (name: string) => markdown.split(`## ${name}\n`)[1]?.split('\n\n')[0] ?? '';
  expect(section('Asked')).toMatch(/Add rate limiting to the API\. \(ent_[0-9a-f]{8}\)/);
  expect(section('Decided')).toContain('We decided to use a token bucket in Redis.');
  expect(section('Failed')).toContain('Bash: Error: cannot find module redis');
  expect(section('Files')).toContain('`src/limit.ts`');
  expect(section('Open')).toContain('Not answered yet: Please also limit by IP.');
  expect(section('Open')).toContain('The next step is a test for bursts.');
  expect(section('Where it stands')).toContain('The limiter is in place.');
  expect(left_out).toBe(0);
  expect(tokens).toBe(Math.ceil(Buffer.byteLength(markdown) / 4));
  const more = Array.from({ length: 60 }, (_, i): Given => ({
    kind: 'prompt',
    text: `Then do thing ${i}, please`,
    at: at(6),
  }));
  await add(id, more);
  const short = await daemon.call(contract.handOver, { params: { id }, query: { max_tokens: 200 } });
  expect(short.tokens).toBeLessThanOrEqual(200);
  expect(short.left_out).toBeGreaterThan(0);
});

test('a hand-over takes secrets out, says how many, and leaves the session as it is', async () => {
  const token = `ghp_${'a1B2c3D4e5F6g7H8i9J0'.repeat(2).slice(0, 36)}`;
  const { id } = await create({ title: `Limits of ${token}` });
  await add(id, [{ kind: 'prompt', text: `Use ${token} for the API.` }]);
  const handed = await daemon.call(contract.handOver, { params: { id }, query: {} });
  expect(handed.markdown).toContain('Use [REDACTED:github] for the API.');
  // In the title, in what was asked and in what is open.
  expect(handed.redactions).toBe(3);
  expect(handed.title).toBe('Limits of [REDACTED:github]');
  expect(JSON.stringify(handed)).not.toContain(token);
  expect(texts(await entries(id))).toEqual([`Use ${token} for the API.`]);
});

test('a session is followed as server-sent events, which go on where they were left', async () => {
  const { id } = await create();
  await add(id, [{ kind: 'prompt', text: 'first' }]);
  const follow = async (headers: Record<string, string>, until: string) => {
    const over = new AbortController();
    const reply = await fetch(`${daemon.origin}/v1/coding-sessions/${id}/stream`, {
      headers: { Authorization: `Bearer ${daemon.ownerKey}`, ...headers },
      signal: over.signal,
    });
    expect(reply.headers.get('content-type')).toContain('text/event-stream');
    let said = '';
    const decoder = new TextDecoder();
    for await (const piece of (reply.body ?? []) as AsyncIterable<Uint8Array>) {
      said += decoder.decode(piece);
      if (said.startsWith(': here') && !headers['Last-Event-ID'] && !said.includes('second'))
        await add(id, [{ kind: 'answer', text: 'second' }]);
      if (said.includes(until)) break;
    }
    over.abort();
    return [...said.matchAll(/^id: (\d+)\nevent: entry\ndata: (.*)$/gm)].map(([, seq, data]) => [
      Number(seq),
      (JSON.parse(data ?? '') as { text: string }).text,
    ]);
  };
  expect(await follow({}, 'second')).toEqual([[2, 'second']]);
  expect(await follow({ 'Last-Event-ID': '0' }, 'second')).toEqual([
    [1, 'first'],
    [2, 'second'],
  ]);
  const narrow = await fetch(`${daemon.origin}/v1/coding-sessions/${id}/stream`);
  expect(narrow.status).toBe(401);
  const none = await daemon.ask({ path: '/v1/coding-sessions/cs_none/stream' });
  expect(none.status).toBe(404);
});

test('an account that signed up has eight streams of sessions, and a place is free again once one ends', async () => {
  const { key } = daemon.addAccount('write');
  const { id } = await daemon.as(key)(contract.createSession, { body: { agent: 'x' } });
  const open = async () => {
    const over = new AbortController();
    const headers = { Authorization: `Bearer ${key}` };
    const { status, headers: told } = await fetch(`${daemon.origin}/v1/coding-sessions/${id}/stream`, {
      headers,
      signal: over.signal,
    });
    return { status, wait: told.get('retry-after'), end: () => over.abort() };
  };
  const streams = await Promise.all(Array.from({ length: 8 }, open));
  expect(streams.map(({ status }) => status)).toEqual(Array<number>(8).fill(200));
  expect(await open()).toMatchObject({ status: 429, wait: '5' });
  streams[0]?.end();
  await vi.waitFor(async () => {
    const again = await open();
    streams.push(again);
    expect(again.status).toBe(200);
  });
  for (const { end } of streams) end();
});

test('of a crowd of heavy requests a few are answered at a time, some wait, and the others are told to come back', async () => {
  const { key } = daemon.addAccount('write');
  const { id } = await daemon.as(key)(contract.createSession, { body: { agent: 'x' } });
  const socket = net.connect(Number(new URL(daemon.origin).port), '127.0.0.1');
  // Sent behind each other, they come in one turn.
  const request = `GET /v1/coding-sessions/${id}/entries HTTP/1.1\r\nHost: ${daemon.host}\r\nAuthorization: Bearer ${key}\r\n\r\n`;
  socket.write(request.repeat(100));
  let answers = '';
  socket.on('data', (piece) => (answers += piece.toString()));
  const statuses = () => [...answers.matchAll(/HTTP\/1.1 (\d+)/g)].map(([, status]) => status);
  await vi.waitFor(() => expect(statuses()).toHaveLength(100), seconds(9));
  expect(Map.groupBy(statuses(), (status) => status).get('200')).toHaveLength(68);
  expect(answers.match(/^retry-after: 1/gim)).toHaveLength(32);
  socket.destroy();
  expect((await daemon.as(key)(contract.listEntries, { params: { id }, query: {} })).entries).toEqual([]);
});

test('a page ends early where its entries are long, and says how it goes on', async () => {
  const { id } = await create();
  for (let n = 0; n < 3; n += 1) await add(id, [{ kind: 'other', text: String(n).repeat(600_000) }]);
  const whole = await entries(id, { text: 'whole' });
  expect(texts(whole).map((text) => text[0])).toEqual(['0']);
  const rest = await entries(id, { text: 'whole', after: whole.after });
  expect(texts(rest).map((text) => text[0])).toEqual(['1']);
  expect(texts(await entries(id))).toHaveLength(3);
  expect(texts(await entries(id, { text: 'whole', since: 2 })).map((text) => text[0])).toEqual(['2']);
});

test('what an older program folded otherwise is indexed again after a start', async () => {
  const { id } = await create();
  await add(id, [{ kind: 'prompt', text: 'Søren keeps the ladder, call +49 170 5550199' }]);
  daemon.withStore((store) =>
    store.write((db) => {
      db.exec(`UPDATE session_text_1 SET body = 'Søren keeps the ladder, call +49 170 5550199'`);
      db.exec(`DELETE FROM meta WHERE name = 'session_folding'`);
    }),
  );
  await daemon.restart();
  const count = async (q: string) =>
    (await daemon.call(contract.searchSessions, { query: { q: `"${q}"` } })).count;
  await expect
    .poll(async () => {
      daemon.clock.advance(100);
      return [await count('soren'), await count('0170 555 0199')];
    })
    .toEqual([1, 1]);
});
