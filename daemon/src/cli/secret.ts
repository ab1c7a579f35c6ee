import { Argument, type Command } from 'commander';
import { agentAt } from '@reverie/shared/contract/system/models';
import { resolveConfig } from '../config/config.ts';
import { type KeyName, NO_SERVER_YET, originName, originOf } from '../models/bound-keys.ts';
import { prepareHome, Refusal } from '../platform/home/home.ts';
import { createSecrets, type SecretName, secretNames, type Secrets } from '../platform/secrets/secrets.ts';
import { jsonOption } from './options.ts';
import { note, printJson, printTable, say } from './print.ts';
import { readSecret } from './read-secret.ts';
import { homeOf, type Terminal } from './terminal.ts';

const WHAT: Readonly<Record<SecretName, string>> = {
  llm: 'key of the language model server (llm.base_url)',
  embedding: 'key of the embedding server (embedding.base_url)',
  smtp: 'password of the mail server (mail.smtp.user)',
};

const AFTER = `
Examples:
  reverie secret set llm                  asks for it; it is shown nowhere
  pass show openai | reverie secret set llm --server https://models.example.org/v1`;

/** `reverie secret set|list|delete`: works on the keychain or the file itself, and never prints a secret. */
export function addSecret(program: Command, terminal: Terminal): void {
  const secret = program
    .command('secret')
    .description('keep keys of model servers and the mail password')
    .addHelpText('after', AFTER);
  const name = () => new Argument('<name>', 'which one').choices(secretNames);
  secret
    .command('set')
    .description('ask for a secret, or read it from standard input, and keep it')
    .addArgument(name())
    .option(
      '--server <url>',
      'the model server that a key is for, and is sent to alone; the configured one where omitted',
    )
    .action(async (which: SecretName, { server }: { server?: string }) => {
      prepareHome(homeOf(terminal));
      const origin = which === 'smtp' ? undefined : serverOfKey(terminal, which, server);
      const value = await readSecret(terminal, `Secret ${which}`);
      const secrets = open(terminal);
      await secrets.set(which, value);
      if (which !== 'smtp' && origin !== undefined) await secrets.set(originName(which), origin);
      say(terminal, `Kept ${which} in the ${await place(secrets)}. Restart Reverie for it to be used.`);
    });
  secret
    .command('list')
    .description('say which secrets are kept, without showing them')
    .addOption(jsonOption())
    .action(async ({ json }: { json?: true }) => {
      const secrets = open(terminal);
      const kept = await Promise.all(
        secretNames.map(async (one) => ({ name: one, is_set: (await secrets.get(one)) !== undefined })),
      );
      if (json) return printJson(terminal, { where: await secrets.where(), secrets: kept });
      printTable(
        terminal,
        ['name', 'kept', 'what it is'],
        kept.map((one) => [one.name, one.is_set ? 'yes' : 'no', WHAT[one.name]]),
      );
      note(terminal, `Secrets are kept in the ${await place(secrets)}.`);
    });
  secret
    .command('delete')
    .description('forget a secret')
    .addArgument(name())
    .action(async (which: SecretName) => {
      await open(terminal).delete(which);
      if (which !== 'smtp') await open(terminal).delete(originName(which));
      say(terminal, `Forgot ${which}.`);
    });
}

/** The origin that a key is for: as said, else of the configured server, else none until one is used that asks for a key. */
function serverOfKey(terminal: Terminal, which: KeyName, server: string | undefined): string {
  if (server !== undefined) {
    if (!/^https?:/iu.test(server) || !URL.canParse(server))
      throw new Refusal(`--server is ${server}: it must be an address such as https://api.example.com.`);
    return originOf(server);
  }
  const config = resolveConfig({ file: homeOf(terminal).config, env: terminal.env, flags: {} });
  const addresses =
    which === 'embedding' ? [config.embedding.base_url] : [config.llm.base_url, config.dream.llm.base_url];
  // The command of a coding agent has no key of ours.
  const configured = addresses.find((address) => address !== undefined && agentAt(address) === undefined);
  return configured === undefined ? NO_SERVER_YET : originOf(configured);
}

function open(terminal: Terminal): Secrets {
  return createSecrets({
    home: homeOf(terminal),
    log: { warn: (said: unknown) => note(terminal, String(said)) },
  });
}

async function place(secrets: Secrets): Promise<string> {
  return (await secrets.where()) === 'keychain' ? 'system keychain' : 'file secrets.json of the home';
}
