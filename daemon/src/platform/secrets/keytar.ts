/** The part of keytar that is used; tests hand in their own. */
export interface Keychain {
  getPassword(service: string, account: string): Promise<string | null>;
  setPassword(service: string, account: string, password: string): Promise<void>;
  deletePassword(service: string, account: string): Promise<boolean>;
}

type Load = (name: string) => Promise<unknown>;

/**
 * What keeps secrets, the first one first: keytar is compiled or downloaded when Reverie is installed; the other one comes prebuilt
 * for every system, where that failed. Their names are given to `load` as variables, for both are optional: where they are missing,
 * types and layers must not look for them.
 */
const KINDS: readonly ((load: Load) => Promise<Keychain>)[] = [
  async (load) => defaultOf<Keychain>(await load('keytar')),
  async (load) => keychainOf(defaultOf<Keyring>(await load('@napi-rs/keyring'))),
];

/**
 * The system's keychain. The two modules file a secret differently, so that what one has kept is looked for through both. Throws what
 * kept the first of them from loading, where none can be.
 */
export async function loadKeytar(load: Load = (name) => import(name)): Promise<Keychain> {
  const tries = await Promise.allSettled(KINDS.map((kind) => kind(load)));
  const found = tries.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  const [first, ...others] = found;
  if (!first) throw tries.find((one) => one.status === 'rejected')?.reason;
  return {
    async getPassword(service, account) {
      for (const keychain of found) {
        const kept = await keychain.getPassword(service, account);
        if (kept !== null) return kept;
      }
      return null;
    },
    async setPassword(service, account, password) {
      await first.setPassword(service, account, password);
      for (const keychain of others) await keychain.deletePassword(service, account);
    },
    async deletePassword(service, account) {
      let isDeleted = false;
      for (const keychain of found)
        isDeleted = (await keychain.deletePassword(service, account)) || isDeleted;
      return isDeleted;
    },
  };
}

/** The part of `@napi-rs/keyring` that is used. */
interface Keyring {
  AsyncEntry: new (service: string, account: string, options: object) => KeyringEntry;
}
interface KeyringEntry {
  getPassword(): Promise<string | null | undefined>;
  setPassword(password: string): Promise<void>;
  deletePassword(): Promise<boolean>;
}

/** On Linux it would fall back to the memory of the kernel, where a secret is gone after a restart of the machine. */
const LASTING = { linux: { store: 'secret-service' } };

function keychainOf({ AsyncEntry }: Keyring): Keychain {
  const entry = (service: string, account: string) => new AsyncEntry(service, account, LASTING);
  return {
    getPassword: async (service, account) => (await entry(service, account).getPassword()) ?? null,
    setPassword: async (service, account, password) => entry(service, account).setPassword(password),
    deletePassword: async (service, account) => entry(service, account).deletePassword(),
  };
}

function defaultOf<T>(loaded: unknown): T {
  return (loaded as { default?: T }).default ?? (loaded as T);
}
