import { execFile, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { seconds } from '@reverie/shared/testing/patience';
import { startTestDaemon, type TestDaemon } from '../../daemon/src/testing.ts';

const ROOT = path.join(import.meta.dirname, '../..');
const page = fs.readFileSync(path.join(ROOT, 'docs/agents.md'), 'utf8');
const folder = fs.mkdtempSync(path.join(tmpdir(), 'reverie-agents-page-'));
const run = promisify(execFile);

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startTestDaemon();
  await run(
    process.execPath,
    ['scripts/build-client.ts', path.join(folder, 'node_modules/@reverie/client')],
    {
      cwd: ROOT,
    },
  );
}, seconds(60));
afterAll(async () => {
  await daemon.stop();
  fs.rmSync(folder, { recursive: true, force: true });
});

/** The fenced pieces of the page in one language, in order. */
function snippets(language: string): string[] {
  return [...page.matchAll(/^```(\w+)\n(.*?)^```$/gms)].flatMap(([, of, text]) =>
    of === language && text !== undefined ? [text] : [],
  );
}

/** Runs a snippet as a reader would, and answers what it prints; a snippet that fails throws. */
async function printed(command: string, args: string[]): Promise<string> {
  const env = { ...process.env, REVERIE_URL: daemon.origin, REVERIE_KEY: daemon.apiKey };
  return (await run(command, args, { cwd: folder, env })).stdout;
}

const has = (command: string) => spawnSync(command, ['--version']).status === 0;

describe('the page for agents', () => {
  test('has no snippet that no test runs', () => {
    const languages = [...page.matchAll(/^```(\w+)$/gm)].map(([, language]) => language);
    expect(languages).toEqual(['sh', 'sh', 'ts', 'py']);
  });

  test.runIf(has('curl'))('its curl snippets store, search and ask, also by A2A', async () => {
    const [rest = '', a2a = ''] = snippets('sh');
    const replies = await printed('sh', ['-euc', rest]);
    expect(replies).toContain('"success":true');
    expect(replies).toMatch(/"certainty":"(sure|likely|unsure)"/);
    const { result } = JSON.parse(await printed('sh', ['-euc', a2a])) as {
      result: { message: { role: string; parts: { text?: string }[] } };
    };
    expect(result.message).toMatchObject({ role: 'ROLE_AGENT' });
    expect(result.message.parts[0]?.text).toContain('Tuesdays');
  });

  test('its TypeScript snippet runs with the packed client', async () => {
    const [text = ''] = snippets('ts');
    fs.writeFileSync(path.join(folder, 'snippet.mts'), text);
    const out = await printed(process.execPath, ['snippet.mts']);
    expect(out).toMatch(/^unsure Not sure\.[^\n]*\n.*Tuesdays/);
    expect(out).toContain('\ndeploy-day\nmemory.');
    expect(out).toMatch(/not there\n$/);
  });

  // Where there is no python3 this is skipped: the snippet needs nothing but its standard library.
  test.runIf(has('python3'))('its Python snippet runs with the standard library', async () => {
    const [text = ''] = snippets('py');
    expect(await printed('python3', ['-c', text])).toMatch(/^unsure Not sure\.[^\n]*\n.*Tuesdays/);
  });

  test('is served as it is written, and so is llms.txt, whose addresses all answer', async () => {
    const served = await daemon.ask({ path: '/docs/agents', key: null });
    expect([served.status, served.headers['content-type'], served.text]).toEqual([
      200,
      'text/plain; charset=utf-8',
      page,
    ]);
    const { text } = await daemon.ask({ path: '/llms.txt', key: null });
    const addresses = [...`${text}${page}`.matchAll(/\]\((\/[^)]+)\)/g)].map(([, address]) => address ?? '');
    expect(addresses).toContain('/.well-known/agent-card.json');
    for (const address of new Set(addresses))
      expect([address, (await daemon.ask({ path: address, key: null })).status]).toEqual([address, 200]);
    const routes = [...text.matchAll(/`(GET|POST) (\/v1\/[\w/{}-]+)`/g)].map(([, method, at]) => ({
      method,
      at,
    }));
    expect(routes).toHaveLength(9);
    const { json } = await daemon.ask({ path: '/v1/openapi.json', key: null });
    for (const { method = '', at = '' } of routes)
      expect(json['paths'], at).toHaveProperty([at.slice('/v1'.length), method.toLowerCase()]);
  });
});
