import { connect } from './connect.ts';
import { contradict } from './contradict.ts';
import type { Finders } from './finder.ts';
import { forecast } from './forecast.ts';
import { pattern } from './pattern.ts';
import { refine } from './refine.ts';
import { rem } from './rem.ts';
import { sleep } from './sleep.ts';
import { synthesize } from './synthesize.ts';

/** What is found without a model. */
export const finders: Finders = { refine, contradict, pattern, connect, synthesize, sleep, rem, forecast };
