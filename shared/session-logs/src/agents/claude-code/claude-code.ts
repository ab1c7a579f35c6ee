import path from 'node:path';
import type { LineReader, SessionFile, SessionFormat } from '../../format.ts';
import { readClaudeCode } from './reader.ts';

const SESSION = /^[^/]+\/([^/]+)\.jsonl$/;
const SUBAGENT = /^[^/]+\/([^/]+)\/subagents\/(?:[^/]+\/)*(agent-[^/]+)\.jsonl$/;

/**
 * Claude Code. Certain: where the files are, that a line is a record with a `type`, and what was said in `user` and `assistant`
 * records (every public reader agrees). The vendor calls the rest internal: `record-types.ts` is what others met.
 */
export const claudeCode: SessionFormat = {
  agent: 'claude-code',
  root: (environment, home) =>
    path.join(environment.CLAUDE_CONFIG_DIR || path.join(home, '.claude'), 'projects'),
  fileAt,
  lines: (file): LineReader => readClaudeCode(file),
};

/** A project's folder says nothing of its path for certain: that stands in the records. */
function fileAt(below: string): SessionFile | undefined {
  const session = SESSION.exec(below)?.[1];
  // Early versions laid the files of subagents beside those of sessions.
  if (session !== undefined) return { kind: 'lines', session };
  const [, parent, agent] = SUBAGENT.exec(below) ?? [];
  if (parent === undefined || agent === undefined) return undefined;
  return { kind: 'lines', session: agent, parent };
}
