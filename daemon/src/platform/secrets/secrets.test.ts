import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { temporaryFolder } from '../../testing.ts';
import type { Keychain } from './keytar.ts';
import { createSecrets } from './secrets.ts';

let temporary: { folder: string; remove: () => void };
beforeEach(() => {
  temporary = temporaryFolder();
});
afterEach(() => temporary.remove());

function memoryKeychain(): Keychain & { kept: Map<string, string> } {
  const kept = new Map<string, string>();
  const at = (service: string, account: string) => `${service}/${account}`;
  return {
    kept,
    getPassword: async (service, account) => kept.get(at(service, account)) ?? null,
    setPassword: async (service, account, password) => void kept.set(at(service, account), password),
    deletePassword: async (service, account) => kept.delete(at(service, account)),
  };
}

describe.each(['keychain', 'file'] as const)('secrets in a %s', (kind) => {
  const open = (folder: string, keychain = memoryKeychain()) => {
    const warn = vi.fn();
    const findKeychain = async () => (kind === 'keychain' ? keychain : undefined);
    return { secrets: createSecrets({ home: { folder }, log: { warn }, findKeychain }), warn, keychain };
  };

  test('are there until they are deleted, each by its name', async () => {
    const { secrets, warn } = open(temporary.folder);
    expect(await secrets.get('llm')).toBeUndefined();
    await secrets.set('llm', 'sk-one');
    await secrets.set('smtp', 'pass word');
    await secrets.set('llm', 'sk-two');
    expect([await secrets.get('llm'), await secrets.get('smtp'), await secrets.get('embedding')]).toEqual([
      'sk-two',
      'pass word',
      undefined,
    ]);
    await secrets.delete('llm');
    await secrets.delete('llm');
    expect([await secrets.get('llm'), await secrets.get('smtp')]).toEqual([undefined, 'pass word']);
    expect(await secrets.where()).toBe(kind);
    expect(warn).toHaveBeenCalledTimes(kind === 'file' ? 1 : 0);
  });

  test('are not told to the log, nor read by others', async () => {
    const { secrets, warn, keychain } = open(temporary.folder);
    await secrets.set('llm', 'sk-very-secret');
    expect(JSON.stringify(warn.mock.calls)).not.toContain('sk-very-secret');
    const file = path.join(temporary.folder, 'secrets.json');
    if (kind === 'file') expect(fs.statSync(file).mode & 0o777).toBe(0o600);
    else {
      expect(fs.existsSync(file)).toBe(false);
      expect([...keychain.kept.keys()]).toEqual([`reverie/llm@${temporary.folder}`]);
    }
  });
});

test('what a file kept before there was a keychain is found, and moves with the next set', async () => {
  const keychain = memoryKeychain();
  const home = { folder: temporary.folder };
  const log = { warn: vi.fn() };
  await createSecrets({ home, log, findKeychain: async () => undefined }).set('llm', 'old');
  const secrets = createSecrets({ home, log, findKeychain: async () => keychain });
  expect(await secrets.get('llm')).toBe('old');
  await secrets.set('llm', 'new');
  expect(await secrets.get('llm')).toBe('new');
  expect(fs.readFileSync(path.join(temporary.folder, 'secrets.json'), 'utf8')).not.toContain('old');
});

test('a file that others can read, or that is broken, is refused without telling what stands in it', async () => {
  const file = path.join(temporary.folder, 'secrets.json');
  fs.writeFileSync(file, '{"llm": "sk-very-secret"', { mode: 0o600 });
  const secrets = createSecrets({
    home: { folder: temporary.folder },
    log: { warn: vi.fn() },
    findKeychain: async () => undefined,
  });
  await expect(secrets.get('llm')).rejects.toThrow(/not a JSON object/);
  await expect(secrets.get('llm')).rejects.not.toThrow(/very-secret/);
  fs.chmodSync(file, 0o644);
  await expect(secrets.get('llm')).rejects.toThrow(/Other users can read/);
});
