// Reverie for pi; `reverie connect pi` writes it to ~/.pi/agent/extensions, `reverie disconnect pi` removes it.
// It calls `reverie hook`, and adds what that prints. Without Reverie it does nothing, within a second.
import { spawn } from 'node:child_process';

const COMMAND = ['reverie'];
const GIVE_UP_MS = 1_500;

/** What a hook tells: a text, or nothing. */
function tell(event, call) {
  return new Promise((resolve) => {
    const [program, ...args] = COMMAND;
    let said = '';
    const hook = spawn(program, [...args, 'hook', event, '--agent', 'pi'], {
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

export default function reverie(pi) {
  /** The brief that is still to be told with the next prompt, and why. */
  let owed = 'start';
  let source = 'startup';
  const call = (ctx, more) => ({ session_id: ctx.sessionManager.getSessionId(), cwd: ctx.cwd, ...more });
  pi.on('session_start', ({ reason }) => {
    owed = 'start';
    source = reason === 'reload' ? 'resume' : reason;
  });
  pi.on('session_compact', () => {
    owed = 'compact';
    source = 'compact';
  });
  pi.on('before_agent_start', async ({ prompt }, ctx) => {
    const brief = owed === '' ? '' : await tell(owed, call(ctx, { source }));
    const fitting = prompt ? await tell('prompt', call(ctx, { prompt })) : '';
    // One that was late is asked for again.
    if (brief !== '') owed = '';
    const content = [brief, fitting].filter((text) => text !== '').join('\n\n');
    // It is kept in the session, so that a session that is resumed has it still.
    return content === '' ? undefined : { message: { customType: 'reverie', content, display: false } };
  });
  pi.on('session_shutdown', ({ reason }, ctx) => tell('end', call(ctx, { reason })));
}
