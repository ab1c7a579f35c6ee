/** Digests of what has a name: of tags, projects and headings, of names, of a question; and what newer notes replace. */
export { reflect } from './reflect.ts';
export { sleep } from './sleep.ts';
export { summarize } from './summarize.ts';
export { synthesize } from './synthesize.ts';
