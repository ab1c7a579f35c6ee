// Reverie for opencode; `reverie connect opencode` writes it to ~/.config/opencode/plugins, `reverie disconnect opencode` removes it.
// It calls `reverie hook`, and adds what that prints. Without Reverie it does nothing, within a second.
import { spawn } from 'node:child_process';

const COMMAND = ['reverie'];
const GIVE_UP_MS = 1_500;

/** What a hook tells: a text, or nothing. */
function tell(event, call) {
  return new Promise((resolve) => {
    const [program, ...args] = COMMAND;
    let said = '';
    const hook = spawn(program, [...args, 'hook', event, '--agent', 'opencode'], {
      stdio: ['pipe', 'pipe', 'ignore'],
      timeout: GIVE_UP_MS,
    });
    hook.on('error', () => resolve(''));
    hook.stdin.on('error', () => undefined);
    hook.stdout.on('data', (piece) => (said += piece));
    hook.on('close', () => {
      try {
        resolve(said === '' ? '' : JSON.parse(said).context);
      } catch {
        resolve('');
      }
    });
    hook.stdin.end(JSON.stringify(call));
  });
}

export const Reverie = async ({ directory }) => {
  /** What each session is told with every request: its brief; and what fits the prompt of this turn. */
  const briefs = new Map();
  const fitting = new Map();
  let turns = 0;
  // A session that another process goes on with a moment later is no call that came twice.
  const here = process.pid;
  const call = (session_id, more) => ({ session_id, cwd: directory, ...more });
  return {
    event: async ({ event }) => {
      const session = event.properties?.sessionID ?? event.properties?.info?.id;
      if (typeof session !== 'string') return;
      if (event.type === 'session.compacted')
        briefs.set(session, await tell('compact', call(session, { source: 'compact' })));
      if (event.type === 'session.deleted') {
        briefs.delete(session);
        fitting.delete(session);
      }
      // A turn is over: what was said to last is proposed, once.
      if (event.type === 'session.idle' || event.type === 'session.deleted') await tell('end', call(session, { reason: `turn ${here}.${(turns += 1)}` }));
    },
    'chat.message': async ({ sessionID }, { parts }) => {
      const prompt = parts
        .filter((part) => part.type === 'text' && !part.synthetic)
        .map((part) => part.text)
        .join('\n');
      // One that was late is asked for again.
      if (!briefs.get(sessionID)) briefs.set(sessionID, await tell('start', call(sessionID, { source: `startup ${here}` })));
      fitting.set(sessionID, await tell('prompt', call(sessionID, { prompt })));
    },
    'experimental.chat.system.transform': async ({ sessionID }, output) => {
      for (const text of [briefs.get(sessionID), fitting.get(sessionID)]) if (text) output.system.push(text);
    },
  };
};
