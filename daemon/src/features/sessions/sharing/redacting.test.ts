import { expect, test } from 'vitest';
import type { LeavingText } from './ports.ts';
import { createRedaction } from './redacting.ts';

const TOKEN = `ghp_${'a1B2c3D4e5F6g7H8i9J0'.repeat(2).slice(0, 36)}`;
const redaction = createRedaction();
const HERE = { folder: '/srv/acme/api', known: [] };
const entry = (given: Partial<LeavingText>): LeavingText => ({
  kind: 'prompt',
  item: 'i1',
  text: 'fine',
  tool: null,
  call: null,
  files: [],
  author_name: 'ada',
  author_id: 'person',
  author_agent: null,
  reply_to: null,
  format: 'codex',
  ...given,
});

test('an entry leaves without its secrets, with the rules that found them', async () => {
  const looked = await redaction.entry(
    entry({ text: `The token is ${TOKEN}`, files: [`/tmp/${TOKEN}`] }),
    HERE,
  );
  expect(looked).toMatchObject({ kind: 'clean', rules: ['github', 'github'], entry: { item: 'i1' } });
  expect(JSON.stringify(looked)).not.toContain(TOKEN);
  expect(await redaction.entry(entry({}), HERE)).toEqual({ kind: 'clean', rules: [], entry: entry({}) });
});

test('one whose item holds a secret stays: by another item it would be another entry', async () => {
  expect(await redaction.entry(entry({ item: `item ${TOKEN}` }), HERE)).toEqual({
    kind: 'withheld',
    why: 'unreadable',
  });
});

test.each([
  ['what is not known', { kind: 'other' as const }, 'other'],
  ['bytes', { text: '\u0001'.repeat(500) }, 'binary'],
])('%s stays', async (_, given, why) => {
  expect(await redaction.entry(entry(given), HERE)).toEqual({ kind: 'withheld', why });
});

test('a text loses its secrets', async () => {
  const { texts, rules } = await redaction.texts([`The token is ${TOKEN}`, 'fine'], []);
  expect(texts).toEqual([expect.any(String), 'fine']);
  expect(texts[0]).toMatch(/^The token is \[REDACTED:github\]$/);
  expect(rules).toEqual(['github']);
});

test('who an entry is by, its format and what it answers are looked through, too', async () => {
  const fields = ['author_id', 'author_agent', 'author_name', 'format', 'reply_to', 'tool', 'call'] as const;
  for (const field of fields) {
    const looked = await redaction.entry(entry({ [field]: `x ${TOKEN}` }), HERE);
    expect(looked.kind, field).toBe('clean');
    expect(JSON.stringify(looked), field).not.toContain(TOKEN.slice(4, 24));
  }
});

test('what was named as a secret in one text is taken out of others', async () => {
  const secrets = await redaction.learn(['It says: the admin password is Xk29abQ7zW1. Good.', 'nothing']);
  expect(secrets).toContainEqual({ value: 'Xk29abQ7zW1', rule: 'password' });
  const looked = await redaction.entry(entry({ text: 'We keep Xk29abQ7zW1 for staging' }), {
    ...HERE,
    known: secrets,
  });
  expect(looked).toMatchObject({ entry: { text: 'We keep [REDACTED:password] for staging' } });
});

test('a text leaves without places of this machine', async () => {
  const looked = await redaction.entry(entry({ text: 'cat /srv/acme/api/a.ts /srv/other/b.ts' }), HERE);
  expect(looked).toMatchObject({ entry: { text: 'cat ./a.ts b.ts' } });
});
