import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/** Bytes that have to stay free beside a model, because the system and Reverie write, too. */
export const MARGIN = 256 * 2 ** 20;

export interface FreeSpace {
  /** The folder whose disk was looked at. */
  folder: string;
  bytes: number;
}

/**
 * What is free where Ollama keeps its models: `OLLAMA_MODELS`, as far as our own environment has it, else the folder of a system
 * service on Linux, else the one in the home (https://github.com/ollama/ollama/blob/main/docs/faq.mdx). A service may have been told
 * another place, which it says nowhere: then Ollama's own failure on a full disk is what tells.
 */
export function freeForModels(modelsFolder: string | undefined): FreeSpace {
  const home = path.join(os.homedir(), '.ollama/models');
  const service = '/usr/share/ollama/.ollama/models';
  const folder = modelsFolder ?? [service, home].find((one) => fs.existsSync(one)) ?? home;
  const { bavail, bsize } = fs.statfsSync(nearestFolder(path.resolve(folder)));
  return { folder, bytes: bavail * bsize };
}

/** The folder, or the nearest above it that is there. */
function nearestFolder(folder: string): string {
  return fs.existsSync(folder) || path.dirname(folder) === folder
    ? folder
    : nearestFolder(path.dirname(folder));
}
