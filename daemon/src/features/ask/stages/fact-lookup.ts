import type { AskFacts } from '../ports.ts';
import { type Stage, withFound } from '../state.ts';

/** Facts that are looked at. */
const MOST = 20;

/** First stage: what is known of the things that the question names. Its memories become candidates. */
export const factLookup: Stage<{ facts: AskFacts | undefined }> = {
  name: 'fact_lookup',
  run({ facts }, state) {
    if (!facts) return { skipped: 'no facts are kept' };
    const { words } = state.question;
    if (words.length === 0) return { skipped: 'the question names nothing' };
    const wanted = {
      entities: words.filter(({ role }) => role === 'name').map(({ text }) => text),
      terms: words.filter(({ role }) => role !== 'name').map(({ text }) => text),
    };
    const known = facts.lookup(state.scope, wanted).slice(0, MOST);
    if (known.length === 0) return { skipped: 'no fact is known of it' };
    const hits = [...new Set(known.map(({ memoryId }) => memoryId))].map((id) => ({ id, score: 1 }));
    return { state: withFound({ ...state, facts: known }, 'facts', hits) };
  },
};
