import type { JsonObject } from '@reverie/shared/contract/fields';
import { objectIn } from '../../db/json-column.ts';
import { type StructuredFact, structuredFacts } from '../../language/notes/structured-facts.ts';

/** A fact as it is kept. */
export type KeptFact = Omit<StructuredFact, 'from'> & {
  readonly origin: StructuredFact['from'] | 'metadata';
};

/** A memory as facts are read from it; `metadata` as JSON. */
export interface FactSource {
  readonly value: string;
  readonly metadata: string;
}

/** Fields of metadata that say what a memory is of. */
const FIELDS = ['entities', 'entity', 'people', 'person', 'project', 'category', 'topic', 'type', 'tags'];

/** Values of a field that count, and how long they may be. */
const MOST = 20;
const LONGEST = 100;
const LONGEST_PROPERTY = 300;

/** The facts of a memory: what stands in the structure of its text, and in fields of its metadata, which are quoted by nothing. */
export function factsOf({ value, metadata }: FactSource): KeptFact[] {
  const fields = objectIn(metadata);
  return [
    ...structuredFacts(value).map(({ from, ...fact }) => ({ ...fact, origin: from })),
    ...propertiesOf(fields),
    ...FIELDS.flatMap((label) =>
      textsOf(fields[label]).map((text) => ({
        path: [],
        label,
        value: text,
        quote: '',
        origin: 'metadata' as const,
      })),
    ),
  ];
}

/** The front matter of a note that came out of a file: an import keeps it as metadata. */
function propertiesOf({ imported, ...fields }: JsonObject): KeptFact[] {
  const isNote = typeof imported === 'object' && imported !== null && 'path' in imported;
  return Object.entries(isNote ? fields : {}).flatMap(([label, field]): KeptFact[] => {
    const isText = [field].flat().every((item) => ['string', 'number', 'boolean'].includes(typeof item));
    const value = isText ? [field].flat().join(', ').trim() : '';
    const isFact = value !== '' && value.length <= LONGEST_PROPERTY && !FIELDS.includes(label);
    return isFact ? [{ path: [], label, value, quote: '', origin: 'property' }] : [];
  });
}

/** A text, the items of a list, or the names of things, each once. */
function textsOf(field: unknown): string[] {
  const list: unknown[] = typeof field === 'string' ? field.split(',') : Array.isArray(field) ? field : [];
  const texts = list
    .map((item) => (typeof item === 'object' && item !== null && 'name' in item ? item.name : item))
    .filter((item) => typeof item === 'string')
    .map((item) => item.trim())
    .filter((item) => item !== '' && item.length <= LONGEST);
  return [...new Set(texts)].slice(0, MOST);
}
