import type { AgentKind } from '@reverie/shared/contract/system/models';
import type { AgentAdapter } from './adapter.ts';
import { claudeCode } from './claude-code.ts';
import { codex } from './codex.ts';
import { copilot } from './copilot.ts';
import { gemini } from './gemini.ts';
import { opencode } from './opencode.ts';
import { qwen } from './qwen.ts';

/** The coding agents whose command can be asked, each by its adapter. */
export const adapters: Readonly<Record<AgentKind, AgentAdapter>> = {
  'claude-code': claudeCode,
  codex,
  gemini,
  opencode,
  copilot,
  qwen,
};
