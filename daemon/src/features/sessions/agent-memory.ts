import fs from 'node:fs';
import path from 'node:path';
import type { SessionSource } from '@reverie/shared/contract/session-sources';
import type { SessionAgent } from '@reverie/shared/contract/sessions';
import { isAbsence } from './following/listing.ts';

/** Where agents keep memory of their own, below the home folder and in the folder of a project (shared/research/conventions.md, C). */
const PLACES: Readonly<
  Record<SessionAgent, { home: readonly [string, string][]; project: readonly [string, string][] }>
> = {
  'claude-code': {
    home: [['.claude/CLAUDE.md', 'what Claude Code reads in every project']],
    project: [
      ['CLAUDE.md', 'what Claude Code reads in this project'],
      ['CLAUDE.local.md', 'what Claude Code reads in this project, for you alone'],
      ['.claude/rules', 'rules that Claude Code reads in this project'],
    ],
  },
  codex: {
    home: [
      ['.codex/AGENTS.md', 'what Codex reads in every project'],
      ['.codex/memories', 'what Codex remembers by itself'],
    ],
    project: [['AGENTS.md', 'what Codex reads in this project']],
  },
  opencode: {
    home: [['.config/opencode/AGENTS.md', 'what opencode reads in every project']],
    project: [['AGENTS.md', 'what opencode reads in this project']],
  },
  copilot: {
    home: [['.copilot/copilot-instructions.md', 'what Copilot reads in every project']],
    project: [['.github/copilot-instructions.md', 'what Copilot reads in this project']],
  },
  cursor: {
    home: [],
    project: [
      ['.cursor/rules', 'rules that Cursor reads in this project'],
      ['.cursorrules', 'rules that Cursor reads in this project'],
    ],
  },
  antigravity: {
    home: [['.gemini/GEMINI.md', 'what Antigravity reads in every project']],
    project: [['AGENTS.md', 'what Antigravity reads in this project']],
  },
};

/** Files that are named at most. */
const MOST = 50;

/**
 * The files of memory that an agent keeps itself, which may say something else than Reverie: below the home folder, and in the folders of
 * projects that are known. Looks at names alone, and reads none of them.
 */
export function agentMemory(
  agent: SessionAgent,
  { home, projects }: { home: string; projects: readonly string[] },
): SessionSource['memory'] {
  const places = PLACES[agent];
  const named = [
    ...places.home.map(([file, what]) => ({ path: path.join(home, file), what })),
    ...(agent === 'claude-code' ? autoMemory(home) : []),
    ...projects.flatMap((folder) =>
      places.project.map(([file, what]) => ({ path: path.join(folder, file), what })),
    ),
  ];
  return named.filter(({ path: file }) => fs.existsSync(file)).slice(0, MOST);
}

/** What Claude Code remembers of each project by itself. */
function autoMemory(home: string): SessionSource['memory'] {
  const projects = path.join(home, '.claude/projects');
  try {
    return fs.readdirSync(projects).map((project) => ({
      path: path.join(projects, project, 'memory'),
      what: 'what Claude Code remembers of a project by itself',
    }));
  } catch (cause) {
    if (isAbsence(cause)) return [];
    throw cause;
  }
}
