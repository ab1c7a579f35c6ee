import type { Strategy } from './dream-strategies.ts';

interface Words {
  name: string;
  /** What a dream looks for there. */
  looksFor: string;
}

/** The kinds of what dreams notice, for people, in the order in which they are shown. */
export const strategyWords: Readonly<Record<Strategy, Words>> = {
  forecast: { name: 'Coming up', looksFor: 'what is due next' },
  contradict: { name: 'Disagree', looksFor: 'what cannot both be true' },
  refine: { name: 'Twice', looksFor: 'the same note twice' },
  pattern: { name: 'Keeps happening', looksFor: 'what keeps coming back' },
  connect: { name: 'Belongs together', looksFor: 'what only notes together tell' },
  rem: { name: 'Missing pages', looksFor: 'links that lead nowhere' },
  summarize: { name: 'In short', looksFor: 'topics, in sentences of yours' },
  synthesize: { name: 'About one thing', looksFor: 'what is known of it, in one place' },
  reflect: { name: 'Questions', looksFor: 'your question, answered' },
  sleep: { name: 'Rest', looksFor: 'what to put away' },
};
