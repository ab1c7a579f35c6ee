import fc from 'fast-check';

/** Values that fields are not made for. */
const odd: readonly unknown[] = [
  ...[null, true, -1, 0, 1.5, 1e21, -0, Number.MAX_SAFE_INTEGER, 2 ** 53],
  ...[
    '',
    ' ',
    '.',
    '..',
    '../../etc/passwd',
    '\u0000',
    'a\u0000b',
    '\u001b[31m',
    '\u202e',
    '\ud800',
    'x\udfff',
  ],
  ...["' OR 1=1 --", '"; DROP TABLE memories; --', '%', '*', 'NEAR(', '"', '(((((', 'a_'.repeat(300)],
  ...['x'.repeat(513), 'é'.repeat(5000), 'x'.repeat(70_000), '👩‍👩‍👧‍👦'.repeat(40), '\u0301'.repeat(600)],
  ...['9999-12-31T23:59:59.999Z', '0000-01-01T00:00:00Z', '2026-02-30T00:00:00Z', 'NaN', 'Infinity', '1e400'],
  ...[[], {}, [[]], [null], { toString: null }, { length: 1e9 }, Array(2000).fill(0)],
  ...[nested(20), nested(2000)],
];

function nested(depth: number): unknown {
  let value: unknown = 'deep';
  for (let left = depth; left > 0; left -= 1) value = left % 2 === 0 ? [value] : { in: value };
  return value;
}

type Tree = Record<string, unknown>;

/** A value with one thing in it made wrong: a field gone, of another type, too long, or one too many. */
export function spoiled(valid: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  const how = fc.record({
    where: fc.nat(1000),
    what: fc.constantFrom('drop', 'swap', 'swap', 'swap', 'add'),
    by: fc.constantFrom(...odd),
    name: fc.constantFrom('unknown', '__proto__', 'constructor', 'text', 'content', 'account', 'id', ''),
  });
  return fc.tuple(valid, how).map(([given, { where, what, by, name }]) => {
    if (typeof given !== 'object' || given === null) return by;
    const made = structuredClone(given) as Tree;
    const names = Object.keys(made);
    const at = names[where % Math.max(1, names.length)];
    if (what === 'add' || at === undefined)
      Object.defineProperty(made, name, { value: by, enumerable: true });
    else if (what === 'drop') Reflect.deleteProperty(made, at);
    else if (where % 3 === 0 && typeof made[at] === 'object' && made[at] !== null)
      made[at] = inside(made[at], where, by);
    else made[at] = by;
    return made;
  });
}

function inside(given: object, where: number, by: unknown): unknown {
  const names = Object.keys(given);
  const at = names[where % Math.max(1, names.length)];
  if (at === undefined) return by;
  const inner = (given as Tree)[at];
  const made: unknown =
    typeof inner === 'object' && inner !== null && where % 2 === 0 ? inside(inner, where >> 1, by) : by;
  return Array.isArray(given)
    ? given.map((one: unknown, n) => (String(n) === at ? made : one))
    : { ...given, [at]: made };
}

/** One field of a query or a path made wrong. */
export const oddTexts = odd.filter((one): one is string => typeof one === 'string');

/** Bodies that are hardly one, with the type that they are sent as. */
export function hostileBody(
  valid: string,
): fc.Arbitrary<{ body: string | Buffer; type: string | undefined }> {
  const json = 'application/json';
  const made = [
    ...[
      valid.slice(0, -1),
      `${valid}}`,
      `\ufeff${valid}`,
      `${valid}\n${valid}`,
      '',
      ' ',
      'null',
      '[]',
      '"x"',
      '1e999',
      '-',
      '{"a":',
    ],
    ...['{"key":"a","key":"b","value":"c"}', "{'key': 'a'}", '{"key": undefined}', '{"value": "\\ud800"}'],
    ...[
      '{"__proto__":{"a":1}}',
      '{"constructor":{"prototype":{}}}',
      `${'['.repeat(50_000)}${']'.repeat(50_000)}`,
    ],
    ...[`${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`, `{"value":"${'x'.repeat(1_200_000)}"}`],
    ...[`{"key":"k","value":"v","metadata":${'{"a":'.repeat(40)}1${'}'.repeat(40)}}`],
  ].map((body) => ({ body, type: json }));
  const bytes = [
    Buffer.from([0xff, 0xfe, 0x7b]),
    Buffer.from('{"value":"\xe9"}', 'latin1'),
    Buffer.from(valid, 'utf16le'),
  ];
  const types = [
    'text/plain',
    'application/xml',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/json; charset=utf-16',
    'json',
    ';',
    undefined,
  ];
  return fc.constantFrom(
    ...made,
    ...bytes.map((body) => ({ body, type: json })),
    ...types.map((type) => ({ body: valid, type })),
  );
}
