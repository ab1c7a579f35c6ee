import fs from 'node:fs';
import path from 'node:path';
import type { Caller } from '@reverie/shared/accounts/caller';
import type { ResumingAgent, SessionResume } from '@reverie/shared/contract/session-export';
import type { SessionsDeps } from '../deps.ts';
import { handOver } from '../handover.service.ts';
import { sessionOf } from '../sessions.service.ts';
import type { SessionRow } from '../sessions.store.ts';
import { listFileRows } from '../sources.store.ts';

/** How each agent is told to open a session of its own, and to begin with a prompt. */
const COMMANDS: Readonly<
  Record<ResumingAgent, { own: (session: string) => string[]; begin: (prompt: string) => string[] }>
> = {
  'claude-code': {
    own: (session) => ['claude', '--resume', session],
    begin: (prompt) => ['claude', prompt],
  },
  codex: {
    own: (session) => ['codex', 'resume', session],
    begin: (prompt) => ['codex', prompt],
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
  const own = world.isMachine(caller.account) && session.agent === agent ? ownLog(deps, session) : undefined;
  if (own !== undefined)
    return { how: 'own', agent, folder, redactions: 0, command: COMMANDS[agent].own(own) };
  const { markdown, redactions } = await handOver(deps, caller, wanted);
  // No argument of a program can have a NUL in it.
  const prompt = `${GO_ON}${markdown}`.replaceAll('\0', '');
  return { how: 'handover', agent, folder, redactions, command: COMMANDS[agent].begin(prompt) };
}

/** The agent's own id of a session whose log is on this machine still; ids that could be taken for an option are none. */
function ownLog({ store }: Pick<SessionsDeps, 'store'>, session: SessionRow): string | undefined {
  const { source, account, agent, parent_kind } = session;
  if (source === null || parent_kind === 'subagent' || !/^[0-9a-zA-Z][0-9a-zA-Z_-]{7,127}$/.test(source))
    return undefined;
  const name = (file: string) => path.basename(file).replace(/\.jsonl(?:\.zst)?$/, '');
  const isIts = (file: string) => name(file) === source || name(file).endsWith(`-${source}`);
  const known = store.read((db) => listFileRows(db, account, agent));
  return known.some((file) => isIts(file.path) && fs.existsSync(file.path)) ? source : undefined;
}
