import { expect, test } from 'vitest';
import { readNamed } from './named-draft.ts';

const aFault: unknown = expect.any(String);

test('an address may end with a slash and have blanks around it', () => {
  expect(readNamed({ server: ' http://127.0.0.1:8081/ ', name: ' qwen3.5:4b ' })).toEqual({
    ok: true,
    named: { server: 'http://127.0.0.1:8081', name: 'qwen3.5:4b' },
  });
});

test.each([
  ['', 'qwen'],
  ['127.0.0.1:8081', 'qwen'],
  ['ftp://127.0.0.1', 'qwen'],
  ['http://127.0.0.1:8081/v1', 'qwen'],
  ['javascript:alert(1)', 'qwen'],
])('the address %j is told to be wrong', (server, name) => {
  expect(readNamed({ server, name })).toEqual({ ok: false, faults: { server: aFault } });
});

test('a model needs a name', () => {
  expect(readNamed({ server: 'http://127.0.0.1:8081', name: ' ' })).toEqual({
    ok: false,
    faults: { name: aFault },
  });
});
