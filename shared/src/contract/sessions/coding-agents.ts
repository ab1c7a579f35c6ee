/** Coding agents by their names in the API, in commands and in files, with what people call them. */
export const agentTitles = {
  'claude-code': 'Claude Code',
  codex: 'Codex',
  cursor: 'Cursor',
  vscode: 'VS Code',
  copilot: 'Copilot CLI',
  antigravity: 'Antigravity',
  gemini: 'Gemini CLI',
  qwen: 'Qwen Code',
  opencode: 'opencode',
  kilo: 'Kilo Code',
  pi: 'pi',
  cline: 'Cline',
  grok: 'Grok Build',
  openclaw: 'OpenClaw',
  hermes: 'Hermes',
  'claude-desktop': 'Claude Desktop',
  zed: 'Zed',
  devin: 'Devin Desktop',
} as const;
export type CodingAgent = keyof typeof agentTitles;

/** An agent as people call it; one that is not known by its own name. */
export function agentTitle(agent: string): string {
  return Object.hasOwn(agentTitles, agent) ? agentTitles[agent as CodingAgent] : agent;
}
