import { describe, expect, it } from 'vitest';
import type { AskMemories, KnownFact } from '../ports.ts';
import { candidateIds, type StageOutcome, withFound } from '../state.ts';
import { evidenceDeps, memory, stateOf } from '../testing/asking.ts';
import { factLookup } from './fact-lookup.ts';
import { fullContextFallback } from './full-context-fallback.ts';
import { keywordFallback } from './keyword-fallback.ts';
import { queryExpansion } from './query-expansion.ts';
import { rerank } from './rerank.ts';
import { vectorSearch } from './vector-search.ts';

const ids = (step: StageOutcome) => ('state' in step ? candidateIds(step.state) : step.skipped);
const start = stateOf('Where does Daniel work?');
const yieldToOthers = async () => undefined;

describe('fact_lookup', () => {
  const fact: KnownFact = {
    memoryId: 7,
    subject: 'Daniel',
    predicate: 'works_at',
    object: 'the hospice',
    sentence: 'Daniel works at the hospice.',
    superseded: false,
  };

  it('asks for the names and for the other words, and makes the memories of the facts candidates', async () => {
    const wanted: unknown[] = [];
    const facts = {
      lookup: (_: unknown, what: unknown) => {
        wanted.push(what);
        return [fact, fact];
      },
    };
    const step = await factLookup.run({ facts }, start);
    expect(ids(step)).toEqual([7]);
    expect('state' in step && step.state.facts).toEqual([fact, fact]);
    expect(wanted).toEqual([{ entities: ['daniel'], terms: ['work'] }]);
  });

  it('says why it has nothing to do', async () => {
    expect(await factLookup.run({ facts: undefined }, start)).toEqual({ skipped: 'no facts are kept' });
    const facts = { lookup: () => [] };
    expect(await factLookup.run({ facts }, start)).toEqual({ skipped: 'no fact is known of it' });
    expect(await factLookup.run({ facts }, stateOf('???'))).toEqual({
      skipped: 'the question names nothing',
    });
  });
});

describe('query_expansion', () => {
  it('keeps the question first and says nothing twice', async () => {
    const search = { expand: () => ['Where is Daniel employed?', 'Where does Daniel work?'] };
    const step = await queryExpansion.run({ search }, start);
    expect('state' in step && step.state.queries).toEqual([
      'Where does Daniel work?',
      'Where is Daniel employed?',
    ]);
  });

  it('says why it has nothing to do', async () => {
    expect(await queryExpansion.run({ search: { expand: () => [] } }, start)).toEqual({
      skipped: 'there is no other way to say it',
    });
  });
});

describe('vector_search', () => {
  it('takes what has a vector like the question', async () => {
    const hits = [
      { id: 1, score: 0.8 },
      { id: 2, score: 0 },
    ];
    const deps = { search: { vectors: async () => hits }, yieldToOthers };
    expect(ids(await vectorSearch.run(deps, start))).toEqual([1]);
    const none = { search: { vectors: async () => [] }, yieldToOthers };
    expect(ids(await vectorSearch.run(none, start))).toBe('nothing has a vector like the question');
  });
});

