import type { Examination, ModelSheet, ModelUse } from '@reverie/shared/contract/system/models';
import { describe, expect, test } from 'vitest';
import {
  abilities,
  examinationState,
  fitnessOf,
  isSame,
  limitWords,
  listOfParts,
  lockedBy,
  modelTitle,
  payersWords,
  proposedParts,
  restOf,
  sheetTitle,
  sheetWords,
  spentWords,
  standingOf,
  staysHere,
  usesModel,
  whereTo,
} from './words.ts';

const use = (changed: Partial<ModelUse> = {}): ModelUse => ({
  part: 'ask',
  server: 'http://127.0.0.1:11434',
  name: 'qwen3.5:4b',
  reach: 'local',
  consent: null,
  state: 'ok',
  since: null,
  error: null,
  timeout_ms: 30_000,
  tokens_per_day: null,
  tokens_per_month: null,
  spent: { tokens_today: 0, tokens_month: 0, calls_month: 0, failed_month: 0, by: [] },
  settings_from: 'file',
  ...changed,
});

const examined = (changed: Partial<Examination> = {}): Examination => ({
  server: 'http://127.0.0.1:11434',
  name: 'qwen3.5:4b',
  status: 'done',
  done: 30,
  total: 30,
  right: 28,
  wrong: 2,
  declined_rightly: 7,
  seconds_median: 2.1,
  tokens: 31_000,
  fit_for: ['dreams'],
  verdict: 'answers well, too slow while you wait: use it for dreams',
  error: null,
  started_at: '2026-11-23T10:00:00.000Z',
  ended_at: '2026-11-23T10:03:00.000Z',
  ...changed,
});

describe('how a part does', () => {
  test.each([
    [use(), 'works'],
    [use({ state: 'down', error: 'connection refused' }), 'does not answer'],
    [use({ part: 'vectors', state: 'catching_up' }), 'catching up'],
    [use({ state: 'off', server: null, name: null }), 'no model'],
    [use({ part: 'vectors', server: null, name: 'table' }), 'built in'],
  ])('%j', (given, word) => expect(standingOf(given).word).toBe(word));

  test('at its limit of tokens it rests, also where its server does not answer', () => {
    const spent = { ...use().spent, tokens_today: 500 };
    for (const state of ['ok', 'down'] as const) {
      const resting = use({ state, tokens_per_day: 500, spent });
      expect(restOf(resting)).toBe('day');
      expect(standingOf(resting).word).toBe('resting');
    }
    expect(restOf(use({ tokens_per_day: 501, spent }))).toBeUndefined();
    expect(restOf(use({ spent }))).toBeUndefined();
    expect(restOf(use({ state: 'off', tokens_per_day: 0, spent }))).toBeUndefined();
  });

  test('at both its limits it rests for the month, which is longer', () => {
    const spent = { ...use().spent, tokens_today: 500, tokens_month: 900 };
    const resting = use({ tokens_per_day: 500, tokens_per_month: 900, spent });
    expect(restOf(resting)).toBe('month');
    expect(standingOf(resting).sentence).toMatch(
      /^It has used all it may this month: it goes on when the next month begins/,
    );
    expect(restOf(use({ tokens_per_month: 901, spent }))).toBeUndefined();
  });

  test('where it fails the reason is said, and what happens meanwhile', () => {
    const { sentence } = standingOf(use({ state: 'down', error: 'The connection was refused' }));
    expect(sentence).toBe('The connection was refused. Reverie keeps trying. Answers are quoted meanwhile.');
    expect(standingOf(use({ state: 'down', error: 'It broke off.' })).sentence).toMatch(
      /^It broke off\. Reverie/,
    );
  });

  test('what comes with Reverie is no model that somebody chose', () => {
    expect(usesModel(use({ part: 'vectors', server: null, name: 'table' }))).toBe(false);
    expect(usesModel(use({ state: 'off' }))).toBe(false);
    expect(usesModel(use({ state: 'down' }))).toBe(true);
  });

  test('what a variable or a flag sets is locked', () => {
    expect(lockedBy(use({ settings_from: 'variable' }))).toMatch(/variable/);
    expect(lockedBy(use({ settings_from: 'flag' }))).toMatch(/flag/);
    expect(lockedBy(use())).toBeUndefined();
    expect(lockedBy(use({ settings_from: 'default' }))).toBeUndefined();
  });
});

