import type { YieldToOthers } from '../../../platform/yielding.ts';
import type { EvidenceDeps } from '../reading/evidence.ts';
import { evidenceIn } from '../reading/evidence.ts';
import { readMemory } from '../reading/passages.ts';
import type { AskMemories, AskSearch } from '../ports.ts';
import { type Answering, scoreBy } from '../reading/reranking.ts';
import { candidateIds, type Stage } from '../state.ts';

/** Candidates that are read sentence by sentence. */
const READ = 20;
/** Those without a place in the order of search (facts, neighbours, the rest of a small namespace) that are read as well. */
const READ_OTHERS = 8;

/** Characters that are read of all of them, and of each at least: candidates of a megabyte would keep everybody else waiting. */
const MOST_CHARACTERS = 48_000;
const LEAST_CHARACTERS = 3_000;

export interface RerankDeps extends EvidenceDeps {
  search: Pick<AskSearch, 'rank'>;
  memories: Pick<AskMemories, 'byId'>;
  yieldToOthers: YieldToOthers;
}

/** Sixth stage: reads the best candidates sentence by sentence, and orders them by how likely they answer. */
export const rerank: Stage<RerankDeps> = {
  name: 'rerank',
  async run(deps, state) {
    const { scope, question, queries, found } = state;
    const { yieldToOthers } = deps;
    if (found.length === 0) return { skipped: 'there is no candidate' };
    const base = await deps.search.rank(scope, queries[0] ?? question.asked, {
      ...{ found, yieldToOthers },
      limit: READ,
    });
    const placed = new Map(base.map(({ id, score }, at) => [id, { score, place: at + 1 }]));
    const others = candidateIds({
      found: found.filter(({ name }) => name !== 'vectors' && name !== 'words'),
    });
    const wanted = [...placed.keys(), ...others.filter((id) => !placed.has(id)).slice(0, READ_OTHERS)];
    await yieldToOthers();
    const memories = deps.memories.byId(scope, wanted);
    const anchors = [...question.words].sort((a, b) => b.weight - a.weight).map(({ text }) => text);
    let left = MOST_CHARACTERS;
    const ranked: Answering[] = [];
    for (const id of wanted) {
      const memory = memories.get(id);
      if (!memory) continue;
      await yieldToOthers();
      const characters = Math.max(LEAST_CHARACTERS, left);
      left -= Math.min(memory.value.length, characters);
      const read = readMemory(memory, { anchors, nameConcepts: deps.nameConcepts, characters });
      const evidence = evidenceIn(deps, question, read);
      const { score: searched, place } = placed.get(id) ?? { score: 0, place: READ };
      const seen = { base: searched, place, evidence };
      ranked.push({ memory, ...seen, ...scoreBy(seen) });
    }
    ranked.sort((a, b) => b.score - a.score || b.memory.created_at.localeCompare(a.memory.created_at));
    return { state: { ...state, ranked } };
  },
};
