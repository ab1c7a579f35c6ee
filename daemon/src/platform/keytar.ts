/** The part of keytar that is used; tests hand in their own. */
export interface Keychain {
  getPassword(service: string, account: string): Promise<string | null>;
  setPassword(service: string, account: string, password: string): Promise<void>;
  deletePassword(service: string, account: string): Promise<boolean>;
}

/** A variable, for keytar is optional: where it could not be built, types and layers must not look for it. */
const NAME: string = 'keytar';

/** The system's keychain. Throws where keytar was not built, or cannot be loaded. */
export async function loadKeytar(): Promise<Keychain> {
  const loaded = (await import(NAME)) as { default?: Keychain };
  return loaded.default ?? (loaded as Keychain);
}
