import path from 'node:path';
import type { SessionFile, SessionFormat } from '../../format.ts';
import { readIndex } from './index-file.ts';
import { readRollout } from './rollout.ts';
import { readThreadHistory, readThreads } from './threads.store.ts';

const ROLLOUT =
  /^(?:sessions|archived_sessions)\/(?:[^/]+\/)*rollout-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-([^/]+)\.jsonl(\.zst)?$/;
const INDEX = 'session_index.jsonl';
const THREADS = /^(?:sqlite\/)?state_\d+\.sqlite$/;
const HISTORY = /^(?:sqlite\/)?thread_history_\d+\.sqlite$/;

/**
 * Codex CLI. Certain, since read in its source (`protocol`, `rollout`, `thread-store/…/canonicalizer.rs`): lines, items of both modes, and
 * what `migrate-rollouts` makes of a file. Not certain: kinds of lines newer than 0.171.
 */
export const codex: SessionFormat = {
  agent: 'codex',
  root: (environment, home) => environment.CODEX_HOME || path.join(home, '.codex'),
  fileAt,
  lines: (file) => (file.path === INDEX ? readIndex() : readRollout(file)),
  database: ({ path: below, absolute }) =>
    HISTORY.test(below) ? readThreadHistory(absolute) : readThreads(absolute),
};

function fileAt(below: string): SessionFile | undefined {
  const [, session, zst] = ROLLOUT.exec(below) ?? [];
  if (session !== undefined) return { kind: zst === undefined ? 'lines' : 'lines.zst', session };
  if (below === INDEX) return { kind: 'lines' };
  return THREADS.test(below) || HISTORY.test(below) ? { kind: 'database' } : undefined;
}