test('what was spent is told in a line', () => {
  expect(spentWords(use())).toBe('nothing this month');
  const spent = { tokens_today: 1_200, tokens_month: 45_678, calls_month: 89, failed_month: 2, by: [] };
  expect(spentWords(use({ spent }))).toBe(
    '1,200 tokens today, 45,678 this month in 89 requests, 2 of them failed',
  );
});

test.each([
  [{ timeout_ms: 100 }, '0.1 s a request, no limit of tokens'],
  [{ timeout_ms: 1_500, tokens_per_day: 0 }, '1.5 s a request, 0 tokens a day'],
  [
    { timeout_ms: 90_000, tokens_per_day: 1, tokens_per_month: 2 },
    '90 s a request, 1 token a day, 2 tokens a month',
  ],
  [{ timeout_ms: 600_000, tokens_per_month: 50_000 }, '10 min a request, 50,000 tokens a month'],
])('the limits %j in a line', (limits, words) => expect(limitWords(use(limits))).toBe(words));

test('for whom tokens were taken is told where it was for more than one', () => {
  const one = { account: 'acc_1', name: 'this machine', tokens_month: 1_200 };
  expect(payersWords({ by: [] })).toBeUndefined();
  expect(payersWords({ by: [one] })).toBeUndefined();
  const other = { account: 'acc_2', name: 'ada@example.org', tokens_month: 34 };
  expect(payersWords({ by: [one, other] })).toBe('this machine 1,200 · ada@example.org 34');
});

test.each([
  ['http://127.0.0.1:11434', 'qwen3.5:4b', 'qwen3.5:4b'],
  ['http://127.0.0.1:11434', 'default', 'default'],
  ['agent:claude-code', 'default', 'Claude Code'],
  ['agent:claude-code', 'opus', 'Claude Code (opus)'],
  ['agent:some-other', 'opus', 'opus'],
])('a model at %s called %s is %s for people', (server, name, title) =>
  expect(modelTitle({ server, name })).toBe(title),
);

test('where what is asked goes is a vendor, an address, or this machine', () => {
  const consent = { vendor: 'OpenAI', text: 'It is sent. It can be turned off.', given_at: null };
  expect(whereTo(use())).toBe('this machine');
  expect(whereTo(use({ reach: null, server: null }))).toBe('this machine');
  expect(whereTo(use({ reach: 'beyond' }))).toBe('http://127.0.0.1:11434');
  expect(whereTo(use({ reach: 'beyond', server: 'agent:codex', consent }))).toBe('OpenAI');
});

test('what left is told in a line each', () => {
  const sheet: ModelSheet = {
    id: 'sht_1',
    at: '2026-11-23T10:00:00.000Z',
    part: 'ask',
    server: 'agent:codex',
    model: 'default',
    reach: 'beyond',
    shown: 1,
    notes: [],
    tokens: 1_034,
    answered: true,
  };
  expect(sheetTitle(sheet)).toBe('A question, to Codex');
  expect(sheetWords(sheet)).toBe('1 note · 1,034 tokens');
  expect(sheetWords({ ...sheet, tokens: null, answered: null })).toBe('1 note · answer not known');
  const local = {
    ...sheet,
    part: 'dreams',
    server: 'http://127.0.0.1:1',
    model: 'a',
    reach: 'local',
  } as const;
  expect(sheetTitle(local)).toBe('A dream, to a on this machine');
  expect(sheetWords({ ...local, shown: 2, answered: false })).toBe('2 notes · 1,034 tokens · no answer');
  expect(sheetWords({ ...local, server: 'http://gpu.lan:1', reach: 'beyond' })).toBe(
    'http://gpu.lan:1 · 1 note · 1,034 tokens',
  );
});

test('what a model can do', () => {
  expect(abilities({ can: ['chat', 'schema'], context: 32_768 })).toBe(
    'answers · keeps to a form · reads 32,768 tokens at once',
  );
  expect(abilities({ can: [], context: null })).toMatch(/does not say/);
});

test('parts are listed as people do', () => {
  expect(listOfParts(['ask'])).toBe('questions');
  expect(listOfParts(['ask', 'dreams'])).toBe('questions and dreams');
  expect(listOfParts(['ask', 'dreams', 'vectors'])).toBe('questions, dreams and search by meaning');
});

