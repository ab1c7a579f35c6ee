import type { Strategy } from '@reverie/shared/contract/dreams/dream-strategies';
import { connect } from './connect.ts';
import { contradict } from './contradict.ts';
import { forecast } from './forecast.ts';
import type { Finder } from './notes.ts';
import { pattern } from './pattern.ts';
import { refine } from './refine.ts';
import { rem } from './rem.ts';
import { sleep } from './sleep.ts';
import { synthesize } from './synthesize.ts';

/** What is found by structure, by strategy; the others need a model, or a question. */
export const finders: Readonly<Partial<Record<Strategy, Finder>>> = {
  refine,
  contradict,
  pattern,
  connect,
  synthesize,
  sleep,
  rem,
  forecast,
};
