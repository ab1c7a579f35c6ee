import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { getToolUiResourceUri, isToolVisibilityAppOnly } from '@modelcontextprotocol/ext-apps/app-bridge';
import { EXTENSION_ID, RESOURCE_MIME_TYPE } from '@modelcontextprotocol/ext-apps/server';
import { type AppTool, appDecide, appHits, appInsights } from '@reverie/shared/contract/agents/app-tools';
import { dreamStatus, startDream } from '@reverie/shared/contract/dreams/dreams';
import { createKey } from '@reverie/shared/contract/accounts/keys';
import { getMemory, setMemory } from '@reverie/shared/contract/memories/memories';
import { importMemories } from '@reverie/shared/contract/memories/portable';
import { steadyPort } from '@reverie/shared/testing/steady-port';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { z } from 'zod';
import { startTestDaemon, type TestDaemon } from '../../testing.ts';
import { isSessionThatShowsApps, saysItShowsApps } from './apps.ts';
import { PROJECT_HEADER } from '../scope.ts';

const ERAS = ['legacy', 'auto'] as const;
const SHOWS = { extensions: { [EXTENSION_ID]: { mimeTypes: [RESOURCE_MIME_TYPE] } } };
const APP_TOOLS = [appHits, appInsights, appDecide].map(({ name }) => name);
const CORE = 'memory_search memory_ask memory_set memory_get memory_delete'.split(' ');

interface Connecting {
  era: (typeof ERAS)[number];
  shows?: boolean;
  key?: string;
  namespace?: string;
  query?: string;
  to?: TestDaemon;
}

