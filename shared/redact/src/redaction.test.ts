import fc from 'fast-check';
import { expect, test } from 'vitest';
import { expectLinear } from '@reverie/shared/testing/linear';
import { runs } from '@reverie/shared/testing/depth';
import { listed } from './word-lists.ts';
import { LONGEST_TEXT, NotLookedAt, redact } from './redaction.ts';
import { chanceOf, drawn, LETTERS_AND_DIGITS } from './testing/chance.ts';
import { harmlessIn } from './testing/harmless.ts';
import { plantedIn, plantedLine, survivorOf } from './testing/planted.ts';

const redacted = async (text: string) => (await redact(text)).text;

test.each(['first', 'second', 'third'] as const)(
  'no planted secret of the %s part survives',
  async (half) => {
    const planted = plantedIn(half);
    expect(planted).toHaveLength(60);
    // The search for survivors sees nearly all of them where nothing was taken out; some places hide one from it, too.
    expect(
      planted.filter(({ secret, text }) => survivorOf(secret, text) !== undefined).length,
    ).toBeGreaterThan(56);
    const survivors: object[] = [];
    for (const { kind, place, secret, text } of planted) {
      const survivor = survivorOf(secret, await redacted(text));
      if (survivor !== undefined) survivors.push({ kind, place, survivor });
    }
    expect(survivors).toEqual([]);
  },
);

test.each(['first', 'second'] as const)(
  'at most one look-alike in a hundred of the %s part is redacted',
  async (half) => {
    const harmless = harmlessIn(half);
    const touched: string[] = [];
    for (const text of harmless) if ((await redacted(text)) !== text) touched.push(text);
    expect(harmless).toHaveLength(500);
    expect(touched.length, touched.slice(0, 9).join('\n')).toBeLessThanOrEqual(5);
  },
);

const TEXT = fc.string({ unit: 'binary', maxLength: 200 });
/** Random words are told by how they are mixed, which is sure only by numbers: they have their own test. */
const KIND = fc.nat(19).filter((kind) => plantedLine(kind, 0).kind !== 'random');
/** Words around a secret: what is a part of it, such as letters run together with it, cannot be told from it. */
const AROUND = TEXT.map((text) => text.replaceAll(/[A-Za-z0-9+/=_.~:%@-]$|^[A-Za-z0-9+/=_.~:%@-]/gu, ' '));

test('a secret is found whatever stands around it, and what comes out stays as it is', async () => {
  await fc.assert(
    fc.asyncProperty(fc.tuple(AROUND, AROUND), KIND, fc.nat(), async ([before, behind], kind, seed) => {
      const { secret, line } = plantedLine(kind, seed);
      const text = `${before}\n${line}\n${behind}`;
      const once = await redact(text);
      expect(once.findings.length).toBeGreaterThan(0);
      expect(survivorOf(secret, once.text)).toBeUndefined();
      expect(await redact(once.text)).toEqual({ text: once.text, findings: [] });
    }),
    { numRuns: runs(50, 400) },
  );
});

test('a secret is found wherever a line is cut in it', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.tuple(KIND, fc.nat()),
      fc.double({ min: 0.05, max: 0.95, noNaN: true }),
      fc.constantFrom('\n', '\r\n', '\\\n', '\n+', '\n-', '" +\n  "', '\\n', '\n    ', '\n> '),
      async ([kind, seed], part, by) => {
        const { secret, line } = plantedLine(kind, seed);
        const at = line.indexOf(secret) + Math.floor(secret.length * part);
        const text = `ran it\n${line.slice(0, at)}${by}${line.slice(at)}\nnpm run build`;
        expect(survivorOf(secret, await redacted(text))).toBeUndefined();
      },
    ),
    { numRuns: runs(50, 400) },
  );
});

test('a web token is found where a line is cut behind one of its full stops', async () => {
  const { secret } = plantedLine(13, 0);
  for (const by of ['\\\n', '\n', ' \\\n', '\\\r\n'])
    for (const stop of [secret.indexOf('.'), secret.lastIndexOf('.')]) {
      const text = `cookie has ${secret.slice(0, stop + 1)}${by}${secret.slice(stop + 1)} and more`;
      expect(survivorOf(secret, await redacted(text)), JSON.stringify(by)).toBeUndefined();
    }
});

test('of a thousand random words of 44 letters and digits at most five are taken for names', async () => {
  const chance = chanceOf(44);
  let missed = 0;
  for (let turn = 0; turn < 1_000; turn += 1)
    if ((await redact(`it says ${drawn(chance, LETTERS_AND_DIGITS, 44)} here`)).findings.length === 0)
      missed += 1;
  expect(missed).toBeLessThanOrEqual(5);
});

