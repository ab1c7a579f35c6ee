import { basename, dirname } from 'node:path/posix';
import { noteFilesReader } from '../files/note-files.ts';
import { memoriesOfFile } from '../markdown/markdown.ts';

/** Files that coding agents read before they work, wherever they stand in a project (shared/research/conventions.md, C). */
const NAMES = new Set([
  'agents.md',
  'agents.override.md',
  'claude.md',
  'claude.local.md',
  'gemini.md',
  'qwen.md',
  'copilot-instructions.md',
  '.cursorrules',
]);
/** Folders of rules, and how the files in them end. */
const RULES: readonly [folder: RegExp, ending: RegExp][] = [
  [/(^|\/)\.cursor\/rules(\/|$)/, /\.(mdc|md)$/i],
  [/(^|\/)\.claude\/rules(\/|$)/, /\.md$/i],
  [/(^|\/)\.github\/instructions(\/|$)/, /\.instructions\.md$/i],
];

/** Tells whether a file of a project is one that a coding agent reads before it works: AGENTS.md, CLAUDE.md, rules of Cursor. */
export function isAgentFile(path: string): boolean {
  if (NAMES.has(basename(path).toLowerCase())) return true;
  return RULES.some(([folder, ending]) => folder.test(dirname(path)) && ending.test(path));
}

/** Reads what coding agents are told in a project's own files, each a memory with its path as the key; all else that lies there is passed over. */
export const agentFilesReader = noteFilesReader({
  format: 'agent-files',
  idFormat: 'markdown',
  isNote: isAgentFile,
  begin: () => (read, root, options) =>
    memoriesOfFile(read, root, options).map((item) =>
      // Their frontmatter is that of the agent, which need not be YAML: `globs: *.ts`.
      item.kind === 'memory' ? { kind: 'memory', memory: item.memory } : item,
    ),
});
