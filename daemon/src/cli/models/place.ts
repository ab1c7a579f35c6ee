import type { Command } from 'commander';
import type { Client } from '@reverie/shared/client';
import { findModels, type FoundModel } from '@reverie/shared/contract/system/models';
import { Refusal } from '../../platform/home/home.ts';
import { inOneLine } from '../print.ts';

export interface PlaceOptions {
  server?: string;
  beyondThisMachine?: true;
}

/** Adds the options that say where a model is. */
export function withPlace(command: Command): Command {
  return command
    .option('--server <url>', 'where it answers (else the server of this machine that has it)')
    .option('--beyond-this-machine', 'a server elsewhere is meant: what it is asked leaves this machine');
}

/** Where a model is: the server that was named, else the first of this machine that has it. */
export async function placeOf(
  client: Client,
  name: string,
  { server }: PlaceOptions,
): Promise<{ server: string; model?: FoundModel }> {
  if (server !== undefined) return { server };
  const { servers, offered, install } = await client(findModels, {});
  for (const { url, models } of servers)
    for (const model of models)
      if ([name, `${name}:latest`].includes(model.name)) return { server: url, model };
  const shown = inOneLine(name);
  const isOffered = offered.some((model) => model.name === name);
  throw new Refusal(
    install
      ? `No model server runs on this machine. ${install.text} ${install.url}`
      : isOffered
        ? `No server on this machine has ${shown} yet. \`reverie models get ${shown}\` has Ollama get it.`
        : `No server on this machine has ${shown}. \`reverie models\` lists what there is; --server names one elsewhere.`,
  );
}
