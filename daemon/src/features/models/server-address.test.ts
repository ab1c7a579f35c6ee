import { describe, expect, test } from 'vitest';
import { baseUrlOf, isOfCloud, staysOnThisMachine, serverOf, whatIsWrongWith } from './server-address.ts';

describe('the address of a server', () => {
  test.each([
    ['http://127.0.0.1:11434', 'http://127.0.0.1:11434/v1', 'http://127.0.0.1:11434'],
    ['http://localhost:1234/', 'http://localhost:1234/v1', 'http://localhost:1234'],
    ['http://[::1]:8080/v1/', 'http://[::1]:8080/v1', 'http://[::1]:8080'],
    ['https://models.example/api/v1', 'https://models.example/api/v1', 'https://models.example/api/v1'],
  ])('%s stands for %s', (given, baseUrl, server) => {
    expect(baseUrlOf(given)).toBe(baseUrl);
    expect(serverOf(baseUrl)).toBe(server);
    expect(baseUrlOf(server)).toBe(baseUrl);
  });

  test.each([
    ['http://localhost:1', true],
    ['http://127.8.9.1:1', true],
    ['http://0x7f.1:1', true],
    ['http://[::1]:1', true],
    ['http://127.0.0.1.example:1', false],
    ['http://localhost.example', false],
    ['http://192.168.0.2:11434', false],
    ['http://[::ffff:10.0.0.1]', false],
    ['http://0.0.0.0:11434', false],
  ])('%s is on this machine: %s', (address, is) => expect(staysOnThisMachine(address)).toBe(is));

  test.each([
    ['http://me@127.0.0.1', /name or a password/u],
    ['http://127.0.0.1/?key=1', /without/u],
    ['http://127.0.0.1/#a', /without/u],
  ])('%s is refused', (given, why) => expect(whatIsWrongWith(given)).toMatch(why));

  test('a model that Ollama asks elsewhere is told by its name', () => {
    expect(['glm-4.6:cloud', 'gpt-oss:120b-cloud', 'qwen3.5:4b', 'cloud-words:1b'].map(isOfCloud)).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });
});
