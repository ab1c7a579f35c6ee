import { z } from 'zod';
import type { CodingAgent } from '../sessions/coding-agents.ts';
import { DateTime, Namespace } from '../fields.ts';
import { route } from '../route.ts';

const tag = 'agents';

/** Coding agents whose hooks are understood. */
export const hookAgents = [
  'claude-code',
  'codex',
  'cursor',
  'vscode',
  'copilot',
  'antigravity',
  'gemini',
  'qwen',
  'opencode',
  'pi',
] as const satisfies readonly CodingAgent[];
export const HookAgent = z.enum(hookAgents);
export type HookAgent = z.infer<typeof HookAgent>;

/** When a hook is called: a session begins, a person asks, the context was compacted, a session ends. */
export const hookEvents = ['start', 'prompt', 'compact', 'end'] as const;
export const HookEvent = z.enum(hookEvents);
export type HookEvent = z.infer<typeof HookEvent>;

/** UTF-16 units of what a hook prints at most; agents cut what is longer than 10,000 down to a stub. */
export const LONGEST_HOOK_OUTPUT = 9_500;

/** Bytes of an agent's input that are read. */
export const LONGEST_HOOK_INPUT = 1024 * 1024;

export const callHook = route({
  id: 'agent_hook',
  method: 'POST',
  path: '/agents/hooks',
  scope: 'read',
  reach: { can: ['read'], absent: ['body.namespace'], filtered: true },
  tag,
  summary: "An agent's hook was called: answers what it is to print",
  description:
    "What `reverie hook` sends. At the start of a session the answer is a brief of what matters in the project, at a prompt what is clearly relevant to it, else nothing; what was said to last goes to the inbox as a proposal at the end. A call whose session, event and content were there within the last 10 s is `doubled` and answered with nothing. Only keys of this machine's own account may call it.",
  body: z
    .strictObject({
      agent: HookAgent,
      event: HookEvent,
      input: z
        .string()
        .max(LONGEST_HOOK_INPUT, 'must be at most 1 MiB')
        .describe("What the agent wrote to the hook's standard input, as it is"),
      cwd: z
        .string()
        .max(4096, 'must be at most 4096 characters')
        .optional()
        .describe('The working folder of the hook, where the input names none'),
      namespace: Namespace.optional().describe('Instead of that of the project in the working folder'),
    })
    .meta({ id: 'HookCall' }),
  status: 200,
  response: z.object({
    output: z.string().max(LONGEST_HOOK_OUTPUT).describe('To be printed as it is; empty for nothing'),
    doubled: z.boolean(),
    namespace: z.string().nullable().describe('Whose memories were looked at; null where none were'),
    tokens: z.int().describe('What was put before the agent, in bytes / 4'),
    why: z.string().nullable().describe('Why nothing is printed, where nothing is'),
  }),
  problems: [],
});

export const listHooks = route({
  id: 'agent_hooks',
  method: 'GET',
  path: '/agents/hooks',
  scope: 'read',
  reach: 'nothing',
  tag,
  summary: "When each agent's hooks were last called, and how often twice",
  status: 200,
  response: z.object({
    hooks: z.array(
      z
        .object({
          agent: HookAgent,
          event: HookEvent,
          fired: z.int().describe('Calls that counted'),
          doubled: z.int().describe('Calls that came a second time within 10 s: the hook is installed twice'),
          last_fired_at: DateTime,
        })
        .meta({ id: 'HookFirings' }),
    ),
  }),
  problems: [],
});

export const statusLine = route({
  id: 'agent_statusline',
  method: 'POST',
  path: '/agents/statusline',
  scope: 'read',
  reach: { can: ['read'], absent: ['body.namespace'], filtered: true },
  tag,
  summary:
    'The status line of Claude Code: its namespace, what was recalled and saved in this session, what waits',
  description:
    "What `reverie statusline` sends. Counted are memories that came before Claude Code since the session began, by its hooks and tools, those that this key stored or changed since, and unread messages of the namespace's inbox; two sessions at a time in one project count what each other's tools did. Only keys of this machine's own account may call it.",
  body: z
    .strictObject({
      input: z
        .string()
        .max(LONGEST_HOOK_INPUT, 'must be at most 1 MiB')
        .describe("What Claude Code wrote to the command's standard input, as it is"),
      cwd: z
        .string()
        .max(4096, 'must be at most 4096 characters')
        .optional()
        .describe('The working folder of the command, where the input names none'),
      namespace: Namespace.optional().describe('Instead of that of the project in the working folder'),
    })
    .meta({ id: 'StatusLineCall' }),
  status: 200,
  response: z.object({
    output: z.string().describe('One line; empty where the key does not have the namespace'),
    namespace: z.string().nullable(),
    recalled: z.int().nullable().describe('Null where nobody knows when the session began'),
    saved: z.int().nullable().describe('Null where nobody knows when the session began'),
    waiting: z.int(),
  }),
  problems: [],
});
