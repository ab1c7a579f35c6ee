import { Readable } from 'node:stream';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type McpRefusal, readMessage, servedLines } from './door.ts';

const CALL = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
const LINE = JSON.stringify(CALL);

/** What is served and what is refused of a stream that comes in pieces of a size. */
async function through(bytes: Buffer, size = bytes.length, longest = 10_000) {
  const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
    bytes.subarray(at * size, (at + 1) * size),
  );
  const refused: McpRefusal[] = [];
  const served: unknown[] = [];
  const refuse = (refusal: McpRefusal) => void refused.push(refusal);
  for await (const line of servedLines(Readable.from(pieces), { longest, refuse }))
    served.push(JSON.parse(line.toString()));
  return { served, codes: refused.map(({ id, error }) => [id, error.code]) };
}

describe('lines of a client', () => {
  const text = `${LINE}\n{"jsonrpc":"2.0","id":"zwölf 🌧","method":"ping"}\n`;
  const served = [CALL, { jsonrpc: '2.0', id: 'zwölf 🌧', method: 'ping' }];
  test.each([
    ['plain', Buffer.from(text)],
    ['with a mark before all', Buffer.from(`\ufeff${text}`)],
    ['with a mark before each line', Buffer.from(text.replaceAll(/^(?=.)/gm, '\ufeff'))],
    ['with two marks', Buffer.from(`\ufeff\ufeff${text}`)],
    ['with the ends of Windows', Buffer.from(text.replaceAll('\n', '\r\n'))],
    ['with blank lines between', Buffer.from(`\n${text.replaceAll('\n', '\r\n\n  \n')}`)],
    ['in UTF-16', Buffer.from(`\ufeff${text}`, 'utf16le')],
    ['in UTF-16, the other way around', Buffer.from(`\ufeff${text}`, 'utf16le').swap16()],
    ['without an end', Buffer.from(text.trimEnd())],
  ])('%s, in pieces of any size', async (_, bytes) => {
    for (const size of [1, 2, 3, 7, bytes.length])
      expect(await through(bytes, size)).toEqual({ served, codes: [] });
  });

  test.each([
    ['not json', [null, -32700]],
    ['{"jsonrpc":"2.0","id":7,', [null, -32700]],
    [`${LINE}${LINE}`, [null, -32700]],
    ['NaN', [null, -32700]],
    ['\u0000\u0000', [null, -32700]],
    ['x'.repeat(2000), [null, -32700]],
    ['null', [null, -32600]],
    ['[]', [null, -32600]],
    [`[${LINE}]`, [null, -32600]],
    ['42', [null, -32600]],
    ['{"id":7,"method":"ping"}', [7, -32600]],
    ['{"jsonrpc":"1.0","id":7,"method":"ping"}', [7, -32600]],
    ['{"jsonrpc":"2.0","id":"a"}', ['a', -32600]],
    ['{"jsonrpc":"2.0","id":7,"method":null}', [7, -32600]],
    ['{"jsonrpc":"2.0","id":null,"method":"ping"}', [null, -32600]],
    ['{"jsonrpc":"2.0","id":[7],"method":"ping"}', [null, -32600]],
    ['{"jsonrpc":"2.0","id":7,"method":"ping","params":5}', [7, -32602]],
    ['{"jsonrpc":"2.0","id":7,"method":"ping","params":"x"}', [7, -32602]],
    ['{"jsonrpc":"2.0","id":7,"method":"ping","params":[]}', [7, -32602]],
    ['{"jsonrpc":"2.0","id":7,"result":5,"error":5}', [null, -32600]],
  ])('%s is answered, and the next line is read', async (line, refusal) => {
    const bytes = Buffer.from(`${line}\n${LINE}\n`);
    expect(await through(bytes, 64, 1000)).toEqual({ served: [CALL], codes: [refusal] });
  });

  test('whatever comes, each line is served or refused', async () => {
    const line = fc.oneof(fc.string({ unit: 'binary' }), fc.json()).map((any) => any.replaceAll('\n', ' '));
    await fc.assert(
      fc.asyncProperty(
        fc.array(line, { maxLength: 5 }),
        fc.integer({ min: 1, max: 50 }),
        async (lines, size) => {
          const { served: known, codes } = await through(Buffer.from(`${lines.join('\n')}\n${LINE}\n`), size);
          expect(known.at(-1)).toEqual(CALL);
          expect(known.length - 1 + codes.length).toBe(lines.filter((any) => any.trim() !== '').length);
        },
      ),
      { numRuns: 12 },
    );
  });
});

test.each([
  [{ params: null }, {}],
  [{ params: { cursor: null } }, { params: {} }],
  [{ params: { _meta: null } }, { params: {} }],
  [{ params: { _meta: { progressToken: null } } }, { params: { _meta: {} } }],
  [{ method: 'tools/call', params: { name: 'x', arguments: null } }, { params: { name: 'x' } }],
  [
    { method: 'prompts/get', params: { name: 'x', arguments: { to: null } } },
    { params: { name: 'x', arguments: {} } },
  ],
  [
    { method: 'initialize', params: { capabilities: { roots: null, sampling: {} } } },
    { params: { capabilities: { sampling: {} } } },
  ],
  // What a tool makes of null is said by its schema.
  [
    { method: 'tools/call', params: { name: 'x', arguments: { a: null } } },
    { params: { name: 'x', arguments: { a: null } } },
  ],
])('%j is read as %j', (given, read) => {
  const { params: _, ...rest } = { ...CALL, ...given };
  expect(readMessage({ ...CALL, ...given })).toEqual({ message: { ...rest, ...read } });
});

test('what is nested beyond the stack is refused with its id', () => {
  const nested = `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"x","arguments":{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}}}`;
  expect(readMessage(JSON.parse(nested))).toMatchObject({ refusal: { id: 7, error: { code: -32600 } } });
});

test.each([[{ ref: 'all of them' }], [{ ref: { type: 'ref/prompt', name: 'recall' } }], [{}]])(
  'what completes nothing is refused for its params, %j',
  (params) => {
    const asked = { jsonrpc: '2.0', id: 7, method: 'completion/complete', params };
    expect(readMessage(asked)).toMatchObject({ refusal: { id: 7, error: { code: -32602 } } });
    const ref = { type: 'ref/prompt', name: 'recall' };
    const fit = { ...asked, params: { ref, argument: { name: 'about', value: 'b' } } };
    expect(readMessage(fit)).toEqual({ message: fit });
  },
);
