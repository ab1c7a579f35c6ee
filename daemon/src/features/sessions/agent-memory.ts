import fs from 'node:fs';
import path from 'node:path';
import type { SessionSource } from '@reverie/shared/contract/sessions/session-sources';
import type { SessionAgent } from '@reverie/shared/contract/sessions/sessions';
import { isAbsence } from '@reverie/session-logs/listing';

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
  gemini: {
    home: [['.gemini/GEMINI.md', 'what Gemini CLI reads in every project']],
    project: [['GEMINI.md', 'what Gemini CLI reads in this project']],
  },
  qwen: {
    home: [['.qwen/QWEN.md', 'what Qwen Code reads in every project']],
    project: [
      ['QWEN.md', 'what Qwen Code reads in this project'],
      ['AGENTS.md', 'what Qwen Code reads in this project'],
    ],
  },
  pi: {
    home: [['.pi/agent/AGENTS.md', 'what pi reads in every project']],
    project: [['AGENTS.md', 'what pi reads in this project']],
  },
  cline: {
    home: [],
    project: [['AGENTS.md', 'what Cline reads in this project']],
  },
};

/** Files that are named at most. */
const MOST = 50;

/** Where agents' files of memory may lie, and what is done with them already. */
export interface MemoryPlaces {
  home: string;
  /** Folders in which the agent has worked. */
  projects: readonly string[];
  /** Folders that are followed. */
  followed: readonly string[];
  /** The project of a folder: its root, and the namespace of its memories. */
  projectOf(folder: string): { root: string; namespace: string } | undefined;
}

type Place = Omit<SessionSource['memory'][number], 'followed'>;

/**
 * The files of memory that an agent keeps itself, which may say something else than Reverie: below the home folder, and in the folders of
 * projects that are known. Looks at names alone, and reads none of them.
 */
export function agentMemory(agent: SessionAgent, places: MemoryPlaces): SessionSource['memory'] {
  const { home, project } = PLACES[agent];
  const named: Place[] = [
    ...home.map(([file, what]) => ({ path: path.join(places.home, file), what, follow: null })),
    ...(agent === 'claude-code' ? autoMemory(places) : []),
    ...places.projects.flatMap((folder) => {
      const found = places.projectOf(folder);
      const follow: Place['follow'] = found
        ? { path: found.root, format: 'agent-files', namespace: found.namespace }
        : null;
      return project.map(([file, what]) => ({ path: path.join(folder, file), what, follow }));
    }),
  ];
  const followed = new Set(places.followed);
  return named
    .filter(({ path: file }) => fs.existsSync(file))
    .slice(0, MOST)
    .map((place) => ({
      ...place,
      followed: place.follow !== null && followed.has(fs.realpathSync(place.follow.path)),
    }));
}

/** What Claude Code remembers of each project by itself, in a folder that is named as the project's with a dash for all but letters and digits. */
function autoMemory({ home, projects: known, projectOf }: MemoryPlaces): Place[] {
  const projects = path.join(home, '.claude/projects');
  const byName = new Map(known.map((folder) => [folder.replace(/[^A-Za-z0-9]/g, '-'), folder]));
  try {
    return fs.readdirSync(projects).map((name) => {
      const folder = path.join(projects, name, 'memory');
      const worked = byName.get(name);
      const project = worked === undefined ? undefined : projectOf(worked);
      return {
        path: folder,
        what: 'what Claude Code remembers of a project by itself',
        follow: { path: folder, format: 'claude-code', namespace: project?.namespace ?? 'default' },
      };
    });
  } catch (cause) {
    if (isAbsence(cause)) return [];
    throw cause;
  }
}
