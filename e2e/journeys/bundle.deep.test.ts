import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { Client as McpClient } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { createClient, type Client } from '@reverie/shared/client';
import { askMemory } from '@reverie/shared/contract/search/ask';
import { dreamStatus, listInsights, startDream } from '@reverie/shared/contract/dreams/dreams';
import { listMemories, setMemory } from '@reverie/shared/contract/memories/memories';
import { searchMemories } from '@reverie/shared/contract/search/search';
import { setSource } from '@reverie/shared/contract/sessions/session-sources';
import { handOver, listSessions } from '@reverie/shared/contract/sessions/sessions';
import { createBackup, health } from '@reverie/shared/contract/system/system';
import { userLine } from '@reverie/session-logs/testing/claude-lines';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const run = promisify(execFile);

/** A folder that holds the bundle, and a Node beside it: nothing of the repository is near. */
let folder: string;
let home: string;
let daemon: ChildProcess | undefined;
let origin: string;

const command = () => join(folder, 'daemon/daemon/bin/reverie.cjs');
/** Without what would let a module be found elsewhere. */
const env = () => ({ PATH: '/usr/bin:/bin', HOME: home, REVERIE_HOME: home, REVERIE_PORT: '0' });
const key = (name: string) => readFileSync(join(home, name), 'utf8').trim();
const call: Client = (...args) => createClient({ origin, key: () => key('owner-key') })(...args);

