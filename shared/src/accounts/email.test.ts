import fc from 'fast-check';
import { domainToASCII } from 'node:url';
import { describe, expect, test } from 'vitest';
import { runs } from '../testing/depth.ts';
import { checkEmail } from './email.ts';

describe('an e-mail address', () => {
  test.each([
    ['you@example.org', 'you@example.org'],
    ['  You@Example.ORG ', 'you@example.org'],
    ["o'neil+tag@sub.example.co.uk", "o'neil+tag@sub.example.co.uk"],
    [`${'a'.repeat(64)}@example.org`, `${'a'.repeat(64)}@example.org`],
    ['me@xn--bcher-kva.example', 'me@xn--bcher-kva.example'],
    ['me@xn--e1afmkfd.xn--p1ai', 'me@xn--e1afmkfd.xn--p1ai'],
  ])('%j is taken as %j', (given, email) => expect(checkEmail(given)).toEqual({ ok: true, email }));

  const long = (bytes: number) => {
    const domain = `${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(57)}.org`;
    return `${'a'.repeat(bytes - domain.length - 1)}@${domain}`;
  };
  test('254 bytes are taken, 255 are not', () => {
    expect(long(254)).toHaveLength(254);
    expect(checkEmail(long(254)).ok).toBe(true);
    expect(checkEmail(long(255))).toMatchObject({
      ok: false,
      message: expect.stringContaining('too long') as unknown,
    });
  });

  test.each([
    ['', 'empty'],
    ['   ', 'empty'],
    ['you', 'not an e-mail address'],
    ['@example.org', 'not an e-mail address'],
    ['you@', 'not an e-mail address'],
    ['you@localhost', 'not an e-mail address'],
    ['you@127.0.0.1', 'not an e-mail address'],
    ['you@[127.0.0.1]', 'not an e-mail address'],
    ['a@b@example.org', 'not an e-mail address'],
    ['a..b@example.org', 'not an e-mail address'],
    ['.a@example.org', 'not an e-mail address'],
    ['you@-example.org', 'not an e-mail address'],
    ['you@example..org', 'not an e-mail address'],
    ['You <you@example.org>', 'not an e-mail address'],
    ['"you there"@example.org', 'not an e-mail address'],
    ['you@example.org,other@example.org', 'not an e-mail address'],
    ['you@example.org other@example.org', 'not an e-mail address'],
    [`${'a'.repeat(65)}@example.org`, 'too long'],
    ['you@example.org\r\nBcc: other@example.org', 'control character'],
    ['you@example.org\n', 'control character'],
    ['\tyou@example.org', 'control character'],
    ['you\u0000@example.org', 'control character'],
    ['you@example.org\u2028', 'control character'],
    ['you\u0085@example.org', 'control character'],
    // Cyrillic о, and а.
    ['yоu@example.org', 'before the @'],
    ['you@exаmple.org', 'in its domain'],
    ['you@ｅxample.org', 'in its domain'],
    ['you@bücher.example', 'xn--'],
  ])('%j is refused', (given, why) =>
    expect(checkEmail(given)).toEqual({ ok: false, message: expect.stringContaining(why) as unknown }),
  );

  // Look-alikes of known names, and names as people have them, in the form that they travel in.
  const asAscii = (domain: string) => `you@${domainToASCII(domain)}`;
  test.each([
    'аpple.com',
    'аррӏе.com',
    'gооgle.com',
    'ехсеѕѕ.org',
    'pаypal.com',
    'ɡoogle.com',
    'lınkedin.com',
    'αρρ.com',
  ])('%s looks like another domain', (domain) => {
    expect(asAscii(domain)).toContain('xn--');
    expect(checkEmail(asAscii(domain))).toMatchObject({
      ok: false,
      message: expect.stringContaining('looks like') as unknown,
    });
  });
  test.each(['bücher.de', 'пример.рф', 'παράδειγμα.gr', '例え.jp', 'mañana.es', 'łódź.pl', 'उदाहरण.भारत'])(
    '%s does not',
    (domain) => expect(checkEmail(asAscii(domain)).ok).toBe(true),
  );

  test('whatever is taken has no line end, no space and one @, and is taken again as it is', () => {
    const parts = fc.constantFrom(
      'a',
      'B',
      '@',
      '.',
      '-',
      '\r',
      '\n',
      ' ',
      'é',
      'example',
      '.org',
      'xn--',
      '<',
      ',',
    );
    fc.assert(
      fc.property(fc.array(parts, { maxLength: 12 }), (some) => {
        const checked = checkEmail(some.join(''));
        if (!checked.ok) return;
        expect(checked.email).toMatch(/^[^\s@<>,]+@[^\s@<>,]+$/);
        expect(checkEmail(checked.email)).toEqual(checked);
      }),
      { numRuns: runs(200, 5000) },
    );
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => typeof checkEmail(text).ok === 'boolean'));
  });
});
