import { z } from 'zod';
import { type LanguageModel, ModelFailure } from '../../../models/language-model.ts';
import { within } from '../composing.ts';
import type { AskSearch } from '../ports.ts';
import type { Stage } from '../state.ts';

/** Rewordings that are looked for beside the question. */
const MOST = 6;

export interface ExpansionDeps {
  search: Pick<AskSearch, 'expand'>;
  model: LanguageModel | undefined;
  /** Ends what the model is still thinking about. */
  signal: AbortSignal;
}

/** Second stage: the question in other words, by rules, and by the model where there is one. A model that fails is passed over. */
export const queryExpansion: Stage<ExpansionDeps> = {
  name: 'query_expansion',
  async run({ search, model, signal }, state) {
    const { text, now } = state.question;
    const ruled = search.expand(text, now);
    const reworded = model ? await rewordings(model, text, signal) : [];
    const queries = [...new Set([text, ...ruled, ...reworded])].slice(0, 1 + MOST);
    if (queries.length === 1) return { skipped: 'there is no other way to say it' };
    return { state: { ...state, queries } };
  },
};

const Rewordings = z.object({ queries: z.array(z.string().min(1).max(300)).max(4) });

async function rewordings(model: LanguageModel, text: string, signal: AbortSignal): Promise<string[]> {
  try {
    const { value } = await within(
      signal,
      model.generate({
        system:
          'You help to search a personal store of notes. Say the question in up to three other ways, with words that the note itself may use. Answer JSON: {"queries": [..]}.',
        prompt: text,
        schema: Rewordings,
        maxTokens: 200,
        signal,
      }),
    );
    return value.queries.slice(0, 3);
  } catch (cause) {
    // The rules' ways to say it are enough.
    if (cause instanceof ModelFailure) return [];
    throw cause;
  }
}