async function start(): Promise<void> {
  const child = spawn(join(folder, 'node'), [command(), 'start'], {
    cwd: folder,
    env: env(),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  daemon = child;
  for await (const line of createInterface({ input: child.stdout })) {
    const ready = /^Reverie is ready at (\S+)$/.exec(line);
    if (!ready?.[1]) continue;
    origin = ready[1];
    return;
  }
  throw new Error('The bundle did not start');
}

async function end(signal: NodeJS.Signals): Promise<void> {
  if (daemon?.exitCode === null && daemon.signalCode === null) {
    daemon.kill(signal);
    await once(daemon, 'exit');
  }
  daemon = undefined;
}

const reverie = async (...args: string[]) =>
  (await run(join(folder, 'node'), [command(), ...args], { cwd: folder, env: env() })).stdout.trim();

describe('the bundle of the daemon', () => {
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'reverie-bundle-'));
    await run(process.execPath, [join(ROOT, 'scripts/build-daemon.ts'), join(folder, 'daemon')], {
      cwd: ROOT,
    });
    cpSync(process.execPath, join(folder, 'node'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  beforeEach(async () => {
    home = join(mkdtempSync(join(folder, 'of-a-test-')), 'home');
    mkdirSync(home, { mode: 0o700 });
    await start();
  });
  afterEach(() => end('SIGKILL'));

  test('names no folder of the repository, and has one file for each process', () => {
    const files = readdirSync(join(folder, 'daemon/daemon')).filter((name) => name.endsWith('.js'));
    expect(files.sort()).toEqual([
      'embedding-worker.js',
      'grep-worker.js',
      'keychain-probe.js',
      'log-thread.js',
      'pdf-worker.js',
      'redaction-worker.js',
      'reverie.js',
      'verify-worker.js',
      'worker.js',
    ]);
    for (const file of files)
      expect(readFileSync(join(folder, 'daemon/daemon', file), 'utf8').includes(ROOT)).toBe(false);
  });

  test('stores, searches and answers, by words and by meaning', async () => {
    expect((await call(health, {})).status).toBe('ready');
    await call(setMemory, { body: { key: 'boiler', value: 'Anna serviced the boiler in May 2026.' } });
    await call(setMemory, { body: { key: 'tea', value: 'Green tea is brewed at 80 degrees.' } });
    const { results } = await call(searchMemories, { body: { query: 'temperature for a hot drink' } });
    expect(results[0]?.key).toBe('tea');
    const answer = await call(askMemory, { body: { question: 'Who serviced the boiler?' } });
    expect([answer.found, answer.citations[0]?.key]).toEqual([true, 'boiler']);
  });

  test('reads the log of an agent in its thread, and takes secrets out in another', async () => {
    const root = join(folder, 'logs');
    const secret = `ghp_${'a1B2c3D4e5F6g7H8i9J0'.repeat(2).slice(0, 36)}`;
    const file = join(root, '-app', '3f2a6c1e-8b1d-4c55-9a55-0d6c2f0e7a11.jsonl');
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, `${JSON.stringify(userLine('u1', `Why is ${secret} refused?`))}\n`);
    await call(setSource, { params: { agent: 'claude-code' }, body: { enabled: true, root } });
    await expect.poll(async () => (await call(listSessions, { query: {} })).sessions.length).toBe(1);
    const id = (await call(listSessions, { query: {} })).sessions[0]?.id ?? '';
    const { markdown, redactions } = await call(handOver, { params: { id }, query: {} });
    expect(markdown).toContain('Why is [REDACTED:');
    expect([markdown.includes(secret), redactions > 0]).toEqual([false, true]);
  });

  test('dreams in its thread', async () => {
    await call(setMemory, { body: { key: 'a', value: 'The garage code is 4711.' } });
    await call(setMemory, { body: { key: 'b', value: 'the garage  code is 4711.' } });
    await expect
      .poll(async () => (await call(health, {})).indexing)
      .toEqual({ pending: 0, facts_pending: 0 });
    const { id } = await call(startDream, { body: { namespace: 'default' } });
    await expect.poll(async () => (await call(dreamStatus, { params: { id } })).status).toBe('complete');
    const { insights } = await call(listInsights, { query: { status: 'proposed' } });
    expect(insights.map(({ evidence }) => evidence)).toContainEqual(['a', 'b']);
  });

  test('serves the page, the reference and what agents read', async () => {
    const page = await (await fetch(origin, { headers: { accept: 'text/html' } })).text();
    const script = /src="(\/assets\/[^"]+\.js)"/.exec(page)?.[1];
    expect((await fetch(origin + (script ?? ''))).status).toBe(200);
    for (const path of [
      '/docs',
      '/docs/swagger-ui.css',
      '/docs/swagger-ui-bundle.js',
      '/llms.txt',
      '/docs/agents',
      '/docs/guide',
      '/docs/guide/start',
      '/docs/guide.css',
      '/docs/decisions',
      '/docs/relay',
      '/docs/reliability',
      '/docs/pictures/today-light.png',
    ])
      expect([path, (await fetch(origin + path)).status]).toEqual([path, 200]);
    const document = (await (await fetch(`${origin}/v1/openapi.json`)).json()) as { paths: object };
    expect(Object.keys(document.paths).length).toBeGreaterThan(50);
  });

  test('serves agents over MCP, by a pipe and by HTTP, and their hooks', async () => {
    const client = new McpClient({ name: 'test', version: '1' });
    await client.connect(
      new StdioClientTransport({
        command: join(folder, 'node'),
        args: [command(), 'mcp'],
        cwd: folder,
        env: env(),
      }),
    );
    await client.callTool({ name: 'memory_set', arguments: { key: 'soup', value: 'Lentils and cumin' } });
    const found = await client.callTool({ name: 'memory_search', arguments: { query: 'soup' } });
    expect(JSON.stringify(found.content)).toContain('Lentils and cumin');
    await client.close();
    const { memories } = await call(listMemories, { body: { namespace: '*' } });
    expect(memories.map((one) => one.key)).toEqual(['soup']);
    const unknown = await fetch(`${origin}/mcp`, { method: 'POST', body: '{}' });
    expect(unknown.status).toBe(401);
    // Outside of a project there is nothing to say, and nothing fails.
    expect(await reverie('hook', 'start', '--agent', 'claude-code')).toBe('');
  });

  test('keeps what it answered when it is killed', async () => {
    for (const at of [1, 2, 3, 4, 5])
      await call(setMemory, { body: { key: `k${at}`, value: `Value ${at}` } });
    await end('SIGKILL');
    await start();
    expect((await call(listMemories, { body: {} })).total).toBe(5);
    await end('SIGTERM');
    expect(
      await reverie('doctor', '--json').catch((cause: unknown) =>
        String((cause as { stdout?: unknown }).stdout),
      ),
    ).toContain('it is whole');
  });

  test('does with its command line what a person does, and verifies a backup in its thread', async () => {
    await reverie('set', 'note', 'From the command line');
    expect(await reverie('get', 'note')).toContain('From the command line');
    expect(await reverie('status')).toMatch(/1 memory/);
    const { memories, file } = await call(createBackup, { body: {} });
    expect([memories, file.startsWith(home)]).toEqual([1, true]);
  });
});
