import { execFile } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { createKey } from '@reverie/shared/contract/accounts/keys';
import { steadyPort } from '@reverie/shared/testing/steady-port';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { seconds } from '@reverie/shared/testing/patience';
import { hasBrowser } from '../chromium.ts';
import { openWorld, type World } from '../world.ts';

const ROOT = path.join(import.meta.dirname, '../..');
const folder = fs.mkdtempSync(path.join(tmpdir(), 'reverie-client-'));
const packed = path.join(folder, 'node_modules/@reverie/client');
const run = promisify(execFile);

let world: World;
let site: string;
let key: string;
const server = createServer((request, response) => {
  const isModule = request.url === '/index.js';
  response.setHeader('Content-Type', isModule ? 'text/javascript' : 'text/html');
  response.end(
    isModule ? fs.readFileSync(path.join(packed, 'index.js')) : '<!doctype html><title>A program</title>',
  );
});

beforeAll(async () => {
  await run(process.execPath, ['scripts/build-client.ts', packed], { cwd: ROOT });
  const port = await steadyPort();
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  site = `http://127.0.0.1:${port}`;
  world = await openWorld({ REVERIE_CORS_ORIGINS: site });
  ({ key } = await world.daemon.call(createKey, { body: { name: 'program' } }));
}, seconds(120));
afterAll(async () => {
  server.close();
  await world.close();
  fs.rmSync(folder, { recursive: true, force: true });
});

/** What a program does, as text: the same in Node and in a browser. */
const PROGRAM = `
  const reverie = createReverie({ origin, key });
  const stream = reverie.events({ topics: ['memory'], since: 0 });
  await reverie.call(memories.setMemory, { body: { namespace, key: 'passport', value: 'My passport expires on 3 March 2031.' } });
  const { answer } = await reverie.call(ask.askMemory, { body: { namespace, question: 'When does my passport expire?' } });
  const keys = [];
  for await (const { key } of reverie.memories({ namespace })) keys.push(key);
  let told;
  for await (const followed of stream) {
    told = followed.event.namespace;
    if (told === namespace) break;
  }
  const code = await reverie.call(memories.getMemory, { body: { key: 'none' } }).catch((error) => error.code);
  return { answer, keys, told, code };
`;
const expected = (namespace: string) => ({
  answer: expect.stringContaining('3 March 2031') as string,
  keys: ['passport'],
  told: namespace,
  code: 'memory_not_found',
});

test('the packed client runs in Node', async () => {
  const file = path.join(folder, 'program.mjs');
  const given = JSON.stringify({ origin: world.daemon.origin, key, namespace: 'node' });
  fs.writeFileSync(
    file,
    `import { ask, createReverie, memories } from '@reverie/client';
const { origin, key, namespace } = ${given};
const result = await (async () => {${PROGRAM}})();
process.stdout.write(JSON.stringify(result));`,
  );
  const { stdout } = await run(process.execPath, [file]);
  expect(JSON.parse(stdout)).toEqual(expected('node'));
});

test(
  'its types hold in a strict program, and refuse what the contract does',
  async () => {
    const modules = path.join(folder, 'node_modules');
    fs.symlinkSync(path.join(ROOT, 'node_modules/zod'), path.join(modules, 'zod'));
    fs.writeFileSync(path.join(folder, 'package.json'), '{"type":"module"}');
    fs.writeFileSync(
      path.join(folder, 'program.ts'),
      `import { createReverie, memories } from '@reverie/client';
const reverie = createReverie({ origin: 'http://127.0.0.1:7337', key: 'k' });
const { value }: { value: string } = await reverie.call(memories.getMemory, { body: { key: 'a' } });
// @ts-expect-error a number is no key
await reverie.call(memories.getMemory, { body: { key: 1 } });
console.log(value);`,
    );
    // A configuration of its own: one further up, above the folder for temporary files, would be told as an error.
    fs.writeFileSync(
      path.join(folder, 'tsconfig.json'),
      JSON.stringify({
        compilerOptions: {
          noEmit: true,
          strict: true,
          module: 'nodenext',
          target: 'es2024',
          lib: ['es2024', 'dom', 'esnext'],
          types: [],
        },
        files: ['program.ts'],
      }),
    );
    const told = await run(process.execPath, [path.join(ROOT, 'node_modules/typescript/bin/tsc')], {
      cwd: folder,
    }).then(
      ({ stdout }) => stdout,
      // It tells on its output what is wrong.
      (failed: unknown) => {
        const { stdout, stderr } = failed as { stdout: string; stderr: string };
        return stdout + stderr || 'nothing was told';
      },
    );
    expect(told).toBe('');
  },
  seconds(60),
);

test.runIf(hasBrowser)(
  'the packed client runs in Chromium, from a page of an origin that is allowed',
  async () => {
    const page = await world.visit();
    await page.goto(site);
    const result = await page.evaluate(
      `(async () => {
      const { ask, createReverie, memories } = await import('/index.js');
      const { origin, key, namespace } = ${JSON.stringify({ origin: world.daemon.origin, key, namespace: 'page' })};
      ${PROGRAM}
    })()`,
    );
    expect(result).toEqual(expected('page'));
  },
);
