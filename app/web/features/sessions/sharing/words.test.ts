import { expect, test } from 'vitest';
import {
  entryWords,
  leavesWords,
  newRules,
  piecesAround,
  ruleName,
  sessionWords,
  staysWords,
} from './words.ts';

test('rules are told as people say them', () => {
  expect(['@secretlint/secretlint-rule-aws', 'jwt', 'github_token', 'private'].map(ruleName)).toEqual([
    'aws',
    'web tokens (JWT)',
    'github token',
    'parts marked as private',
  ]);
});

test('what leaves, what stays and what is new is told', () => {
  expect(leavesWords({ entries: 1, bytes: 2_048 })).toBe('1 entry leaves this machine, 2 KiB together.');
  expect(leavesWords({ entries: 0, bytes: 0 })).toContain('Nothing leaves yet');
  const about = { title: 't', agent: 'codex', project: 'acme/api', branch: null, models: ['opus'] };
  expect(sessionWords(about)).toBe('codex, acme/api, opus');
  const author = { id: 'codex', name: 'Codex', agent: 'codex' };
  expect(entryWords('Answer', { author, tool: null, files: [] })).toBe('Answer by Codex');
  expect(entryWords('Tool', { author, tool: 'Bash', files: ['a.ts'] })).toBe('Tool by Codex: Bash, a.ts');
  expect(staysWords(0)).toBe('');
  expect(staysWords(3)).toContain('3 entries stay here');
  expect(
    newRules({
      by_rule: [
        { rule: 'jwt', count: 1, is_new: true },
        { rule: 'aws', count: 2, is_new: false },
      ],
    }),
  ).toEqual(['web tokens (JWT)']);
});

test('the places of secrets are told from the text around them, and nothing is lost', () => {
  const text = 'KEY=[REDACTED:aws] and [REDACTED], [other]';
  const pieces = piecesAround(text);
  expect(pieces.map((piece) => piece.text).join('')).toBe(text);
  expect(pieces.filter((piece) => piece.isTakenOut).map((piece) => piece.text)).toEqual([
    '[REDACTED:aws]',
    '[REDACTED]',
  ]);
});
