import path from 'node:path';
import type { HookAgent, HookEvent } from '@reverie/shared/contract/agents/hooks';
import { tooLargeToParse } from '@reverie/shared/http/json-size';
import { z } from 'zod';

/** What an agent told its hook, in our words. */
export interface HookTold {
  event: HookEvent;
  /** Of the agent; two agents that run each other's hooks name the same one. */
  session: string;
  cwd: string | undefined;
  /** What the person typed, at a prompt: its first 64 KiB. */
  prompt: string;
  /** Why the session began or ended: `startup`, `resume`, `clear`, `compact` … */
  reason: string;
}

/** Characters of a prompt that are read: what is longer is mostly pasted. */
const LONGEST_PROMPT = 64 * 1024;

/** Fields that an agent leaves empty or of another type than it should count as missing: a hook has to go on. */
const text = z.string().min(1).optional().catch(undefined);

const Input = z.object({
  session_id: text,
  sessionId: text,
  conversation_id: text,
  cwd: text,
  workspace_roots: z.array(z.string().min(1)).optional().catch(undefined),
  prompt: text,
  source: text,
  reason: text,
});
type Input = z.infer<typeof Input>;

/** How an agent is answered: its event's name and the fields around a text. Missing where it takes no text there. */
type Answer = (context: string) => object;

interface Agent {
  /** Where its input names the session. */
  session: (input: Input) => string | undefined;
  /** When a session has nothing of what its hooks printed before: each time it starts, or when it is resumed. */
  forgetsAt?: 'start' | 'resume';
  /** Its model is sent no instructions of an MCP server: the brief says when to search and when to save. */
  hasNoInstructions?: true;
  answers: Partial<Record<HookEvent, Answer>>;
}

/** Claude Code's form, which Codex, Qwen Code, VS Code and Gemini's family took over. */
const specific =
  (hookEventName: string): Answer =>
  (additionalContext) => ({ hookSpecificOutput: { hookEventName, additionalContext } });

const CLAUDE: Agent['answers'] = {
  start: specific('SessionStart'),
  compact: specific('SessionStart'),
  prompt: specific('UserPromptSubmit'),
};

/** What modules of ours take. */
const OURS: Agent['answers'] = {
  start: (context) => ({ context }),
  compact: (context) => ({ context }),
  prompt: (context) => ({ context }),
};

const bySessionId = ({ session_id, sessionId }: Input) => session_id ?? sessionId;

/**
 * What each agent sends and takes. Where it is known from:
 * - Claude Code: code.claude.com/docs/en/hooks; after compaction SessionStart comes again with `source: compact`.
 * - Codex: codex-rs/hooks/schema/generated (`session-start.command.input`, `.output`): Claude's form, no other field allowed.
 * - Cursor: cursor.com/docs/hooks; that `beforeSubmitPrompt` takes `additional_context` is not documented, and was read in the client
 *   3.20.17 and seen in a session (DietrichGebert/ponytail, docs/cursor-hooks.md). It names its session `conversation_id`, also to
 *   Claude's hooks, which it runs, too.
 * - VS Code: vscode-docs, agent-customization/hooks.md: SessionStart takes context, UserPromptSubmit none.
 * - Copilot CLI: github/docs, cli-hooks-reference.md (927566b): it sends `sessionId`, or `session_id` where the event is written as VS
 *   Code does. By that page it processes no output of these events; newer ones take `additionalContext` of sessionStart (lavish-axi#106,
 *   codebase-memory-mcp#2177), and some fire sessionStart at every prompt (copilot-cli#2491). 1.0.102 sends the text to the model, but a
 *   session that is resumed has it no more; of an MCP server it sends the tools, and no instructions.
 * - Antigravity: no reference of its own was found; Gemini CLI's hooks reference, which it follows: BeforeAgent takes context.
 * - Gemini CLI: google-gemini/gemini-cli, docs/hooks/reference.md. Qwen Code: QwenLM/qwen-code, docs/users/features/hooks.md, in Claude's
 *   form; after compaction SessionStart comes again with `source: compact`. Read in 0.61.0 and
 *   0.24.4, and run: a session that is resumed has no more what a hook told at its start, in both.
 * - opencode, pi: modules of our own in `daemon/data/agents`; opencode's keeps what it was told as long as the process runs (1.18.33). pi
 *   sends the tools of a server that is exposed directly, and no instructions (1.6.0).
 */
