import { describe, expect, it } from 'vitest';

import { ownMemories, ownSet, probePairs, quickSet } from './own-set.ts';
import { OTHERS, paraphraseProbe } from '../probe.ts';

describe('the own set', () => {
  const [batch] = [...ownSet().batches];
  const keys = new Set(batch?.items.map(({ key }) => key));

  it('gives every question evidence that is stored, or none and says so', () => {
    const questions = batch?.questions ?? [];
    expect(questions.length).toBeGreaterThan(300);
    for (const { id, evidence, unanswerable } of questions) {
      expect(evidence.length === 0, id).toBe(unanswerable === true);
      expect(
        evidence.filter((key) => !keys.has(key)),
        id,
      ).toEqual([]);
    }
    expect(questions.filter(({ now }) => now === undefined)).toEqual([]);
  });

  it('has a quick cut with both halves and all that answers them', () => {
    const [quick] = [...quickSet().batches];
    const kept = new Set(quick?.items.map(({ key }) => key));
    expect(kept.size).toBeLessThan(60);
    expect(new Set(quick?.questions.map(({ half }) => half))).toEqual(new Set(['tune', 'report']));
    expect(quick?.questions.flatMap(({ evidence }) => evidence).filter((key) => !kept.has(key))).toEqual([]);
  });
});

describe('the paraphrase probe', () => {
  const benchmark = paraphraseProbe();
  const [batch] = [...benchmark.batches];

  it('hides each pair among 5,000 others, with a key of its own that says nothing', () => {
    const pairs = probePairs();
    expect(batch?.items).toHaveLength(OTHERS + pairs.length);
    expect(new Set(batch?.items.map(({ key }) => key)).size).toBe(OTHERS + pairs.length);
    const valueOf = new Map(batch?.items.map(({ key, value }) => [key, value]));
    expect(batch?.questions.map(({ evidence: [key] }) => valueOf.get(key ?? ''))).toEqual(
      pairs.map(({ memory }) => memory),
    );
    const own = new Set(ownMemories().map(({ key }) => key));
    for (const { evidence } of batch?.questions ?? []) {
      expect(evidence[0]).toMatch(/^\d+$/);
      expect(own.has(evidence[0] ?? '')).toBe(false);
    }
  });

  it('is in the same order in every run', () => {
    const [again] = [...paraphraseProbe().batches];
    expect(again).toEqual(batch);
  });

  it('says so where too few others are there', () => {
    expect(() => paraphraseProbe(probePairs(), 1_000_000)).toThrow('not 1000000');
  });
});
