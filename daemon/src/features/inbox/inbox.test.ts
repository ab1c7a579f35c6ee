import { listEvents } from '@reverie/shared/contract/events/events';
import * as contract from '@reverie/shared/contract/events/inbox';
import { createKey } from '@reverie/shared/contract/accounts/keys';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestDaemon, type TestDaemon } from '../../testing.ts';

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startTestDaemon();
});
afterAll(() => daemon.stop());

const send = (namespace: string, n: number | string = 1) =>
  daemon.call(contract.sendMessage, {
    params: { namespace },
    body: { from: 'tester', kind: 'note', payload: { n } },
  });
const list = (
  namespace: string,
  query: Parameters<typeof daemon.call<typeof contract.listMessages>>[1]['query'] = {},
) => daemon.call(contract.listMessages, { params: { namespace }, query });
const ack = (namespace: string, id: string) =>
  daemon.call(contract.ackMessage, { params: { namespace, id } });

describe('the inbox', () => {
  test('keeps a message and tells of it', async () => {
    const { id } = await send('a namespace/with ünusual name', 7);
    const { messages, unread } = await list('a namespace/with ünusual name');
    expect(unread).toBe(1);
    expect(messages).toEqual([
      {
        id,
        namespace: 'a namespace/with ünusual name',
        from: 'tester',
        kind: 'note',
        payload: { n: 7 },
        in_reply_to: null,
        created_at: new Date(daemon.clock.now()).toISOString(),
        acked_at: null,
      },
    ]);
    const { events } = await daemon.call(listEvents, { query: { type: 'channel.message' } });
    expect(events.at(-1)).toMatchObject({
      namespace: 'a namespace/with ünusual name',
      actor: { kind: 'key' },
      data: { before: null, after: { id, from: 'tester', kind: 'note', payload: { n: 7 } } },
    });
  });

  test('keeps what a message answers, and leaves out those of a sender who need not read them', async () => {
    const { id } = await send('talk');
    const body = { from: 'person', kind: 'reply', payload: { text: 'yes' }, in_reply_to: id };
    const reply = await daemon.call(contract.sendMessage, { params: { namespace: 'talk' }, body });
    const all = await list('talk');
    expect(all.messages.map(({ in_reply_to }) => in_reply_to)).toEqual([null, id]);
    expect(all.unread).toBe(2);
    const others = await list('talk', { not_from: 'person' });
    expect(others.messages.map((message) => message.id)).toEqual([id]);
    expect(others.unread).toBe(1);
    await ack('talk', reply.id);
    expect((await list('talk', { not_from: 'person' })).messages).toHaveLength(1);
    const { events } = await daemon.call(listEvents, { query: { namespace: 'talk' } });
    expect(events.at(-1)?.data.after).toMatchObject({ id: reply.id, in_reply_to: id });
    expect(events[0]?.data.after).not.toHaveProperty('in_reply_to');
    const refused = await daemon.ask({
      path: '/v1/inbox/talk',
      key: daemon.apiKey,
      body: { ...body, in_reply_to: 'that one' },
    });
    expect(refused.status).toBe(400);
  });

  test('is answered 202', async () => {
    const body = { from: 'a', kind: 'b', payload: {} };
    const { status, json } = await daemon.ask({ path: '/v1/inbox/status', body, key: daemon.apiKey });
    expect([status, json['success']]).toEqual([202, true]);
  });

  test('shows unread ones first, oldest first, then read ones, newest first, in pages', async () => {
    const ids: string[] = [];
    for (let n = 0; n < 6; n += 1) ids.push((await send('pages', n)).id);
    for (const at of [1, 3, 4]) await ack('pages', String(ids[at]));
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const page = await list('pages', { limit: 2, ...(cursor !== null && { cursor }) });
      seen.push(...page.messages.map(({ id }) => id));
      cursor = page.next;
    } while (cursor !== null);
    expect(seen).toEqual([0, 2, 5, 4, 3, 1].map((at) => ids[at]));
    const only = await list('pages', { unread: 'true' });
    expect(only.messages.map(({ id }) => id)).toEqual([0, 2, 5].map((at) => ids[at]));
    expect(only).toMatchObject({ unread: 3, next: null });
  });

  test('acknowledging again keeps the first time', async () => {
    const { id } = await send('ack');
    const first = await ack('ack', id);
    daemon.clock.advance(60_000);
    expect(await ack('ack', id)).toEqual(first);
    await expect(ack('elsewhere', id)).rejects.toMatchObject({ status: 404, code: 'message_not_found' });
    await expect(ack('ack', 'msg_no')).rejects.toMatchObject({ status: 404 });
  });

  test('one `Idempotency-Key` sends once', async () => {
    const asked = {
      path: '/v1/inbox/once',
      body: { from: 'a', kind: 'b', payload: {} },
      headers: { 'Idempotency-Key': 'k1' },
    };
    const [one, two] = [await daemon.ask(asked), await daemon.ask(asked)];
    expect(one.json).toEqual(two.json);
    expect((await list('once')).messages).toHaveLength(1);
    const other = await daemon.ask({ ...asked, body: { ...asked.body, kind: 'c' } });
    expect(other.status).toBe(409);
  });

  test('names what is wrong', async () => {
    const body = { from: '', kind: 'x'.repeat(129), payload: [], to: 'me' };
    const { status, json } = await daemon.ask({ path: '/v1/inbox/wrong', body });
    expect(status).toBe(400);
    expect(json.errors?.map(({ path }) => path).sort()).toEqual(['from', 'kind', 'payload', 'to']);
    const big = { from: 'a', kind: 'b', payload: { text: 'x'.repeat(65 * 1024) } };
    expect((await daemon.ask({ path: '/v1/inbox/wrong', body: big })).status).toBe(413);
    expect((await daemon.ask({ path: '/v1/inbox/wrong?cursor=zzz' })).status).toBe(400);
    expect((await list('wrong')).messages).toEqual([]);
  });

  test('needs scope write to send, and is another one in each account', async () => {
    const reader = await daemon.call(createKey, { body: { name: 'reader', scope: 'read' } });
    const body = { from: 'a', kind: 'b', payload: {} };
    expect((await daemon.ask({ path: '/v1/inbox/mine', body, key: reader.key })).status).toBe(403);
    const { id } = await send('mine');
    expect((await daemon.ask({ path: '/v1/inbox/mine', key: reader.key })).status).toBe(200);
    const other = daemon.as(daemon.addAccount('write').key);
    const theirs = await other(contract.listMessages, { params: { namespace: 'mine' }, query: {} });
    expect(theirs).toMatchObject({ messages: [], unread: 0 });
    const acked = other(contract.ackMessage, { params: { namespace: 'mine', id } });
    await expect(acked).rejects.toMatchObject({ status: 404 });
  });

  test('says which others have something unread, of those that the key may read', async () => {
    const { key } = daemon.addAccount('write');
    const own = daemon.as(key);
    const to = (namespace: string) =>
      own(contract.sendMessage, { params: { namespace }, body: { from: 'a', kind: 'b', payload: {} } });
    for (const namespace of ['one', 'two', 'two', 'three']) await to(namespace);
    const seen = await own(contract.listMessages, { params: { namespace: 'three' }, query: {} });
    expect(seen.elsewhere).toEqual([
      { namespace: 'two', unread: 2 },
      { namespace: 'one', unread: 1 },
    ]);
    await own(contract.ackMessage, { params: { namespace: 'three', id: seen.messages[0]?.id ?? '' } });
    const none = await own(contract.listMessages, { params: { namespace: 'two' }, query: {} });
    expect(none.elsewhere).toEqual([{ namespace: 'one', unread: 1 }]);
    const narrow = await daemon.call(createKey, {
      body: { name: 'narrow', scope: 'read', namespaces: ['elsewhere', 'narrow'] },
    });
    for (const namespace of ['elsewhere', 'hidden']) await send(namespace);
    const one = await daemon.as(narrow.key)(contract.listMessages, {
      params: { namespace: 'narrow' },
      query: {},
    });
    expect(one.elsewhere).toEqual([{ namespace: 'elsewhere', unread: 1 }]);
  });

  test('drops what was read a month ago, and keeps what was not', async () => {
    const { id } = await send('old', 'read');
    await send('old', 'unread');
    await ack('old', id);
    daemon.clock.advance(31 * 86_400_000);
    expect((await list('old')).messages.map(({ payload }) => payload)).toEqual([{ n: 'unread' }]);
  });
});
