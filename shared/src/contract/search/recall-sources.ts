import { z } from 'zod';

/** What search and ask look into: what was remembered, and what was said and done in coding sessions. */
export const recallSources = ['memories', 'sessions'] as const;

/** What is looked into; memories alone where nothing is said. */
export const RecallSources = z
  .array(
    z.enum(recallSources, {
      error: (issue) => `is ${JSON.stringify(issue.input)}; allowed: ${recallSources.join(', ')}`,
    }),
  )
  .min(1, `must name one at least; allowed: ${recallSources.join(', ')}`)
  .max(recallSources.length)
  .default(['memories']);