describe('the app over MCP', () => {
  let daemon: TestDaemon;
  const clients: Client[] = [];

  beforeAll(async () => {
    daemon = await startTestDaemon();
  });
  afterEach(async () => {
    for (const client of clients.splice(0)) await client.close();
  });
  afterAll(() => daemon.stop());

  async function connected({ era, shows = true, namespace, query = '', to = daemon, key }: Connecting) {
    const client = new Client(
      { name: 'host', version: '1' },
      { versionNegotiation: { mode: era }, ...(shows && { capabilities: SHOWS }) },
    );
    const headers = {
      Authorization: `Bearer ${key ?? to.apiKey}`,
      ...(namespace !== undefined && { [PROJECT_HEADER]: encodeURIComponent(namespace) }),
    };
    const url = new URL(`${to.origin}/mcp${query}`);
    await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }));
    clients.push(client);
    return client;
  }

  async function answered<Asked extends z.ZodObject, Answer extends z.ZodObject>(
    client: Client,
    { name, answer }: AppTool<Asked, Answer>,
    args: z.input<Asked>,
  ): Promise<z.output<Answer>> {
    const { structuredContent, content, isError } = await client.callTool({ name, arguments: args });
    if (isError) throw new Error(JSON.stringify(content));
    expect(content).toEqual([]);
    return answer.parse(structuredContent);
  }

  async function disagreement(namespace: string): Promise<void> {
    const at = (day: string) => ({ created_at: `${day}T09:00:00Z`, updated_at: `${day}T09:00:00Z` });
    const items = [
      { key: 'march', value: 'The ledger database listens on port 5433.', ...at('2026-03-02') },
      { key: 'july', value: 'The ledger database listens on port 5437.', ...at('2026-07-02') },
    ].map((item) => ({ ...item, namespace }));
    await daemon.call(importMemories, { body: { items } });
    const { id } = await daemon.call(startDream, { body: { namespace, strategies: ['contradict'] } });
    await expect
      .poll(async () => (await daemon.call(dreamStatus, { params: { id } })).status)
      .toBe('complete');
  }

  const read = (namespace: string, key: string) => daemon.call(getMemory, { body: { namespace, key } });

  test.each(ERAS)('is offered to who says that it shows apps, and to nobody else (%s)', async (era) => {
    const plain = await connected({ era, shows: false, query: '?tools=all' });
    const { tools } = await plain.listTools();
    expect(tools.map(({ name }) => name)).not.toEqual(expect.arrayContaining([APP_TOOLS[0]]));
    expect(JSON.stringify(tools)).not.toContain('ui://');
    await expect(plain.callTool({ name: appInsights.name, arguments: {} })).rejects.toThrow();
    await expect(plain.readResource({ uri: 'ui://reverie/app' })).rejects.toThrow();

    const host = await connected({ era, query: '?tools=all' });
    const listed = (await host.listTools()).tools;
    expect(listed.filter(isToolVisibilityAppOnly).map(({ name }) => name)).toEqual(APP_TOOLS);
    const withApp = listed.filter((tool) => getToolUiResourceUri(tool) !== undefined);
    expect(withApp.map(({ name }) => name)).toEqual(['memory_search', 'dream_status']);
    const [uri = ''] = withApp.map(getToolUiResourceUri);
    const [page] = (await host.readResource({ uri })).contents;
    expect(page).toMatchObject({
      mimeType: RESOURCE_MIME_TYPE,
      text: expect.stringMatching(/^<!doctype html>/i) as string,
      _meta: { ui: { csp: { connectDomains: [], resourceDomains: [] } } },
    });
    // It loads nothing: neither by an address nor by a part of its own.
    expect(JSON.stringify(page)).not.toMatch(/<(?:link|script|img)[^>]+(?:src|href)=/);
  });

  test.each(ERAS)('what a model is told of the core stays within its bytes (%s)', async (era) => {
    const bytes = (tools: unknown) => Buffer.byteLength(JSON.stringify({ tools }));
    const plain = await (await connected({ era, shows: false })).listTools();
    const { tools } = await (await connected({ era })).listTools();
    const toModel = tools.filter((tool) => !isToolVisibilityAppOnly(tool));
    expect(toModel.map(({ name }) => name)).toEqual(CORE);
    expect(bytes(toModel) - bytes(plain.tools)).toBeLessThanOrEqual(60);
    // What the app alone may call is not told to a model, and would be within the bytes if a host told it.
    expect(bytes(tools)).toBeLessThanOrEqual(6_000);
  });

  test.each(ERAS)(
    'says why each hit of a search was found: the same hits, in the same order (%s)',
    async (era) => {
      const namespace = `hits ${era}`;
      await daemon.call(setMemory, {
        body: { key: 'port', namespace, value: 'The proxy listens on port 8443.' },
      });
      await daemon.call(setMemory, {
        body: { key: 'tea', namespace, value: 'Green tea steeps for two minutes.' },
      });
      const host = await connected({ era, namespace });
      const query = 'on which port does the proxy listen';
      const told = await host.callTool({ name: 'memory_search', arguments: { query } });
      const found = await answered(host, appHits, { query });
      expect(found).toMatchObject({ namespace, fits: true });
      expect(found.hits.map(({ key }) => key)).toEqual(
        [...JSON.stringify(told.content).matchAll(/key=\\"(\w+)/g)].map(([, key]) => key),
      );
      expect(found.hits[0]?.why?.streams.map(({ name }) => name)).toContain('words');
      expect(await answered(host, appHits, { query: 'zebra', namespace: 'empty' })).toMatchObject({
        hits: [],
      });
    },
  );

  test.each(ERAS)('decides on insights, and takes it back (%s)', async (era) => {
    const namespace = `odds ${era}`;
    await disagreement(namespace);
    const before = await read(namespace, 'july');
    const host = await connected({ era, namespace });
    const { insights } = await answered(host, appInsights, {});
    expect(insights).toMatchObject([{ namespace, change: { kind: 'disagree' }, status: 'proposed' }]);
    const [{ id, job_id: dream } = { id: '', job_id: '' }] = insights;
    expect((await answered(host, appInsights, { dream })).insights).toEqual(insights);
    expect((await answered(host, appInsights, { namespace: '*' })).insights).toEqual(
      expect.arrayContaining(insights),
    );

    const kept = async (to: z.input<typeof appDecide.input>['to']) => {
      const { insight } = await answered(host, appDecide, { id, to });
      return { ...insight, hidden: (await read(namespace, 'july')).superseded_by };
    };
    expect(await kept('older')).toMatchObject({ status: 'accepted', resolution: 'older', hidden: 'march' });
    expect(await kept('undo')).toMatchObject({ status: 'proposed', hidden: undefined });
    expect(await read(namespace, 'july')).toEqual(before);
    expect(await kept('both')).toMatchObject({ resolution: 'both', hidden: undefined });
    await kept('undo');
    expect(await kept('newer')).toMatchObject({ resolution: 'newer' });
    expect((await read(namespace, 'march')).superseded_by).toBe('july');
    await kept('undo');
    expect(await kept('reject')).toMatchObject({ status: 'rejected' });
    expect((await answered(host, appInsights, {})).insights).toEqual([]);
    await expect(answered(host, appDecide, { id: 'ins_none', to: 'accept' })).rejects.toThrow(
      'insight_not_found',
    );
  });

  test('keys hold: who may only read decides on nothing, and a narrow one sees nothing of others', async () => {
    await disagreement('keys');
    const owner = await connected({ era: 'auto', namespace: 'keys' });
    const [{ id } = { id: '' }] = (await answered(owner, appInsights, {})).insights;
    const reader = await daemon.call(createKey, { body: { name: 'reader', scope: 'read' } });
    const reading = await connected({ era: 'auto', key: reader.key, namespace: 'keys' });
    expect((await answered(reading, appInsights, {})).insights).toHaveLength(1);
    await expect(answered(reading, appDecide, { id, to: 'accept' })).rejects.toThrow('forbidden_scope');
    const narrow = await daemon.call(createKey, {
      body: { name: 'narrow', scope: 'write', namespaces: ['project/*'], can: ['read', 'set', 'delete'] },
    });
    const narrowed = await connected({ era: 'auto', key: narrow.key, namespace: 'keys' });
    expect((await answered(narrowed, appHits, { query: 'ledger port' })).hits).toEqual([]);
    for (const args of [{}, { namespace: '*' }])
      expect((await answered(narrowed, appInsights, args)).insights).toEqual([]);
    await expect(answered(narrowed, appDecide, { id, to: 'newer' })).rejects.toThrow('insight_not_found');
    expect((await answered(owner, appInsights, {})).insights).toHaveLength(1);
  });

  test.each(ERAS)('a restart of the daemon is not noticed (%s)', async (era) => {
    const own = await startTestDaemon({ env: { REVERIE_PORT: String(await steadyPort()) } });
    try {
      const host = await connected({ era, to: own });
      await own.restart();
      // The runtime's pool may hold a connection that the daemon closed when it ended; the call after it opens another.
      await expect.poll(() => answered(host, appInsights, {}).catch(String)).toMatchObject({ insights: [] });
    } finally {
      await own.stop();
    }
  });

  test('only the exact words say that apps are shown', () => {
    const says = (capabilities: unknown) => saysItShowsApps({ params: { capabilities } });
    expect(says(SHOWS)).toBe(true);
    for (const other of [
      {},
      undefined,
      { extensions: {} },
      { extensions: { [EXTENSION_ID]: {} } },
      { extensions: { [EXTENSION_ID]: { mimeTypes: ['text/html'] } } },
      { extensions: { [EXTENSION_ID]: { mimeTypes: RESOURCE_MIME_TYPE } } },
    ])
      expect(says(other)).toBe(false);
    for (const message of [null, 'x', [], { params: null }]) expect(saysItShowsApps(message)).toBe(false);
    for (const session of [undefined, '', 'another', ['shows-apps-1']])
      expect(isSessionThatShowsApps(session)).toBe(false);
  });
});
