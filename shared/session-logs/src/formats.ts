import { antigravity } from './agents/antigravity.ts';
import { claudeCode } from './agents/claude-code/claude-code.ts';
import { cline } from './agents/cline.ts';
import { codex } from './agents/codex/codex.ts';
import { copilot } from './agents/copilot.ts';
import { cursor } from './agents/cursor.ts';
import type { SessionFormat } from './format.ts';
import { gemini } from './agents/gemini.ts';
import { opencode } from './agents/opencode/opencode.ts';
import { pi } from './agents/pi.ts';
import { qwen } from './agents/qwen.ts';

/** The readers of every agent whose logs are known. */
export const sessionFormats: readonly SessionFormat[] = [
  claudeCode,
  codex,
  opencode,
  copilot,
  cursor,
  antigravity,
  gemini,
  qwen,
  pi,
  cline,
];