test('nothing throws, and redacting twice changes nothing', async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'binary', maxLength: 2_000 }), async (text) => {
      const once = await redacted(text);
      expect(await redacted(once)).toBe(once);
    }),
    { numRuns: runs(50, 200) },
  );
  for (const text of ['', '\0', '\ud800', 'a\udc00\0'.repeat(100), '[REDACTED:github]'])
    expect(await redact(text)).toEqual({ text, findings: [] });
});

/** Beginnings of what patterns look for, again and again. */
const HOSTILE = [
  'a',
  ' ',
  '=',
  '\n',
  '"',
  '\\',
  '\\n',
  '%25',
  'eyJ',
  'ghp_',
  'xoxb-a-',
  'password=',
  'api_key: ',
  '"+"',
  'a\n',
  '"d":"',
  'http://a:',
  'Bearer ',
  'mysql ',
  'cookie: a=',
  'ssh-rsa AAAA',
  'data:a/a;',
  '<private>',
  '-----BEGIN PRIVATE KEY-----',
  '-----BEGIN CERTIFICATE-----',
  'password is ',
  '| token |\n',
  '<password>',
  'passphrase: a b ',
  '密码是',
  '12,',
  'a b ',
  '00000000: 4142 \n',
];

test.each(HOSTILE)('a text of nothing but %j is looked through in the time that its length says', (part) =>
  expectLinear(
    (length) =>
      redact(part.repeat(Math.ceil(length / part.length)).slice(0, length), { now: () => 0, time: 1 }),
    262_144,
  ),
);

test('a text that is too long, or takes too long, is not answered', async () => {
  await expect(redact('a'.repeat(LONGEST_TEXT + 1))).rejects.toThrow(NotLookedAt);
  let time = 0;
  await expect(redact('some text', { now: () => (time += 200), time: 100 })).rejects.toThrow('100 ms');
});

test('a secret across two pieces of a long text is found, at each place of them', async () => {
  const { secret, line } = plantedLine(3, 1);
  for (const at of [131_050, 131_072 - line.length, 131_072, 139_264, 163_840 - 40, 262_100]) {
    const text = `${'word '.repeat(30_000).slice(0, at)}${line} ${'word '.repeat(30_000)}`;
    expect(survivorOf(secret, await redacted(text))).toBeUndefined();
  }
});

test.each([
  ['a <private>b</private> c', 'a [REDACTED:private] c'],
  ['a <private>b, never closed', 'a [REDACTED:private]'],
  [String.raw`{"a":"\u003cprivate\u003eb\u003c/private\u003e c"}`, '{"a":"[REDACTED:private] c"}'],
  [
    '// secretlint-disable\nghp_wWPw5k4aXcaT4fNP0UcnZwJUVFk6LO2aBcDe',
    '// secretlint-disable\n[REDACTED:github]',
  ],
  ['PASSWORD=[REDACTED:password]', 'PASSWORD=[REDACTED:password]'],
  [
    'Authorization: Bearer iHUVOrDSBXTMJg-nIzQSHpaXwsBMPUitgJGIg-Ts',
    'Authorization: Bearer [REDACTED:authorization]',
  ],
  [
    'Authorization: Bearer getAccessToken-from-the-settings-of-the-user',
    'Authorization: Bearer getAccessToken-from-the-settings-of-the-user',
  ],
  [
    'mysql -u root -pTr0ub4dor99 app; echo Tr0ub4dor99',
    'mysql -u root -p[REDACTED:password] app; echo [REDACTED:password]',
  ],
  ['{"n":"a","d":"Xk3vQ9ZpL7mT2rB8nW4yC6hJ1sD5gF0aEuRiOqNbVcM"}', '{"n":"a","d":"[REDACTED:private-key]"}'],
])('%j becomes %j', async (text, expected) => expect(await redacted(text)).toBe(expected));

test('binaries are named with their size, and are no findings', async () => {
  const image = Buffer.from(Array.from({ length: 900 }, (_, at) => (at * at * 31 + at * 7) % 256));
  const data = image.toString('base64');
  expect(await redact(`![x](data:image/png;base64,${data})`)).toEqual({
    text: '![x](data:image/png;base64,[binary, 900 bytes])',
    findings: [],
  });
  expect(await redacted(`image: ${data.replaceAll(/(.{76})/gu, '$1\n')}\ndone`)).toMatch(
    /^image: \[binary, 90\d bytes\]\ndone$/u,
  );
});

test.each([
  'asset-endings',
  'copulas',
  'copulas-joined',
  'example-passwords',
  'harmless-before',
  'harmless-suffixes',
  'key-names',
  'key-words',
  'made-up-values',
  'made-up-words',
  'no-passwords',
  'password-names',
  'password-words',
  'phrase-names',
  'reference-roots',
])('the list %s is sorted and has each row once', (name) => {
  const rows = listed(name);
  expect(rows).toEqual([...new Set(rows)].sort());
});
