import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createSettings } from '../config/settings-file.ts';
import { homeAt } from '../platform/home/home.ts';
import { takeLock } from '../platform/home/lock.ts';
import { temporaryFolder } from '../testing.ts';
import { type Ended, has, run } from './fake-terminal.ts';

let home: string;
let file: string;
let remove: () => void;

beforeEach(() => {
  const temporary = temporaryFolder();
  home = path.join(temporary.folder, 'home');
  file = path.join(home, 'config.json');
  remove = temporary.remove;
});
afterEach(() => remove());

const config = (...args: string[]): Promise<Ended> => run({ home }, 'config', ...args);
const written = (): unknown => JSON.parse(fs.readFileSync(file, 'utf8'));

test('a setting is written, read and taken out again, before the first start too', async () => {
  expect(
    await config('set', 'history.max_versions', '200', 'cors.origins', 'https://a.example,https://b.example'),
  ).toEqual({
    code: 0,
    out: 'cors.origins is https://a.example,https://b.example.\nhistory.max_versions is 200.\n',
    err: '',
  });
  expect(written()).toEqual({
    history: { max_versions: 200 },
    cors: { origins: ['https://a.example', 'https://b.example'] },
  });
  expect(fs.statSync(file).mode & 0o777).toBe(0o600);
  expect((await config('get', 'history.max_versions')).out).toBe('200\n');
  expect((await config('get', 'cors.origins')).out).toBe('https://a.example,https://b.example\n');
  expect((await config('get', 'public_url')).out).toBe('');
  expect((await config('unset', 'cors.origins', 'history.max_versions')).out).toContain(
    'max_versions is 50.',
  );
  expect(written()).toEqual({});
});

test('the rest of the file stays as it is, also in its other form', async () => {
  fs.mkdirSync(home, { mode: 0o700 });
  fs.writeFileSync(file, '{"port": 8001, "history.max_days": 7, "log": {"level": "warn"}}');
  await config('set', 'history.max_days', '8');
  expect(written()).toEqual({ port: 8001, log: { level: 'warn' }, history: { max_days: 8 } });
});

test.each([
  [['set', 'port', '80x'], 1, 'The setting port is "80x"'],
  [['set', 'port', '70000'], 1, 'from 0 to 65535'],
  [['set', 'log.level', 'loud'], 1, 'one of: '],
  [['set', 'llm.model', 'm'], 1, 'llm.base_url and llm.model are set together'],
  [['set', 'port'], 2, 'Say the value of port'],
  [['set', 'prot', '1'], 2, 'There is no setting prot. The nearest: port.'],
  [['get', 'history'], 2, 'There are history.max_versions, history.max_days.'],
  [['get', 'zzz'], 2, '`reverie config list` shows all'],
  [['unset', 'zzz'], 2, 'no setting zzz'],
  [['list', 'webhook'], 2, 'There is no setting webhook.'],
])('%j is refused, and nothing is written', async (args, code, told) => {
  expect(await config(...args)).toMatchObject({ code, out: '', err: has(told) });
  expect(fs.existsSync(file)).toBe(false);
});

test('a secret is no setting, and is not repeated', async () => {
  const ended = await config('set', 'llm.api_key', 'sk-very-secret');
  expect(ended).toMatchObject({ code: 2, err: has('reverie secret set NAME') });
  expect(ended.out + ended.err).not.toContain('sk-very-secret');
});

test('says where each value comes from', async () => {
  await config('set', 'port', '8001');
  const env = { REVERIE_LOG_LEVEL: 'warn', REVERIE_PORT: '8002' };
  const { settings } = JSON.parse((await run({ home, env }, 'config', 'list', '--json')).out) as {
    settings: { name: string; value: unknown; from: string; variable: string }[];
  };
  const of = (name: string) => settings.find((one) => one.name === name);
  expect(of('port')).toMatchObject({ value: 8002, from: 'variable', variable: 'REVERIE_PORT' });
  expect(of('log.level')).toMatchObject({ value: 'warn', from: 'variable' });
  expect(of('host')).toMatchObject({ value: '127.0.0.1', from: 'default' });
  expect((await config('list')).out).toMatch(/^port\t8001\tconfig\.json\t/m);
  expect((await config('list', 'history')).out.split('\n').length).toBe(3);
  const person = await run({ home, typed: '', env }, 'config', 'list');
  expect(person).toMatchObject({ out: has('REVERIE_PORT'), err: has(file) });
  const set = await run({ home, env }, 'config', 'set', 'port', '8003');
  expect(set).toMatchObject({ code: 0, out: 'port is 8002.\n', err: has('REVERIE_PORT wins') });
  expect(written()).toEqual({ port: 8003 });
});

test('a wrong value is not hidden by a variable', async () => {
  const ended = await run({ home, env: { REVERIE_PORT: '8002' } }, 'config', 'set', 'port', 'x');
  expect(ended).toMatchObject({ code: 1, err: has('"x"') });
});

test('what runs is told to be started again', async () => {
  await config('set', 'port', '8001');
  const lock = takeLock(homeAt(home));
  try {
    expect((await config('set', 'port', '8002')).err).toContain('until it starts again');
    expect(JSON.parse((await config('unset', 'port', '--json')).out)).toMatchObject({ needs_restart: true });
  } finally {
    lock.release();
  }
});

test('changes of several processes at once are all kept', async () => {
  await config('set', 'port', '8001');
  const names = [
    'history.max_versions',
    'history.max_days',
    'events.retention_days',
    'webhooks.retention_days',
  ];
  const program = `
    import { createSettings } from ${JSON.stringify(new URL('../config/settings-file.ts', import.meta.url).href)};
    const settings = createSettings({ file: process.argv[1], env: {}, flags: {} });
    for (let value = 1; value <= 25; value += 1) settings.change({ [process.argv[2]]: value });`;
  const children = names.map((name) =>
    spawn(process.execPath, ['--input-type=module', '-e', program, file, name], { stdio: 'inherit' }),
  );
  expect(
    await Promise.all(children.map(async (child) => ((await once(child, 'exit')) as [number])[0])),
  ).toEqual([0, 0, 0, 0]);
  const { history, events, webhooks, port } = createSettings({ file, env: {}, flags: {} }).read();
  expect([
    history.max_versions,
    history.max_days,
    events.retention_days,
    webhooks.retention_days,
    port,
  ]).toEqual([25, 25, 25, 25, 8001]);
  expect(fs.readdirSync(home).sort()).toEqual(['config.json', 'config.json.lock.db']);
});
