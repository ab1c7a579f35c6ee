import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Refusal } from '../platform/home/home.ts';
import { temporaryFolder } from '../testing.ts';
import { resolveConfig, settings, variableOf } from './config.ts';

let temporary: { folder: string; remove: () => void };
beforeEach(() => {
  temporary = temporaryFolder();
});
afterEach(() => temporary.remove());

function resolve({
  file,
  env = {},
  flags = {},
}: {
  file?: string;
  env?: Record<string, string>;
  flags?: Record<string, string>;
}) {
  const at = path.join(temporary.folder, 'config.json');
  if (file !== undefined) fs.writeFileSync(at, file);
  return resolveConfig({ file: at, env, flags });
}
function refusal(given: Parameters<typeof resolve>[0]): string {
  try {
    resolve(given);
  } catch (cause) {
    if (cause instanceof Refusal) return cause.message;
    throw cause;
  }
  throw new Error('expected a refusal');
}

describe('settings', () => {
  test('have their defaults without any file', () => {
    expect(resolve({})).toMatchObject({
      host: '127.0.0.1',
      port: 7337,
      allow_remote: false,
      allowed_hosts: [],
      history: { max_versions: 50, max_days: 365 },
      trash: { days: 30 },
      log: { level: 'info' },
    });
    expect(resolve({}).tls).toBeUndefined();
  });

  test('flags win over variables, and variables over the file', () => {
    const file = '{"port": 8001, "history": {"max_versions": 1, "max_days": 1}}';
    const env = { REVERIE_HISTORY_MAX_VERSIONS: '2', REVERIE_HISTORY_MAX_DAYS: '2' };
    expect(resolve({ file, env, flags: { 'history.max_days': '3' } })).toMatchObject({
      port: 8001,
      history: { max_versions: 2, max_days: 3 },
    });
  });

  test('every setting has a variable of its own', () => {
    const names = settings().map(({ name }) => variableOf(name));
    expect(names).toEqual(
      expect.arrayContaining([
        'REVERIE_PORT',
        'REVERIE_TLS_CERT',
        'REVERIE_CORS_ORIGINS',
        'REVERIE_LIMITS_REQUESTS_PER_DAY',
      ]),
    );
    expect(new Set(names).size).toBe(names.length);
    expect(names).not.toContain('REVERIE_HOME');
  });

  test('a variable is read as what the setting is', () => {
    const env = {
      REVERIE_ALLOW_REMOTE: '1',
      REVERIE_CORS_ORIGINS: 'https://a.example, https://b.example',
      REVERIE_TLS_CERT: 'c',
      REVERIE_TLS_KEY: 'k',
      REVERIE_PORT: ' 8080 ',
    };
    expect(resolve({ env })).toMatchObject({
      allow_remote: true,
      cors: { origins: ['https://a.example', 'https://b.example'] },
      tls: { cert: 'c', key: 'k' },
      port: 8080,
    });
  });

  test.each([
    [{ env: { REVERIE_PORT: '65536' } }, ['port', '65536', 'REVERIE_PORT']],
    [{ env: { REVERIE_PORT: '80.5' } }, ['port', '80.5']],
    [{ env: { REVERIE_PORT: 'x' } }, ['port', 'x']],
    [{ env: { REVERIE_ALLOW_REMOTE: 'yes' } }, ['allow_remote', 'yes']],
    [{ env: { REVERIE_LOG_LEVEL: 'loud' } }, ['log.level', 'loud', 'debug']],
    [{ env: { REVERIE_CORS_ORIGINS: 'example' } }, ['cors.origins', 'example']],
    [{ env: { REVERIE_TLS_CERT: 'c' } }, ['tls.key']],
    [{ flags: { 'history.max_days': '0' } }, ['history.max_days', '0', 'command line']],
    [{ flags: { nonsense: '1' } }, ['nonsense', 'port']],
    [{ file: '{"port": "7337"}' }, ['port', '7337', 'config.json']],
    [{ file: '{"nonsense": 1}' }, ['nonsense', 'config.json']],
    [{ file: '{"history": {"max": 1}}' }, ['history.max', 'config.json']],
    [{ file: '{"history": 3}' }, ['history', '3']],
    [{ file: '{' }, ['config.json', 'not JSON']],
    [{ file: '[]' }, ['not a JSON object']],
    [{ file: '{"port": -1, "log": {"level": 1}}' }, ['port', '-1', 'log.level']],
  ])('%j is refused with its name, its value and what is allowed', (given, told) => {
    const message = refusal(given);
    for (const part of told) expect(message).toContain(part);
    expect(message).not.toMatch(/Invalid|Too (small|big)|expected/);
  });

  test.each([
    [
      { flags: { port: '80x' } },
      'The setting port is "80x" (from the command line): must be a whole number from 0 to 65535',
    ],
    [
      { env: { REVERIE_ALLOW_REMOTE: 'yes' } },
      'is "yes" (from the variable REVERIE_ALLOW_REMOTE): must be true or false',
    ],
    [{ env: { REVERIE_TLS_CERT: 'c' } }, 'The setting tls.key is required'],
    [{ env: { REVERIE_LOG_LEVEL: 'loud' } }, 'must be one of: '],
    [{ env: { REVERIE_PUBLIC_URL: 'here' } }, 'is not a URL such as http'],
    [{ flags: { host: '' } }, 'must be an address or a name'],
    [{ file: '{"mail": {"smtp": {"user": 7}}}' }, 'must be a string'],
    [{ file: '{"allowed_hosts": "a"}' }, 'must be a list'],
    [{ file: '{"history": 3}' }, 'must be an object'],
  ])('%j is refused in plain words', (given, told) => expect(refusal(given)).toContain(told));

  test('a port at which no browser opens a page is refused; a mail server may have it', () => {
    expect(refusal({ flags: { port: '6667' } })).toContain('browsers open no page at this port');
    expect(resolve({ env: { REVERIE_MAIL_SMTP_PORT: '25' } }).mail.smtp.port).toBe(25);
  });
});
