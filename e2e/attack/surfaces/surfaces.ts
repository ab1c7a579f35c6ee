import { a2a } from './a2a.ts';
import { mcp } from './mcp.ts';
import type { Surface } from './surface.ts';

/** The surfaces, by the word that `--only` takes. */
export const surfaces: Readonly<Record<string, Surface>> = { mcp, a2a };
