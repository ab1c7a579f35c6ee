import { claudeCode } from './claude-code/claude-code.ts';
import { codex } from './codex/codex.ts';
import type { SessionFormat } from './format.ts';

/** How the logs of every agent are read whose format is known. */
export const sessionFormats: readonly SessionFormat[] = [claudeCode, codex];
