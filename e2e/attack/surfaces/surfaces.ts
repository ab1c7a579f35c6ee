import { a2a } from './a2a.ts';
import { folders } from './folders.ts';
import { hooks } from './hooks.ts';
import { logs } from './logs.ts';
import { longSessions } from './long-sessions.ts';
import { mcp } from './mcp.ts';
import { notes } from './notes.ts';
import { postgres } from './postgres.ts';
import { streams } from './streams.ts';
import type { Surface } from './surface.ts';

/** The surfaces, by the word that `--only` takes. */
export const surfaces: Readonly<Record<string, Surface>> = {
  mcp,
  a2a,
  streams,
  notes,
  hooks,
  logs,
  sessions: longSessions,
  folders,
  postgres,
};
