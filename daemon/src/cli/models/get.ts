import type { Command } from 'commander';
import type { Client } from '@reverie/shared/client';
import { findModels, type ModelPull, pullModel, stopPulling } from '@reverie/shared/contract/system/models';
import { Refusal } from '../../platform/home/home.ts';
import { connect } from '../connection.ts';
import { jsonOption } from '../options.ts';
import { inOneLine, note, printJson, say, size, visible } from '../print.ts';
import { homeOf, type Terminal } from '../terminal.ts';
import { follow, percentOf } from './progress.ts';

interface Options {
  server?: string;
  json?: true;
}

/** `reverie models get NAME`: has an Ollama of this machine get a model, and shows how far it is. */
export function addGetModel(models: Command, terminal: Terminal): void {
  models
    .command('get')
    .description('have Ollama get a model, or go on getting it')
    .argument('<name>', 'as Ollama names it, such as qwen3.5:4b')
    .option('--server <url>', 'the Ollama that is to get it (else the one of this machine)')
    .addOption(jsonOption())
    .action(async (name: string, { server: given, json }: Options) => {
      const { client } = await connect(homeOf(terminal), terminal.env);
      const server = given ?? (await ollamaOf(client));
      await client(pullModel, { body: { server, name } });
      const pull = await follow<ModelPull>(terminal, client, {
        what: `Getting ${inOneLine(name)}`,
        of: (state) => state.pull,
        far: (now) => ({
          share: now.bytes_total ? now.bytes_done / now.bytes_total : 0,
          about: percentOf(now),
        }),
        stop: () => client(stopPulling, {}),
      });
      if (pull?.status !== 'done') terminal.exitCode = 1;
      if (json) return printJson(terminal, pull);
      sayEnd(terminal, name, pull);
    });
}

function sayEnd(terminal: Terminal, name: string, pull: ModelPull | null): void {
  const again = `\`reverie models get ${inOneLine(name)}\` goes on where it was.`;
  switch (pull?.status) {
    case 'done':
      say(terminal, `Ollama has ${inOneLine(name)} now (${size(pull.bytes_done)}).`);
      return note(terminal, `\`reverie models use ${inOneLine(name)}\` examines it and uses it.`);
    case 'stopped':
      return note(terminal, `Stopped at ${percentOf(pull)}. ${again}`);
    default:
      return note(terminal, `${visible(pull?.error ?? 'It is not known how far it is.')} ${again}`);
  }
}

async function ollamaOf(client: Client): Promise<string> {
  const { servers, install } = await client(findModels, {});
  const [ollama] = servers.filter(({ kind }) => kind === 'ollama');
  if (ollama) return ollama.url;
  throw new Refusal(
    install
      ? `No Ollama answers on this machine. ${install.text} ${install.url}`
      : 'No Ollama answers on this machine, and only an Ollama can get models. Start it, or name it with --server.',
  );
}