describe('keyword_fallback', () => {
  const memories = { around: () => [] };

  it('looks for all of the words first and fills up with any of them', async () => {
    const asked: boolean[] = [];
    const search = {
      words: async (_: unknown, __: unknown, { all }: { all: boolean }) => {
        asked.push(all);
        return all
          ? [{ id: 1, score: 3 }]
          : [
              { id: 2, score: 5 },
              { id: 1, score: 3 },
            ];
      },
    };
    expect(ids(await keywordFallback.run({ search, memories, yieldToOthers }, start))).toEqual([2, 1]);
    expect(asked).toEqual([true, false]);
  });

  it('gives others their turn between its looks', async () => {
    const done: string[] = [];
    const search = {
      words: async (_: unknown, __: unknown, { all }: { all: boolean }) => {
        done.push(all ? 'all' : 'any');
        return [{ id: 1, score: 3 }];
      },
    };
    const turns = async () => void done.push('others');
    const near = { around: () => (done.push('around'), []) };
    await keywordFallback.run({ search, memories: near, yieldToOthers: turns }, start);
    expect(done).toEqual(['all', 'others', 'any', 'others', 'around']);
  });

  it('brings the turns next to the best hits', async () => {
    const search = { words: async () => [{ id: 1, score: 3 }] };
    const around = { around: (_: unknown, near: readonly number[]) => near.map((id) => id + 100) };
    const found = withFound(start, 'vectors', [{ id: 5, score: 0.9 }]);
    expect(ids(await keywordFallback.run({ search, memories: around, yieldToOthers }, found))).toEqual([
      5, 1, 101, 105,
    ]);
  });

  it('says why it has nothing to do', async () => {
    const search = { words: async () => [] };
    expect(ids(await keywordFallback.run({ search, memories, yieldToOthers }, start))).toBe(
      'no memory has a word of it',
    );
  });
});

describe('full_context_fallback', () => {
  const holding = (
    count: number,
    changed: readonly number[] = [],
  ): Pick<AskMemories, 'newest' | 'changedSince'> => ({
    newest: (_, limit) => Array.from({ length: Math.min(count, limit) }, (_, at) => at + 1),
    changedSince: () => changed,
  });
  const run = (memories: Pick<AskMemories, 'newest' | 'changedSince'>, state = start) =>
    fullContextFallback.run({ memories }, state);

  it('reads a small namespace whole', async () => {
    expect(ids(await run(holding(3), withFound(start, 'words', [{ id: 2, score: 1 }])))).toEqual([2, 1, 3]);
  });

  it('takes the newest of a large one only where nothing was found', async () => {
    expect(ids(await run(holding(5_000)))).toHaveLength(30);
    expect(ids(await run(holding(5_000), withFound(start, 'words', [{ id: 2, score: 1 }])))).toBe(
      'enough was found',
    );
  });

  it('adds what said something else at the time that is asked about', async () => {
    const past = { ...withFound(start, 'words', [{ id: 2, score: 1 }]), scope: { ...start.scope, asOf: 1 } };
    expect(ids(await run(holding(5_000, [77]), past))).toEqual([2, 77]);
  });

  it('says why it has nothing to do', async () => {
    expect(ids(await run(holding(0)))).toBe('the namespace is empty');
    expect(ids(await run(holding(1), withFound(start, 'words', [{ id: 1, score: 1 }])))).toBe(
      'all memories are candidates already',
    );
  });
});

describe('rerank', () => {
  const notes = [
    memory({ id: 1, key: 'cinema', value: 'Daniel has been to the cinema.' }),
    memory({ id: 2, key: 'job', value: 'It rained. Daniel works at the hospice in Lübeck.' }),
    memory({ id: 3, key: 'gone', value: 'unread' }),
  ];
  const deps = {
    ...evidenceDeps,
    yieldToOthers,
    memories: { byId: () => new Map(notes.slice(0, 2).map((note) => [note.id, note])) },
    search: { rank: async () => notes.map(({ id }) => ({ id, score: 0.5 })) },
  };

  it('puts the sentence first that has what is asked, and leaves out what is gone', async () => {
    const found = withFound(
      start,
      'words',
      notes.map(({ id }) => ({ id, score: 1 })),
    );
    const step = await rerank.run(deps, found);
    const ranked = 'state' in step ? step.state.ranked : [];
    expect(ranked.map(({ memory: { key } }) => key)).toEqual(['job', 'cinema']);
    expect(ranked[0]?.evidence.passage?.text).toBe('Daniel works at the hospice in Lübeck.');
    expect(ranked[0]?.boosts.map(({ name }) => name)).toContain('type');
  });

  it('says why it has nothing to do', async () => {
    expect(await rerank.run(deps, start)).toEqual({ skipped: 'there is no candidate' });
  });
});
