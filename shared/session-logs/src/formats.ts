import { antigravity } from './antigravity.ts';
import { claudeCode } from './claude-code/claude-code.ts';
import { cline } from './cline.ts';
import { codex } from './codex/codex.ts';
import { copilot } from './copilot.ts';
import { cursor } from './cursor.ts';
import type { SessionFormat } from './format.ts';
import { gemini } from './gemini.ts';
import { opencode } from './opencode/opencode.ts';
import { pi } from './pi.ts';
import { qwen } from './qwen.ts';

/** How the logs of every agent are read whose format is known. */
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
