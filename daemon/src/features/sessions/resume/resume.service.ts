import fs from 'node:fs';
import path from 'node:path';
import type { Caller } from '@reverie/shared/accounts/caller';
import type { ResumingAgent, SessionResume } from '@reverie/shared/contract/sessions/session-export';
import type { SessionsDeps } from '../deps.ts';
import { handOver } from '../handover.service.ts';
import { sessionOf } from '../sessions.service.ts';
import type { SessionRow } from '../sessions.store.ts';
import { listFileRows } from '../sources.store.ts';

interface Resuming {
  /** Opens a session of its own. */
  own: (session: string) => string[];
  /** Begins with a prompt. */
  begin: (prompt: string) => string[];
  /** Whether a log that was read is the one with a session. */
  isIts: (file: string, session: string) => boolean;
}

/** Logs that are called by their session, alone or behind its time. */
const byName: Resuming['isIts'] = (file, session) => {
  const name = path.basename(file).replace(/\.jsonl(?:\.zst)?$/, '');
  return name === session || name.endsWith(`-${session}`);
};

/** How each agent is told, by its own `--help`; Gemini CLI 0.61 takes an id as well as a number. */
const COMMANDS: Readonly<Record<ResumingAgent, Resuming>> = {
  'claude-code': {
    own: (session) => ['claude', '--resume', session],
    begin: (prompt) => ['claude', prompt],
    isIts: byName,
  },
  codex: {
    own: (session) => ['codex', 'resume', session],
    begin: (prompt) => ['codex', prompt],
    isIts: byName,
  },
  opencode: {
    own: (session) => ['opencode', '--session', session],
    begin: (prompt) => ['opencode', '--prompt', prompt],
    // Its database has all of them.
    isIts: () => true,
  },
  copilot: {
    own: (session) => ['copilot', `--resume=${session}`],
    begin: (prompt) => ['copilot', '--interactive', prompt],
    isIts: (file, session) => byName(file, session) || path.basename(path.dirname(file)) === session,
  },
  gemini: {
    own: (session) => ['gemini', '--resume', session],
    begin: (prompt) => ['gemini', '--prompt-interactive', prompt],
    // Its name ends with the beginning of the id.
    isIts: (file, session) => byName(file, session.slice(0, 8)),
  },
  qwen: {
    own: (session) => ['qwen', '--resume', session],
    begin: (prompt) => ['qwen', '--prompt-interactive', prompt],
    isIts: byName,
  },
  pi: {
    own: (session) => ['pi', '--session', session],
    begin: (prompt) => ['pi', '--', prompt],
    isIts: (file, session) => file.endsWith(`_${session}.jsonl`),
  },
  cline: {
    own: (session) => ['cline', '--id', session],
    begin: (prompt) => ['cline', '--tui', prompt],
    isIts: (file, session) => path.basename(path.dirname(file)) === session,
  },
};

const GO_ON =
  'Go on with the work of an earlier session. What follows was written down from it; look at the files before you change them.\n\n';

/**
 * What to run to go on with a session: its own log, where the same agent wrote it on this machine; else a hand-over as the first prompt.
 */
export async function resumeSession(
  deps: Pick<SessionsDeps, 'store' | 'world'>,
  caller: Caller,
  wanted: { id: string; in: ResumingAgent; max_tokens: number },
): Promise<SessionResume> {
  const { store, world } = deps;
  const agent = wanted.in;
  const session = store.read((db) => sessionOf(db, caller, wanted.id));
  const { folder } = session;
  const resuming = COMMANDS[agent];
  const own =
    world.isMachine(caller.account) && session.agent === agent ? ownLog(deps, session, resuming) : undefined;
  if (own !== undefined) return { how: 'own', agent, folder, redactions: 0, command: resuming.own(own) };
  const { markdown, redactions } = await handOver(deps, caller, wanted);
  // No argument of a program can have a NUL in it.
  const prompt = `${GO_ON}${markdown}`.replaceAll('\0', '');
  return { how: 'handover', agent, folder, redactions, command: resuming.begin(prompt) };
}

/** The agent's own id of a session whose log is on this machine still; ids that could be taken for an option are none. */
function ownLog(
  { store }: Pick<SessionsDeps, 'store'>,
  session: SessionRow,
  { isIts }: Resuming,
): string | undefined {
  const { source, account, agent, parent_kind } = session;
  if (source === null || parent_kind === 'subagent' || !/^[0-9a-zA-Z][0-9a-zA-Z_-]{7,127}$/.test(source))
    return undefined;
  const known = store.read((db) => listFileRows(db, account, agent));
  return known.some((file) => isIts(file.path, source) && fs.existsSync(file.path)) ? source : undefined;
}
