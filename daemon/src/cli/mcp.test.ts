import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { getToolUiResourceUri, isToolVisibilityAppOnly } from '@modelcontextprotocol/ext-apps/app-bridge';
import { EXTENSION_ID, RESOURCE_MIME_TYPE } from '@modelcontextprotocol/ext-apps/server';
import { createClient } from '@reverie/shared/client';
import { addEntries, createSession } from '@reverie/shared/contract/sessions/sessions';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { cases, isDeep } from '@reverie/shared/testing/depth';
import { homeAt } from '../platform/home/home.ts';
import { readDaemonFile } from '../platform/home/daemon-file.ts';
import { temporaryFolder } from '../testing.ts';

/** Another build may be under test: the bundle of the desktop app. */
const BIN = process.env['REVERIE_COMMAND'] ?? path.join(import.meta.dirname, '../../bin/reverie.cjs');

describe('reverie mcp', () => {
  let folder: string;
  let remove: () => void;
  const clients: Client[] = [];

  beforeEach(() => {
    ({ folder, remove } = temporaryFolder());
  });

  afterEach(async () => {
    for (const client of clients.splice(0)) await client.close();
    const pid = readDaemonFile(homeAt(folder))?.pid;
    if (pid !== undefined) await ended(pid, 'SIGTERM');
    remove();
  });

  async function ended(pid: number, signal: NodeJS.Signals): Promise<void> {
    process.kill(pid, signal);
    const isThere = () => {
      try {
        return process.kill(pid, 0);
      } catch {
        return false;
      }
    };
    while (isThere()) await pause(20);
  }

  test('serves nothing to an agent that is asked as a model', async () => {
    const env = { ...process.env, REVERIE_HOME: folder, REVERIE_INSIDE_MODEL: '1' };
    const child = spawn(process.execPath, [BIN, 'mcp'], { env, stdio: 'pipe' });
    let [out, err] = ['', ''];
    child.stdout.on('data', (piece: Buffer) => (out += piece.toString()));
    child.stderr.on('data', (piece: Buffer) => (err += piece.toString()));
    await once(child, 'close');
    expect({ code: child.exitCode, out }).toEqual({ code: 1, out: '' });
    expect(err).toContain('Reverie asks this agent as a model, and serves it nothing');
    expect(fs.readdirSync(folder)).toEqual([]);
  });

  async function connected(
    era: 'legacy' | 'auto',
    { cwd = folder, args = [] as string[], capabilities = {} } = {},
  ) {
    const client = new Client(
      { name: 'test', version: '1' },
      { versionNegotiation: { mode: era }, capabilities },
    );
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [BIN, 'mcp', ...args],
      cwd,
      env: {
        ...(process.env as Record<string, string>),
        REVERIE_HOME: folder,
        REVERIE_PORT: '0',
        REVERIE_NAMESPACE: '',
      },
      stderr: 'ignore',
    });
    const failed: Error[] = [];
    client.onerror = (error) => failed.push(error);
    await client.connect(transport);
    clients.push(client);
    return { client, failed };
  }

  async function told(client: Client, name: string, args: Record<string, unknown>): Promise<string> {
    const [first] = (await client.callTool({ name, arguments: args })).content;
    return first?.type === 'text' ? first.text : '';
  }

  test.each(cases(['auto', 'legacy'] as const))(
    'starts the daemon where none runs, outlives its death, and says nothing else on its output (%s)',
    async (era) => {
      const { client, failed } = await connected(era, { args: ['--tools', 'all'] });
      expect((await client.listTools()).tools).toHaveLength(17);
      expect(await told(client, 'memory_set', { value: 'Kept through it all', key: 'kept' })).toContain(
        'Saved',
      );
      const pid = readDaemonFile(homeAt(folder))?.pid ?? 0;
      await ended(pid, 'SIGKILL');
      const texts = await Promise.all([
        told(client, 'memory_get', { key: 'kept' }),
        told(client, 'memory_search', { query: 'kept' }),
      ]);
      for (const text of texts) expect(text).toContain('Kept through it all');
      expect(readDaemonFile(homeAt(folder))?.pid).not.toBe(pid);
      expect(failed).toEqual([]);
    },
  );

  test.each(cases(['auto', 'legacy'] as const))(
    'shows its app where the client shows apps (%s)',
    async (era) => {
      const capabilities = { extensions: { [EXTENSION_ID]: { mimeTypes: [RESOURCE_MIME_TYPE] } } };
      const { client, failed } = await connected(era, { capabilities });
      const { tools } = await client.listTools();
      expect(tools.map(getToolUiResourceUri).find((uri) => uri !== undefined)).toBe('ui://reverie/app');
      expect(tools.filter(isToolVisibilityAppOnly)).toHaveLength(3);
      const { structuredContent } = await client.callTool({ name: 'app_insights', arguments: {} });
      expect(structuredContent).toEqual({ insights: [], next: null });
      expect(failed).toEqual([]);
    },
  );

  test.each(cases(['auto', 'legacy'] as const))(
    'goes on with a session that is in the daemon (%s)',
    async (era) => {
      const { client, failed } = await connected(era, { args: ['--tools', 'all'] });
      expect(await told(client, 'session_list', {})).toContain('0 sessions');
      const { id, namespace } = await beginSession();
      expect(namespace).toBe('default');
      expect(await told(client, 'session_list', {})).toContain(`session="${id}"`);
      expect(await told(client, 'session_handover', { id })).toContain('a token bucket');
      const uri = `reverie://sessions/${id}`;
      expect((await client.listResources()).resources.map((one) => one.uri)).toContain(uri);
      expect(JSON.stringify(await client.readResource({ uri }))).toContain('a token bucket');
      const { messages } = await client.getPrompt({ name: 'go_on', arguments: { session: id } });
      expect(JSON.stringify(messages)).toContain('a token bucket');
      expect(failed).toEqual([]);
    },
  );

  /** Writes a session into the daemon that the client started. */
  async function beginSession() {
    const home = homeAt(folder);
    const call = createClient({
      origin: readDaemonFile(home)?.origin ?? '',
      key: () => fs.readFileSync(home.ownerKey, 'utf8').trim(),
    });
    const session = await call(createSession, { body: { agent: 'codex', title: 'Rate limits' } });
    const entries = [
      { kind: 'prompt' as const, text: 'Add rate limits' },
      { kind: 'answer' as const, text: 'We decided to use a token bucket.' },
    ];
    await call(addEntries, { params: { id: session.id }, body: { entries } });
    return session;
  }

  test('each line is answered, also with a mark before it, with null, or where it is no message', async () => {
    const server = spawn(process.execPath, [BIN, 'mcp'], {
      cwd: folder,
      env: { ...process.env, REVERIE_HOME: folder, REVERIE_PORT: '0', REVERIE_NAMESPACE: 'lines' },
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    const params = {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo: { name: 't', version: '1' },
    };
    const call = (id: number, name: string, args: object) =>
      JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: args } });
    const lines = [
      `\ufeff${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params })}`,
      '{"jsonrpc":"2.0","method":"notifications/initialized","params":null}',
      '\ufeff{"jsonrpc":"2.0","id":2,"method":"tools/list","params":null}',
      'not json',
      '{"jsonrpc":"2.0","id":3,"method":"tools/call","params":[]}',
      '{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":7}}',
      call(5, 'memory_set', { value: 'The kettle is blue.', key: null, tags: null }),
    ];
    server.stdin.write(`${lines.join('\n')}\n`);
    const replies: { id: unknown; error?: { code: number }; result?: { isError?: boolean } }[] = [];
    for await (const line of createInterface(server.stdout)) {
      replies.push(JSON.parse(line) as (typeof replies)[number]);
      if (replies.length === 6) break;
    }
    server.stdin.end();
    await once(server, 'close');
    const outcome = replies.map(({ id, error, result }) => [id, error?.code ?? result?.isError ?? 'done']);
    expect(outcome.sort()).toEqual([
      [null, -32700],
      [1, 'done'],
      [2, 'done'],
      [3, -32602],
      [4, -32602],
      [5, 'done'],
    ]);
  });

  test('the namespace follows the folder, unless it is said', async () => {
    const repository = path.join(folder, 'work');
    fs.mkdirSync(repository);
    execFileSync('git', ['init', '-q'], { cwd: repository });
    execFileSync('git', ['remote', 'add', 'origin', 'git@github.com:acme/api.git'], { cwd: repository });
    const inside = await connected('auto', { cwd: repository });
    expect(await told(inside.client, 'memory_set', { value: 'Of the API', key: 'a' })).toContain(
      'namespace: "project/acme/api"\n',
    );
    fs.writeFileSync(path.join(repository, 'retry.ts'), 'function retry() {\n  return 3;\n}\n');
    const anchored = { value: 'The cockatrice retries thrice.', key: 'c', anchors: ['retry.ts#retry'] };
    expect(await told(inside.client, 'memory_set', anchored)).toContain('Anchored to retry.ts:1-3.');
    fs.writeFileSync(path.join(repository, 'retry.ts'), 'function retry() {\n  return 4;\n}\n');
    expect(await told(inside.client, 'memory_search', { query: 'cockatrice' })).toContain(
      ' code="the code has changed since: retry.ts:1-3 (retry), see lines 1-3"',
    );
    const outside = await connected('auto');
    expect(await told(outside.client, 'memory_search', { query: 'Of the API' })).toContain(
      'namespace: "default" (no project was named',
    );
    const named = await connected('auto', { cwd: repository, args: ['-n', 'mine'] });
    const elsewhere = await told(named.client, 'memory_search', { query: 'nothing of the kind' });
    expect(elsewhere).toContain('namespace: "mine"\n');
  });

  if (isDeep)
    test('an agent has a key of its own where there is one, and a wrong one is told', async () => {
      const { client } = await connected('auto');
      await told(client, 'memory_set', { value: 'x', key: 'x' });
      const home = homeAt(folder);
      fs.mkdirSync(home.agentKeys);
      fs.writeFileSync(path.join(home.agentKeys, 'codex'), 'rv_live_wrong\n', { mode: 0o600 });
      const wrong = await connected('auto', { args: ['--agent', 'codex'] });
      expect(await told(wrong.client, 'memory_get', { key: 'x' })).toContain('unauthorized');
      const unknown = await connected('auto', { args: ['--agent', 'somebody'] });
      expect(await told(unknown.client, 'memory_get', { key: 'x' })).toContain('1 characters');
    });
});
