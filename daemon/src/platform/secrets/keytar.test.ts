import { describe, expect, test } from 'vitest';
import { type Keychain, loadKeytar } from './keytar.ts';

function keychain(): Keychain & { kept: Map<string, string> } {
  const kept = new Map<string, string>();
  return {
    kept,
    getPassword: async (_service, account) => kept.get(account) ?? null,
    setPassword: async (_service, account, password) => void kept.set(account, password),
    deletePassword: async (_service, account) => kept.delete(account),
  };
}

/** `@napi-rs/keyring` over a keychain; its options are noted. */
function keyring(of: Keychain, options: unknown[] = []) {
  return {
    AsyncEntry: class {
      readonly #at: [string, string];
      constructor(service: string, account: string, given: unknown) {
        this.#at = [service, account];
        options.push(given);
      }
      getPassword = async () => (await of.getPassword(...this.#at)) ?? undefined;
      setPassword = (password: string) => of.setPassword(...this.#at, password);
      deletePassword = () => of.deletePassword(...this.#at);
    },
  };
}

const missing = () => Promise.reject(new Error('Cannot find package'));

describe('the keychain', () => {
  test('is the prebuilt one where keytar did not compile, and never in the memory of the kernel', async () => {
    const one = keychain();
    const options: unknown[] = [];
    const found = await loadKeytar((name) =>
      name === 'keytar' ? missing() : Promise.resolve(keyring(one, options)),
    );
    await found.setPassword('reverie', 'a', 'secret');
    expect(await found.getPassword('reverie', 'a')).toBe('secret');
    expect(await found.getPassword('reverie', 'b')).toBeNull();
    expect([await found.deletePassword('reverie', 'a'), one.kept.size]).toEqual([true, 0]);
    expect(new Set(options.map((given) => JSON.stringify(given)))).toEqual(
      new Set(['{"linux":{"store":"secret-service"}}']),
    );
  });

  test('finds what the other module kept, and keeps a change once', async () => {
    const first = keychain();
    const second = keychain();
    second.kept.set('a', 'of the app');
    const found = await loadKeytar(async (name) =>
      name === 'keytar' ? { default: first } : keyring(second),
    );
    expect(await found.getPassword('reverie', 'a')).toBe('of the app');
    await found.setPassword('reverie', 'a', 'new');
    expect([first.kept.get('a'), second.kept.size]).toEqual(['new', 0]);
  });

  test('says why where there is none', async () => {
    await expect(loadKeytar(missing)).rejects.toThrow('Cannot find package');
  });
});
