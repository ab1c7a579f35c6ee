import { readdirSync } from 'node:fs';
import path from 'node:path';

/** The folder of the repository. */
export const root = path.join(import.meta.dirname, '../..');

/** The folders that hold code of ours. */
export const folders = ['app', 'bench', 'cloud', 'daemon', 'e2e', 'scripts', 'shared'];

/** Every file of TypeScript below a folder of the repository, as absolute paths, without what is built or installed. */
export function sourcesBelow(folder: string): string[] {
  return readdirSync(path.join(root, folder), { recursive: true, withFileTypes: true })
    .filter(
      (entry) =>
        entry.isFile() &&
        /\.[cm]?tsx?$/.test(entry.name) &&
        !/\/(?:node_modules|dist)(?:\/|$)/.test(entry.parentPath),
    )
    .map((entry) => path.join(entry.parentPath, entry.name));
}