const AGENTS: Readonly<Record<HookAgent, Agent>> = {
  'claude-code': {
    // Cursor runs these hooks as well, with its own input.
    session: (input) => bySessionId(input) ?? input.conversation_id,
    answers: CLAUDE,
  },
  codex: { session: bySessionId, answers: CLAUDE },
  cursor: {
    session: (input) => bySessionId(input) ?? input.conversation_id,
    answers: {
      start: (additional_context) => ({ additional_context }),
      prompt: (additional_context) => ({ continue: true, additional_context }),
    },
  },
  vscode: { session: bySessionId, answers: { start: specific('SessionStart') } },
  copilot: {
    session: bySessionId,
    forgetsAt: 'resume',
    hasNoInstructions: true,
    answers: { start: (additionalContext) => ({ additionalContext }) },
  },
  antigravity: {
    session: bySessionId,
    answers: { start: specific('SessionStart'), prompt: specific('BeforeAgent') },
  },
  gemini: {
    session: bySessionId,
    forgetsAt: 'resume',
    answers: { start: specific('SessionStart'), prompt: specific('BeforeAgent') },
  },
  qwen: { session: bySessionId, forgetsAt: 'resume', answers: CLAUDE },
  opencode: { session: bySessionId, forgetsAt: 'start', answers: OURS },
  pi: { session: bySessionId, hasNoInstructions: true, answers: OURS },
};

/** Whether a text may name a folder: an absolute path, for the daemon does not run in the agent's folder. */
export function isFolder(text: string | undefined): text is string {
  return text !== undefined && text.length <= 4096 && path.isAbsolute(text) && !text.includes('\0');
}

/** What an agent wrote to its hook, or in words why that cannot be understood. Unknown fields are passed over. */
export function toldBy(agent: HookAgent, event: HookEvent, input: string): HookTold | { wrong: string } {
  if (tooLargeToParse(Buffer.from(input)) !== undefined) return { wrong: 'the input has too many values' };
  let json: unknown;
  try {
    // Trimming takes byte order marks, too, which tools of Windows put in front.
    json = JSON.parse(input.trim());
  } catch {
    // What is wrong with it may quote what it says.
    return { wrong: 'the input is not JSON' };
  }
  const parsed = Input.safeParse(json);
  if (!parsed.success) return { wrong: 'the input is not a JSON object' };
  const { cwd, workspace_roots, prompt = '', source, reason } = parsed.data;
  const session = AGENTS[agent].session(parsed.data);
  if (session === undefined) return { wrong: 'the input names no session' };
  if (session.length > 256) return { wrong: 'the name of the session is longer than 256 characters' };
  const again = event === 'start' && source === 'compact';
  return {
    event: again ? 'compact' : event,
    session,
    cwd: [cwd, ...(workspace_roots ?? [])].find(isFolder),
    prompt: prompt.slice(0, LONGEST_PROMPT).toWellFormed(),
    reason: (source ?? reason ?? '').slice(0, 256),
  };
}

/** Whether an agent has no more of a session what its hooks printed before. */
export function hasForgotten(agent: HookAgent, { event, reason }: HookTold): boolean {
  const { forgetsAt } = AGENTS[agent];
  const isForgotten = forgetsAt === 'start' || (forgetsAt === 'resume' && reason === 'resume');
  return event === 'compact' || reason === 'clear' || (event === 'start' && isForgotten);
}

/** Whether an agent sends its model what an MCP server says of its use. */
export function sendsInstructions(agent: HookAgent): boolean {
  return AGENTS[agent].hasNoInstructions !== true;
}

/** Whether an agent reads what its hook prints at an event. */
export function takesText(agent: HookAgent, event: HookEvent): boolean {
  return AGENTS[agent].answers[event] !== undefined;
}

/** Puts a text into the form that an agent expects from its hook at an event; empty where it expects none. */
export function answerFor(agent: HookAgent, event: HookEvent): (context: string) => string {
  const answer = AGENTS[agent].answers[event];
  return (context) => (answer ? JSON.stringify(answer(context)) : '');
}
