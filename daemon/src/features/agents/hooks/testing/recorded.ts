import type { HookAgent, HookEvent } from '@reverie/shared/contract/agents/hooks';

/** What an agent writes to its hook, in the form of its reference, and where its text stands in the answer. */
export interface Recorded {
  agent: HookAgent;
  event: HookEvent;
  input: (at: { session: string; cwd: string; prompt: string }) => object;
  /** The path to the text in the printed JSON; null where the agent takes none. */
  text: readonly string[] | null;
  /** What else the agent expects. */
  with?: object;
}

const specific = ['hookSpecificOutput', 'additionalContext'];

/** The forms that `AGENTS` of agents.ts names the sources of. */
export const recorded: readonly Recorded[] = [
  ...(['claude-code', 'codex', 'qwen'] as const).flatMap((agent): Recorded[] => [
    {
      agent,
      event: 'start',
      input: ({ session, cwd }) => ({
        session_id: session,
        transcript_path: '/home/a/.claude/projects/x/1.jsonl',
        cwd,
        hook_event_name: 'SessionStart',
        permission_mode: 'default',
        model: 'some-model',
        source: 'startup',
      }),
      text: specific,
      with: { hookSpecificOutput: { hookEventName: 'SessionStart' } },
    },
    {
      agent,
      event: 'prompt',
      input: ({ session, cwd, prompt }) => ({
        session_id: session,
        transcript_path: null,
        cwd,
        hook_event_name: 'UserPromptSubmit',
        permission_mode: 'plan',
        turn_id: 'turn-1',
        prompt,
      }),
      text: specific,
      with: { hookSpecificOutput: { hookEventName: 'UserPromptSubmit' } },
    },
    {
      agent,
      event: 'end',
      input: ({ session, cwd }) => ({
        session_id: session,
        cwd,
        hook_event_name: 'SessionEnd',
        reason: 'prompt_input_exit',
      }),
      text: null,
    },
  ]),
  {
    agent: 'cursor',
    event: 'start',
    input: ({ session, cwd }) => ({
      conversation_id: session,
      generation_id: 'g-1',
      session_id: session,
      is_background_agent: false,
      composer_mode: 'agent',
      hook_event_name: 'sessionStart',
      cursor_version: '3.20.17',
      workspace_roots: [cwd],
      user_email: null,
    }),
    text: ['additional_context'],
  },
  {
    agent: 'cursor',
    event: 'prompt',
    input: ({ session, cwd, prompt }) => ({
      conversation_id: session,
      generation_id: 'g-2',
      prompt,
      attachments: [{ type: 'file', file_path: '/x' }],
      hook_event_name: 'beforeSubmitPrompt',
      workspace_roots: [cwd],
    }),
    text: ['additional_context'],
    with: { continue: true },
  },
  {
    agent: 'cursor',
    event: 'end',
    input: ({ session, cwd }) => ({
      conversation_id: session,
      reason: 'completed',
      duration_ms: 45_000,
      hook_event_name: 'sessionEnd',
      workspace_roots: [cwd],
    }),
    text: null,
  },
  {
    agent: 'vscode',
    event: 'start',
    input: ({ session, cwd }) => ({
      timestamp: '2026-02-09T10:30:00.000Z',
      cwd,
      sessionId: session,
      hookEventName: 'SessionStart',
      transcript_path: '/t.json',
      source: 'new',
    }),
    text: specific,
    with: { hookSpecificOutput: { hookEventName: 'SessionStart' } },
  },
  {
    agent: 'vscode',
    event: 'prompt',
    input: ({ session, cwd, prompt }) => ({
      timestamp: '2026-02-09T10:30:00.000Z',
      cwd,
      session_id: session,
      hook_event_name: 'UserPromptSubmit',
      prompt,
    }),
    text: null,
  },
  {
    agent: 'copilot',
    event: 'start',
    input: ({ session, cwd, prompt }) => ({
      sessionId: session,
      timestamp: 1_774_281_852_263,
      cwd,
      source: 'new',
      initialPrompt: prompt,
    }),
    text: ['additionalContext'],
  },
  {
    agent: 'copilot',
    event: 'prompt',
    input: ({ session, cwd, prompt }) => ({
      sessionId: session,
      timestamp: 1_774_281_852_263,
      cwd,
      prompt,
    }),
    text: null,
  },
  ...(['antigravity', 'gemini'] as const).flatMap((agent): Recorded[] => [
    {
      agent,
      event: 'start',
      input: ({ session, cwd }) => ({
        session_id: session,
        transcript_path: '/t.json',
        cwd,
        hook_event_name: 'SessionStart',
        timestamp: '2026-02-09T10:30:00.000Z',
        source: 'startup',
      }),
      text: specific,
      with: { hookSpecificOutput: { hookEventName: 'SessionStart' } },
    },
    {
      agent,
      event: 'prompt',
      input: ({ session, cwd, prompt }) => ({
        session_id: session,
        cwd,
        hook_event_name: 'BeforeAgent',
        timestamp: '2026-02-09T10:30:00.000Z',
        prompt,
      }),
      text: specific,
      with: { hookSpecificOutput: { hookEventName: 'BeforeAgent' } },
    },
  ]),
  ...(['opencode', 'pi'] as const).flatMap((agent) =>
    (['start', 'compact', 'prompt'] as const).map((event): Recorded => ({
      agent,
      event,
      input: ({ session, cwd, prompt }) => ({
        session_id: session,
        cwd,
        ...(event === 'prompt' && { prompt }),
      }),
      text: ['context'],
    })),
  ),
];
