import { expect, test } from 'vitest';
import { doingOf, type SystemStatus } from './words.ts';

const at = '2026-11-29T00:00:00.000Z';
const WELL: SystemStatus = {
  version: '1.0.0',
  started_at: at,
  memories: 1,
  namespaces: 1,
  bytes: 10,
  log_id: 'log',
  embedder: { model: 'm', dimensions: 8, embedded: 1, total: 1, state: 'ok', since: at, error: null },
  language_model: null,
  storage: { state: 'ok', since: null, log_waits_since: null },
  indexing: { pending: 0, facts_pending: 0 },
};
const words = (change: Partial<SystemStatus>) => doingOf({ ...WELL, ...change }).map(({ word }) => word);

test('where nothing is wrong, that is said in a sentence', () => {
  expect(doingOf(WELL)).toEqual([
    {
      tone: 'good',
      word: 'well',
      sentence: 'Everything works: 1 memory is kept in 1 namespace, and all of it is found.',
    },
  ]);
});

test('an empty home works, too', () => {
  expect(doingOf({ ...WELL, memories: 0, namespaces: 0 })).toEqual([
    { tone: 'good', word: 'well', sentence: 'Everything works, and nothing is kept yet.' },
  ]);
});

test('each thing that is wrong is said, and nothing is called well then', () => {
  expect(words({ embedder: { ...WELL.embedder, state: 'down' } })).toEqual(['search']);
  expect(words({ embedder: { ...WELL.embedder, state: 'catching_up' } })).toEqual(['catching up']);
  expect(
    words({
      storage: { state: 'full', since: at, log_waits_since: null },
      language_model: { model: 'm', state: 'down', since: at, error: null },
    }),
  ).toEqual(['disk full', 'answers']);
});
