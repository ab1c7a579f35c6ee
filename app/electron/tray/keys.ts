import fs from 'node:fs';
import path from 'node:path';
import type { Home } from '../../../daemon/src/platform/home/home.ts';

/** The key files that agents on this machine may use: first the one that all of them share, then those of single agents. */
export function agentKeys({ apiKey, agentKeys: folder }: Home): { name: string; file: string }[] {
  const own = fs.existsSync(folder)
    ? fs.readdirSync(folder).filter((name) => /^[a-z0-9][a-z0-9-]*$/.test(name))
    : [];
  return [
    ...(fs.existsSync(apiKey) ? [{ name: 'For any agent', file: apiKey }] : []),
    ...own.sort().map((name) => ({ name: `For ${name}`, file: path.join(folder, name) })),
  ];
}
