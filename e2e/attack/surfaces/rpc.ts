import { type Random, whole } from '../random.ts';

/** A body of JSON-RPC that is hardly one. */
export interface OddBody {
  what: string;
  body: string | Buffer;
}

const deep = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;

/** What a server of JSON-RPC is sent that is no request of it, made of a valid one. */
export function oddBodies(valid: Record<string, unknown>, random: Random): OddBody[] {
  const text = JSON.stringify(valid);
  const but = (fields: Record<string, unknown>) => JSON.stringify({ ...valid, ...fields });
  const ids = [
    null,
    {},
    [],
    true,
    1.5,
    -0,
    1e308,
    2 ** 53,
    '',
    'x'.repeat(100_000),
    '\u0000',
    '\ud800',
    '__proto__',
  ];
  const params = [null, [], [1], 'x', 1, true, { __proto__: null, constructor: 1 }, Array(5000).fill(null)];
  const methods = [
    null,
    1,
    {},
    '',
    '__proto__',
    'constructor',
    'toString',
    'x'.repeat(100_000),
    'tools/call\u0000',
  ];
  const cuts = Array.from({ length: 8 }, () => text.slice(0, whole(random, 1, text.length - 1)));
  const bodies: [string, string | Buffer][] = [
    ...ids.map((id): [string, string] => [`the id ${JSON.stringify(id).slice(0, 20)}`, but({ id })]),
    ...params.map((given): [string, string] => [
      `params ${JSON.stringify(given).slice(0, 20)}`,
      but({ params: given }),
    ]),
    ...methods.map((method): [string, string] => [
      `the method ${JSON.stringify(method).slice(0, 20)}`,
      but({ method }),
    ]),
    ...cuts.map((cut): [string, string] => [`cut at ${cut.length}`, cut]),
    ...['1.0', 2, null].map((jsonrpc): [string, string] => [`jsonrpc ${String(jsonrpc)}`, but({ jsonrpc })]),
    ['an id of 1e400', text.replace(/"id":[^,}]+/, '"id":1e400')],
    ['two ids', text.replace('{', '{"id":7,')],
    ['a byte order mark', `\ufeff${text}`],
    ['UTF-16', Buffer.from(`\ufeff${text}`, 'utf16le')],
    [
      'bytes that are no UTF-8',
      Buffer.concat([Buffer.from(text.slice(0, -1)), Buffer.from([0xff, 0xfe, 0x7d])]),
    ],
    ['latin-1', Buffer.from(text.replace('}', ',"\u00e9":"\u00e9"}'), 'latin1')],
    ['nothing', ''],
    ['a blank', ' '],
    ['NUL', '\u0000'],
    ['null', 'null'],
    ['a word', '"x"'],
    ['an empty batch', '[]'],
    ['a batch of nulls', '[null,null]'],
    ['a batch in a batch', `[[${text}]]`],
    ['a batch of 500', `[${Array(500).fill(text).join(',')}]`],
    ['a response', '{"jsonrpc":"2.0","id":1,"result":{}}'],
    ['an error', '{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"x"}}'],
    ['50,000 brackets', deep(50_000)],
    ['params of 50,000 brackets', text.replace(/"params":.*/, `"params":{"a":${deep(50_000)}}}`)],
    ['1,000,000 brackets', deep(1_000_000)],
    ['20,000 fields', but(Object.fromEntries(Array.from({ length: 20_000 }, (_, n) => [`f${n}`, n])))],
    ['a field of 7 MB', but({ extra: 'x'.repeat(7_000_000) })],
    ['9 MB', but({ extra: 'x'.repeat(9_000_000) })],
  ];
  return bodies.map(([what, body]) => ({ what, body }));
}
