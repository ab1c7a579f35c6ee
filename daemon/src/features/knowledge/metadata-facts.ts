import type { Statement } from './fact.ts';
import { normaliseEntity, normaliseText } from './normalise.ts';

/** Which fields of metadata say what of their memory. */
const FIELDS: Readonly<Record<string, { predicate: string; kind: 'name' | 'text'; functional: boolean }>> = {
  entities: { predicate: 'mentions', kind: 'name', functional: false },
  entity: { predicate: 'mentions', kind: 'name', functional: false },
  people: { predicate: 'mentions', kind: 'name', functional: false },
  person: { predicate: 'mentions', kind: 'name', functional: false },
  project: { predicate: 'project', kind: 'name', functional: false },
  category: { predicate: 'category', kind: 'text', functional: false },
  topic: { predicate: 'category', kind: 'text', functional: false },
  type: { predicate: 'category', kind: 'text', functional: false },
  tags: { predicate: 'tag', kind: 'text', functional: false },
};

/** Values of one field that count, and how long they may be. */
const MOST = 20;
const LONGEST = 100;

/** What the metadata of a memory says: things that it mentions, its project, category and tags. */
export function metadataFacts({
  key,
  metadata,
}: {
  key: string;
  metadata: Readonly<Record<string, unknown>>;
}): Statement[] {
  const found = new Map<string, Statement>();
  for (const [field, { predicate, kind, functional }] of Object.entries(FIELDS))
    for (const object of textsOf(metadata[field])) {
      const objectNorm = kind === 'name' ? normaliseEntity(object) : normaliseText(object);
      if (objectNorm === '') continue;
      found.set(`${predicate} ${objectNorm}`, {
        subject: key,
        subjectNorm: normaliseText(key),
        predicate,
        said: field,
        object,
        objectNorm,
        kind,
        negated: false,
        functional,
        sentence: '',
        confidence: 1,
        origin: 'metadata',
        validFrom: undefined,
      });
    }
  return [...found.values()];
}

/** A text, a list of texts, or a list of things with a name. */
function textsOf(given: unknown): string[] {
  const list = typeof given === 'string' ? given.split(',') : Array.isArray(given) ? given : [];
  return list
    .map((one: unknown) => (typeof one === 'object' && one !== null && 'name' in one ? one.name : one))
    .filter((one): one is string => typeof one === 'string')
    .map((one) => one.trim())
    .filter((one) => one !== '' && one.length <= LONGEST)
    .slice(0, MOST);
}
