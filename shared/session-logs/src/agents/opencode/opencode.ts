import path from 'node:path';
import type { SessionFormat } from '../../format.ts';
import { readDatabase } from './opencode.store.ts';

/**
 * opencode. Certain: its SQLite (read in its source). Its earlier folder `storage` of one JSON file a part is not read: a part
 * alone does not say who spoke, and opencode moves these into the database when it first starts.
 */
export const opencode: SessionFormat = {
  agent: 'opencode',
  root(environment, home) {
    const file = environment.OPENCODE_DB;
    if (file && path.isAbsolute(file)) return path.dirname(file);
    return path.join(environment.XDG_DATA_HOME || path.join(home, '.local', 'share'), 'opencode');
  },
  // Builds of other channels have a database of their own.
  fileAt: (below) => (/^opencode(?:-[\w.-]+)?\.db$/.test(below) ? { kind: 'database' } : undefined),
  database: ({ absolute }) => readDatabase(absolute),
};
