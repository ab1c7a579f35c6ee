import { describe, expect, test } from 'vitest';
import { howToInstall } from './install.ts';
import { offeredModels, stillOffered } from './offered.ts';

describe('what is offered', () => {
  test('each once, with a size and a licence; some to talk and some for vectors', () => {
    const names = offeredModels().map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    for (const { bytes, licence, about } of offeredModels()) {
      expect(bytes).toBeGreaterThan(100e6);
      expect(licence).toMatch(/^(Apache-2\.0|MIT|Gemma Terms of Use)$/);
      expect(about).toMatch(/\.$/);
    }
    for (const part of ['ask', 'dreams', 'vectors'] as const)
      expect(offeredModels().some((model) => model.for.includes(part))).toBe(true);
  });

  test('what an Ollama has already is left out, with its tag or without', () => {
    const had = ['qwen3.5:4b', 'nomic-embed-text:latest'].map((name) => ({
      name,
      bytes: 1,
      context: null,
      can: [],
    }));
    const server = { url: 'http://127.0.0.1:1', version: null, models: had, needs_key: false, consent: null };
    const left = (kind: 'ollama' | 'vllm') => stillOffered([{ kind, ...server }]).map(({ name }) => name);
    expect(left('ollama')).toHaveLength(offeredModels().length - 2);
    expect(left('ollama')).not.toContain('nomic-embed-text');
    expect(left('vllm')).toHaveLength(offeredModels().length);
  });

  test.each(['linux', 'darwin', 'win32'] as const)('how to install on %s is two sentences', (system) => {
    const { text, url } = howToInstall(system);
    expect(text.match(/\.(\s|$)/g)).toHaveLength(2);
    expect(url).toMatch(/^https:\/\/ollama\.com\/download\/(linux|mac|windows)$/);
  });
});
