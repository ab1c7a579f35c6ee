import { describe, expect, test } from 'vitest';
import { isOnThisMachine, ollamaOrigin, placesToLook } from './places.ts';

describe('OLLAMA_HOST', () => {
  test.each([
    ['127.0.0.1', 'http://127.0.0.1:11434'],
    ['127.0.0.1:8080', 'http://127.0.0.1:8080'],
    [':56789', 'http://127.0.0.1:56789'],
    ['localhost', 'http://127.0.0.1:11434'],
    ['LOCALHOST:1', 'http://127.0.0.1:1'],
    ['0.0.0.0', 'http://127.0.0.1:11434'],
    ['0.0.0.0:9999', 'http://127.0.0.1:9999'],
    ['http://127.0.0.1', 'http://127.0.0.1:80'],
    ['http://127.0.0.1:11500/', 'http://127.0.0.1:11500'],
    ['https://localhost', 'https://127.0.0.1:443'],
    ['[::1]', 'http://[::1]:11434'],
    ['[::]:1337', 'http://[::1]:1337'],
    ['::1', 'http://[::1]:11434'],
    [' "127.0.0.2:4000" ', 'http://127.0.0.2:4000'],
  ])('%s is %s', (value, origin) => {
    expect(ollamaOrigin(value)).toBe(origin);
  });

  test.each([
    '',
    '   ',
    'example.com',
    '192.168.1.5:11434',
    'http://10.0.0.1',
    '[fe80::1]:11434',
    '[2001:db8::1]',
    '127.0.0.1:0',
    '127.0.0.1:70000',
    '127.0.0.1:x',
    'http://user:pw@127.0.0.1:1',
    'http://127.0.0.1:1/path',
    'ftp://127.0.0.1',
    '127.0.0.1.example.com',
    'localhost.example.com:1',
  ])('%j is no place on this machine', (value) => {
    expect(ollamaOrigin(value)).toBeUndefined();
  });

  test('it comes first, no place twice, and Reverie itself is none', () => {
    const look = (ollamaHost: string | undefined, own = 0) =>
      placesToLook([11_434, 8080], { ollamaHost, isOwn: (port) => port === own });
    expect(look(':9000')).toEqual([
      'http://127.0.0.1:9000',
      'http://127.0.0.1:11434',
      'http://127.0.0.1:8080',
    ]);
    expect(look('0.0.0.0')).toEqual(['http://127.0.0.1:11434', 'http://127.0.0.1:8080']);
    expect(look('evil.example:8080', 8080)).toEqual(['http://127.0.0.1:11434']);
    expect(look(':8080', 8080)).toEqual(['http://127.0.0.1:11434']);
  });

  test('an address is on this machine by its host alone', () => {
    const here = ['http://localhost:1', 'http://127.9.9.9', 'http://[::1]:1', 'http://[::ffff:127.0.0.1]:1'];
    expect(here.map(isOnThisMachine)).toEqual([true, true, true, true]);
    const elsewhere = ['http://10.0.0.1', 'http://localhost.example.com', 'http://[fe80::1]:1'];
    expect(elsewhere.map(isOnThisMachine)).toEqual([false, false, false]);
  });
});
