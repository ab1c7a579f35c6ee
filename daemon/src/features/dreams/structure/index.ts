import type { Finders } from './finder.ts';

/** What is found by structure, by strategy. */
export const finders: Finders = {};
