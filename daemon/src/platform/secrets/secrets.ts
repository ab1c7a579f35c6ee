import path from 'node:path';
import { type Home, readPrivateFile, Refusal, writePrivateFile } from '../home/home.ts';
import { askKeychain } from './ask-keychain.ts';
import { type Keychain, loadKeytar } from './keytar.ts';
import type { Log } from '../log.ts';

/** What this machine keeps secret, by name: keys of model servers, the password of the mail server. */
export const secretNames = ['llm', 'embedding', 'smtp'] as const;
export type SecretName = (typeof secretNames)[number];
/** Names under which secrets are kept: those that people set, the key that linking to a relay leaves, what a recovery there needs, and the origins of keys. */
export type KeptName = SecretName | 'relay' | 'recovery' | OriginName;
/** Beside the key of a model server: the origin that it was kept for. */
export type OriginName = 'llm_origin' | 'embedding_origin';

/** The system keychain, or a file that only the user can read where no keychain answers. */
export interface Secrets {
  get(name: KeptName): Promise<string | undefined>;
  set(name: KeptName, value: string): Promise<void>;
  delete(name: KeptName): Promise<void>;
  /** Where the secrets are kept. */
  where(): Promise<'keychain' | 'file'>;
}

export interface SecretsDeps {
  home: Pick<Home, 'folder'>;
  /** Told once that no keychain answers. */
  log: Pick<Log, 'warn'>;
  /** Finds the keychain; undefined where none answers. */
  findKeychain?: () => Promise<Keychain | undefined>;
}

const SERVICE = 'reverie';

/** The secrets of a home. The keychain is looked for when the first one is asked for, never at the start. */
export function createSecrets({ home, log, findKeychain = findSystemKeychain }: SecretsDeps): Secrets {
  const file = path.join(home.folder, 'secrets.json');
  // Two homes of one user do not share a secret.
  const accountOf = (name: KeptName) => `${name}@${home.folder}`;
  let looking: Promise<Keychain | undefined> | undefined;
  const keychain = () =>
    (looking ??= findKeychain().then((found) => {
      if (!found)
        log.warn(`no system keychain answers: secrets are kept in ${file}, which only this user can read`);
      return found;
    }));

  return {
    async get(name) {
      // What was kept in the file before there was a keychain still stands there.
      const kept = readSecrets(file)[name];
      return kept ?? (await (await keychain())?.getPassword(SERVICE, accountOf(name))) ?? undefined;
    },
    async set(name, value) {
      const found = await keychain();
      const { [name]: before, ...others } = readSecrets(file);
      if (!found) writeSecrets(file, { ...others, [name]: value });
      else {
        await found.setPassword(SERVICE, accountOf(name), value);
        if (before !== undefined) writeSecrets(file, others);
      }
    },
    async delete(name) {
      const { [name]: before, ...others } = readSecrets(file);
      if (before !== undefined) writeSecrets(file, others);
      await (await keychain())?.deletePassword(SERVICE, accountOf(name));
    },
    where: async () => ((await keychain()) ? 'keychain' : 'file'),
  };
}

type Kept = Partial<Record<KeptName, string>>;

function readSecrets(file: string): Kept {
  const text = readPrivateFile(file);
  if (text === undefined) return {};
  try {
    const parsed: unknown = JSON.parse(text);
    if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)) return parsed;
  } catch {
    // Said below, without what stands in the file.
  }
  throw new Refusal(
    `${file} is not a JSON object. Remove it, and set your secrets anew with \`reverie secret set\`.`,
  );
}

function writeSecrets(file: string, kept: Kept): void {
  writePrivateFile(file, `${JSON.stringify(kept, null, 2)}\n`);
}

let system: Promise<Keychain | undefined> | undefined;

/** Returns the keychain through keytar, after a process of its own has seen it answer; this machine has one, or none. */
function findSystemKeychain(): Promise<Keychain | undefined> {
  return (system ??= askKeychain().then((answer) => (answer === 'ok' ? loadKeytar() : undefined)));
}
