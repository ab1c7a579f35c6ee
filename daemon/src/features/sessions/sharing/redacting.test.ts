import { expect, test } from 'vitest';
import type { LeavingText } from './ports.ts';
import { createRedaction } from './redacting.ts';

const TOKEN = `ghp_${'a1B2c3D4e5F6g7H8i9J0'.repeat(2).slice(0, 36)}`;
const redaction = createRedaction();
const entry = (given: Partial<LeavingText>): LeavingText => ({
  ...{ kind: 'prompt', item: 'i1', text: 'fine', tool: null, call: null, files: [], author_name: 'ada' },
  ...given,
});

test('an entry leaves without its secrets, with the rules that found them', async () => {
  const looked = await redaction.entry(entry({ text: `The token is ${TOKEN}`, files: [`/tmp/${TOKEN}`] }));
  expect(looked).toMatchObject({ kind: 'clean', rules: ['github', 'github'], entry: { item: 'i1' } });
  expect(JSON.stringify(looked)).not.toContain(TOKEN);
  expect(await redaction.entry(entry({}))).toEqual({ kind: 'clean', rules: [], entry: entry({}) });
});

test('one whose item holds a secret stays: by another item it would be another entry', async () => {
  expect(await redaction.entry(entry({ item: `item ${TOKEN}` }))).toEqual({
    kind: 'withheld',
    why: 'unreadable',
  });
});

test.each([
  ['what is not known', { kind: 'other' as const }, 'other'],
  ['bytes', { text: '\u0001'.repeat(500) }, 'binary'],
])('%s stays', async (_, given, why) => {
  expect(await redaction.entry(entry(given))).toEqual({ kind: 'withheld', why });
});

test('a text loses its secrets', async () => {
  const { text, rules } = await redaction.text(`The token is ${TOKEN}`);
  expect(text).toMatch(/^The token is \[REDACTED:github\]$/);
  expect(rules).toEqual(['github']);
});
