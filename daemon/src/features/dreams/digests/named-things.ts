import { headDay } from '../../../language/head-day.ts';
import { foldText } from '../../../language/words.ts';
import type { ReadNamespace, ReadMemory } from '../notes/reading.ts';
import { knownNames } from '../notes/known-names.ts';

/** What people gave a name: a tag, a project or a heading, and the notes that stand under it. */
export interface NamedThing {
  readonly name: string;
  /** By time, none that says what another one says. */
  readonly members: readonly ReadMemory[];
}

/** Fewer notes need no digest; of more, a handful of sentences says nothing. */
const MEMBERS = { least: 3, most: 20 } as const;
const HEADING = /^#{1,6}\s+(.+?)\s*#*$/gmu;
const PROJECT = /^projects?\/([^/]+)\//iu;

/** The named things of a namespace, those with the most notes first. */
export function namedThings({ memories }: ReadNamespace): NamedThing[] {
  const byName = new Map<string, { name: string; members: Map<string, ReadMemory> }>();
  for (const one of memories)
    for (const name of namesOf(one)) {
      const id = foldText(name).toLowerCase();
      const thing = byName.get(id) ?? { name, members: new Map<string, ReadMemory>() };
      byName.set(id, thing);
      if (!thing.members.has(one.memory.digest)) thing.members.set(one.memory.digest, one);
    }
  return [...byName]
    .filter(([, { members }]) => members.size >= MEMBERS.least && members.size <= MEMBERS.most)
    .sort(([a, x], [b, y]) => y.members.size - x.members.size || (a < b ? -1 : 1))
    .map(([, { name, members }]) => ({ name, members: [...members.values()] }));
}

function namesOf({ memory }: ReadMemory): string[] {
  const { project } = memory.metadata;
  const headings = [...memory.value.matchAll(HEADING)].map(([, heading = '']) =>
    heading.replaceAll(/[*_`]/gu, ''),
  );
  const told = [
    ...memory.tags,
    ...(typeof project === 'string' ? [project] : []),
    ...(PROJECT.exec(memory.key)?.slice(1) ?? []),
  ];
  return [
    ...told.map(spelled),
    ...headings.filter((heading) => headDay(heading) === undefined && isName(heading)),
  ].filter((name) => /\p{L}/u.test(name));
}

/** `barge-margriet` as a person writes it. */
function spelled(tag: string): string {
  const words = tag.replaceAll(/[-_]+/gu, ' ').trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Whether a text has a capitalised word that no dictionary has: `Notes` and `Next steps` name no thing. */
export function isName(text: string): boolean {
  const known = knownNames();
  return (text.match(/\p{L}[\p{L}\p{N}]*/gu) ?? []).some(
    (word) => /^\p{Lu}/u.test(word) && !known.isOrdinary(foldText(word).toLowerCase()),
  );
}
