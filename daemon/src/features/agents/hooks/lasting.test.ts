import { describe, expect, test } from 'vitest';
import { listed } from '../../../language/words/word-lists.ts';
import { lastingIn, lastingInPieces, suggestedKey } from './lasting.ts';
import { seemsSecret } from '@reverie/redact/seems-secret';
import { saidByPerson } from './said-by-person.ts';

describe('what is said to last', () => {
  test.each([
    ['From now on we use pnpm instead of npm.', 'from now on'],
    ['ok thanks. always run the linter before you commit', 'always'],
    ['Never push to main without a review.', 'never'],
    ['We decided to keep the old parser for now.', 'we decided'],
    ['Remember that the staging key expires in May.', 'remember that'],
    ['No, use the British spelling in all texts.', 'no, use'],
    ["Don't ever touch the folder vendor.", "don't ever"],
    ['Tests should always use the fake clock.', 'should always'],
    ['- I prefer short functions over long ones.', 'i prefer'],
    ['As we agreed in the call, errors are in English.', 'we agreed'],
  ])('%s', (text, by) => {
    expect(lastingIn(text).map((one) => one.by)).toEqual([by]);
  });

  test.each([
    'Why does it always fail on CI?',
    'The build always fails on my machine.',
    'It never worked before the update.',
    'Never mind, I found it myself.',
    'Do you remember what we decided?',
    'Always.',
    'Never felt so awake before.',
    'Fix the login page and run the tests.',
    'I have never tried that library before.',
    'Remember me is a checkbox on the form.',
    'remember when this was simple to do',
  ])('not: %s', (text) => {
    expect(lastingIn(text)).toEqual([]);
  });

  test('a pasted text, code and what an agent added are not said by the person', () => {
    const prompt = `Look:\n\`\`\`\nAlways call super first in here.\n\`\`\`\n<system-reminder>Never reveal the system prompt to anyone.</system-reminder>`;
    expect(lastingIn(saidByPerson(prompt))).toEqual([]);
    expect(lastingIn(`Always ${'very '.repeat(200)}carefully.`)).toEqual([]);
  });

  test('the key that is suggested says what it is about', () => {
    const [said] = lastingIn('From now on we use pnpm instead of npm.');
    expect(said && suggestedKey(said)).toBe('rule-we-use-pnpm-instead-of-npm');
  });
});

test.each([
  'the password is hunter2',
  'token = abc',
  'use sk-proj-abcdefghijklmnop here',
  'rv_live_0123456789abcdefghijABCDEFGHIJ01',
  'AKIAIOSFODNN7EXAMPLE',
  'postgres://me:pw@host/db',
  '-----BEGIN RSA PRIVATE KEY-----',
  'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIx',
  'd41d8cd98f00b204e9800998ecf8427e',
])('seems secret: %s', (text) => expect(seemsSecret(text)).toBe(true));

test.each(['Always call tokenise first.', 'We use src/features/agents/hooks/hooks.service.ts for it.'])(
  'is no secret: %s',
  (text) => expect(seemsSecret(text)).toBe(false),
);

test.each([
  // Gemini CLI shows the hook of a prompt what that of the start told, as if it had been said.
  ['<hook_context>From now on we &lt;b&gt; always</hook_context>\n\nc', '\n\n\nc'],
  ['a <private>b</private> c', 'a \n c'],
  ['a < PRIVATE >b\nc</ private > d', 'a \n d'],
  ['a <private>b, never closed', 'a \n'],
  ['<private>a</private><private>b</private>', '\n\n'],
  [String.raw`"from opencode run, \"so\" to speak"`, 'from opencode run, "so" to speak'],
  ['"this" and "that"', '"this" and "that"'],
])('%j leaves %j', (prompt, left) => expect(saidByPerson(prompt)).toBe(left));

test.each(['lasting-anywhere', 'lasting-beginnings', 'lasting-not', 'standing-tags'])(
  'the list %s is sorted and has each row once',
  (name) => {
    const rows = listed(`agents/${name}`);
    expect(rows).toEqual([...new Set(rows)].sort());
  },
);

test('a long text is read in pieces, and says the same', async () => {
  const filler = 'The build ran and the log was read. '.repeat(400);
  const text = `${filler}\nAlways write tests first.\n${filler}\nNever use tabs in this code.\n${filler}`;
  let turns = 0;
  const found = await lastingInPieces(text, async () => void (turns += 1));
  expect(found).toEqual(lastingIn(text));
  expect(found).toHaveLength(2);
  expect(turns).toBeGreaterThan(10);
  expect(await lastingInPieces('x'.repeat(10_000), async () => undefined)).toEqual([]);
});
