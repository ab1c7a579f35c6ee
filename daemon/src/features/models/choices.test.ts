import { describe, expect, test } from 'vitest';
import { Config, put, type Tree } from '../../config/config.ts';
import { changesTo, type ModelChoice, type ModelParts, partsOf } from './choices.ts';

const [A, B]: ModelChoice[] = [
  { baseUrl: 'http://127.0.0.1:11434/v1', model: 'a' },
  { baseUrl: 'https://models.example/api', model: 'b' },
];
const part = (
  choice: ModelChoice | undefined,
  timeoutMs: number,
  [tokensPerDay, tokensPerMonth]: readonly (number | undefined)[] = [],
) => ({
  choice,
  timeoutMs,
  tokensPerDay,
  tokensPerMonth,
});

/** Settings with some of them changed, as a file would be. */
function changed(config: Config, changes: Record<string, unknown>): Config {
  const tree = JSON.parse(JSON.stringify(config)) as Tree;
  for (const [name, value] of Object.entries(changes)) put(tree, name.split('.'), value);
  return Config.parse(tree);
}

describe('what parts use', () => {
  const all: ModelParts[] = [];
  for (const ask of [undefined, A, B])
    for (const dreams of [undefined, A, B])
      for (const time of [5000, 20_000])
        all.push({
          ask: part(ask, 20_000, [9, 90]),
          dreams: part(dreams, time, time === 5000 ? [7] : [undefined, 70]),
          vectors: part(dreams, 10_000),
        });

  test('is what the settings say that are made of it, whatever they were before', () => {
    let config = Config.parse({});
    // Each after each other one.
    for (const first of all)
      for (const then of all) {
        config = changed(config, changesTo(first, config));
        expect(partsOf(config)).toEqual(first);
        config = changed(config, changesTo(then, config));
        expect(partsOf(config)).toEqual(then);
        expect(changesTo(then, config)).toEqual({});
      }
  });

  test('dreams follow questions, and one model for both is written once', () => {
    const config = Config.parse({});
    const both = { ...partsOf(config), ask: part(A, 20_000), dreams: part(A, 300_000) };
    expect(changesTo(both, config)).toEqual({ 'llm.base_url': A?.baseUrl, 'llm.model': 'a' });
    const asked = Config.parse({ llm: { base_url: A?.baseUrl, model: 'a' } });
    expect(partsOf(asked).dreams.choice).toEqual(A);
  });
});