test.each([
  ['http://127.0.0.1:11434', 'a', true],
  ['http://127.8.0.1:1', 'a', true],
  ['http://localhost:1234', 'a', true],
  ['http://[::1]:8080', 'a', true],
  ['http://127.0.0.1.example.org', 'a', false],
  ['http://192.168.1.5:11434', 'a', false],
  ['https://api.example.org', 'a', false],
  ['http://localhost.example.org', 'a', false],
  ['no address', 'a', false],
  ['http://127.0.0.1:11434', 'gpt-oss:120b-cloud', false],
  ['http://127.0.0.1:11434', 'glm-4.6:cloud', false],
  ['http://127.0.0.1:11434', 'cloud-reader:3b', true],
])('what is asked of %s for %s stays here: %j', (server, name, expected) =>
  expect(staysHere({ server, name })).toBe(expected),
);

test('an address with a slash at its end is the same', () => {
  const named = { server: 'http://127.0.0.1:1', name: 'a' };
  expect(isSame(named, { ...named, server: 'http://127.0.0.1:1/' })).toBe(true);
  expect(isSame(named, { ...named, name: 'b' })).toBe(false);
  expect(isSame(named, null)).toBe(false);
});

describe('what a model is fit for', () => {
  const fitness = (...known: Parameters<typeof fitnessOf>) =>
    Object.fromEntries(
      fitnessOf(...known).map(({ part, isPossible, warning }) => [part, [isPossible, warning]]),
    );

  test('unexamined it is possible with a warning; what it cannot do at all is not possible', () => {
    expect(fitness({ can: ['chat'], examination: undefined })).toEqual({
      ask: [true, expect.stringMatching(/^Not examined/)],
      dreams: [true, expect.stringMatching(/^Not examined/)],
      vectors: [false, 'It compares no meanings.'],
    });
    expect(fitness({ can: ['vectors'], examination: undefined })).toMatchObject({
      ask: [false, 'It only compares meanings: no answers.'],
      vectors: [true, expect.stringMatching(/^Not examined/)],
    });
  });

  test('a coding agent is not examined unasked, and that is not held against it', () => {
    expect(fitness({ can: ['chat', 'schema'], examination: undefined, isAgent: true })).toEqual({
      ask: [true, undefined],
      dreams: [true, undefined],
      vectors: [false, 'It compares no meanings.'],
    });
    expect(proposedParts({ can: ['chat'], examination: undefined, isAgent: true })).toEqual([
      'ask',
      'dreams',
    ]);
    expect(fitness({ can: ['chat'], examination: examined(), isAgent: true })['ask']).toEqual([
      true,
      expect.stringMatching(/^The examination advises against it/),
    ]);
  });

  test('where its server was not asked, or says nothing, everything is possible', () => {
    for (const can of [undefined, []])
      expect(fitnessOf({ can, examination: undefined }).every(({ isPossible }) => isPossible)).toBe(true);
  });

  test('examined it is warned of for what it is not fit for', () => {
    expect(fitness({ can: ['chat'], examination: examined() })).toMatchObject({
      ask: [
        true,
        'The examination advises against it: answers well, too slow while you wait: use it for dreams.',
      ],
      dreams: [true, undefined],
    });
    const stopped = examined({ status: 'stopped', fit_for: [] });
    expect(fitness({ can: ['chat'], examination: stopped })).toMatchObject({
      ask: [true, expect.stringMatching(/^Not examined/)],
    });
  });

  test('proposed is what it is fit for, else what it can do; vectors of a model that answers are never proposed', () => {
    expect(proposedParts({ can: ['chat'], examination: examined() })).toEqual(['dreams']);
    expect(proposedParts({ can: ['chat'], examination: examined({ fit_for: [] }) })).toEqual([]);
    expect(proposedParts({ can: ['chat', 'vectors'], examination: undefined })).toEqual(['ask', 'dreams']);
    expect(proposedParts({ can: ['vectors'], examination: undefined })).toEqual(['vectors']);
    expect(proposedParts({ can: undefined, examination: undefined })).toEqual(['ask', 'dreams']);
  });
});

test.each([
  [examined(), 'passed'],
  [examined({ fit_for: [] }), 'not fit'],
  [examined({ status: 'running' }), 'under way'],
  [examined({ status: 'stopped' }), 'stopped'],
  [examined({ status: 'failed' }), 'failed'],
])('an examination is told in a word', (given, word) => expect(examinationState(given).word).toBe(word));
