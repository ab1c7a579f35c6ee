import { Argument, type Command } from 'commander';
import { prepareHome } from '../platform/home.ts';
import { createSecrets, type SecretName, secretNames, type Secrets } from '../platform/secrets.ts';
import { jsonOption } from './options.ts';
import { note, printJson, printTable, say } from './print.ts';
import { homeOf, type Input, type Terminal, UsageError } from './terminal.ts';

const WHAT: Readonly<Record<SecretName, string>> = {
  llm: 'key of the language model server (llm.base_url)',
  embedding: 'key of the embedding server (embedding.base_url)',
  smtp: 'password of the mail server (mail.smtp.user)',
};

/** `reverie secret set|list|delete`: works on the keychain or the file itself, and never prints a secret. */
export function addSecret(program: Command, terminal: Terminal): void {
  const secret = program.command('secret').description('keep keys of model servers and the mail password');
  const name = () => new Argument('<name>', 'which one').choices(secretNames);
  secret
    .command('set')
    .description('ask for a secret, or read it from standard input, and keep it')
    .addArgument(name())
    .action(async (which: SecretName) => {
      prepareHome(homeOf(terminal));
      const value = await readSecret(terminal, which);
      const secrets = open(terminal);
      await secrets.set(which, value);
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
      say(terminal, `Forgot ${which}.`);
    });
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

/** Longer than any key; who pipes a whole file in by mistake is told. */
const LONGEST = 8192;

/** The secret from a prompt that shows nothing, or from standard input; never from the command line, which others see. */
async function readSecret(terminal: Terminal, which: SecretName): Promise<string> {
  const { stdin, stderr } = terminal;
  if (stdin.isTTY) stderr.write(`Secret ${which} (it is not shown): `);
  const text = await (stdin.isTTY ? typed(stdin) : piped(stdin));
  if (stdin.isTTY) stderr.write('\n');
  const value = text.replace(/\r?\n$/u, '').trim();
  if (value === '') throw new UsageError('There was no secret: type it, or pipe it in.');
  if (value.length > LONGEST || /[\r\n\0]/u.test(value))
    throw new UsageError('A secret is one line of at most 8192 characters.');
  return value;
}

async function piped(stdin: Input): Promise<string> {
  let text = '';
  for await (const part of stdin) {
    text += String(part);
    if (text.length > LONGEST + 2) break;
  }
  return text;
}

/** A line that is typed without being shown; Ctrl-C and Ctrl-D end it with nothing. */
function typed(stdin: Input): Promise<string> {
  const raw = stdin as Input & { setRawMode?: (on: boolean) => void };
  return new Promise((resolve) => {
    let text = '';
    const end = (value: string) => {
      stdin.off('data', read);
      stdin.off('end', closed);
      raw.setRawMode?.(false);
      stdin.pause();
      resolve(value);
    };
    const read = (part: Buffer | string) => {
      for (const letter of String(part)) {
        if (letter === '\r' || letter === '\n') return end(text);
        if (letter === '\u0003' || letter === '\u0004') return end('');
        if (letter === '\u007f' || letter === '\b') text = text.slice(0, -1);
        else text += letter;
      }
    };
    const closed = () => end(text);
    raw.setRawMode?.(true);
    stdin.on('data', read);
    stdin.on('end', closed);
    stdin.resume();
  });
}
