import { extname } from 'node:path/posix';
import type { JsonObject } from '@reverie/shared/contract/fields';
import { semanticsOf, type Observation, type Relation } from './semantics.ts';
import { memoriesOf } from '../draft.ts';
import { sha256, textOf } from '../fit.ts';
import { filesOf, measureFiles, placesOfFiles, readFiles, type FileRead } from '../markdown/markdown.ts';
import { metadataOf, noteOf, noteTimes, type Note } from '../notes/note.ts';
import { originOf, rootId } from '../files/origin.ts';
import { namespaceOf, type ReadItem, type SourceReader, type ReadOptions } from '../reader.ts';
import { timeOf } from '../days/times.ts';

function isVaultNote(path: string): boolean {
  return extname(path).toLowerCase() === '.md';
}

/** Characters of observations and relations, as JSON, that go into the metadata of one note; the text has them all. */
const MAX_SEMANTICS = 24_000;

/**
 * A vault of basic-memory. The key is the note's permalink, else its path without the ending; observations,
 * relations and the names they link to stand in the metadata, while the text stays as it is.
 */
export const basicMemoryReader: SourceReader = {
  format: 'basic-memory',
  measure: (path) => measureFiles(path, isVaultNote),
  places: (path, options) => placesOfFiles('basic-memory', path, options),
  async *read(path, options) {
    const origin = await originOf(path);
    const id = await rootId(origin.root, options);
    const taken = new Set<string>();
    for await (const read of readFiles(filesOf(origin, isVaultNote, options), options))
      if ('kind' in read) yield read;
      else yield* memoriesOfNote(read, { id, taken, options });
  },
};

interface Vault {
  id: string;
  /** Permalinks that earlier notes have: a copied note keeps its own path as key. */
  taken: Set<string>;
  options: ReadOptions;
}

function* memoriesOfNote({ path, file }: FileRead, { id, taken, options }: Vault): Generator<ReadItem> {
  const note = noteOf(file.text, path);
  const permalink = textOf(note.fields['permalink'])?.trim();
  const key = permalink !== undefined && !taken.has(permalink) ? permalink : path.replace(/\.md$/i, '');
  taken.add(key);
  yield* memoriesOf({
    path,
    key,
    namespace: namespaceOf(options),
    value: file.text,
    metadata: vaultMetadataOf(note, path),
    ...noteTimes(note, timeOf(file.modified, 'utc')),
    source: { id: `basic-memory:${id}/${path}`, hash: sha256(file.bytes) },
    metadataAlsoIn: 'text',
  });
}

function vaultMetadataOf(note: Note, path: string): JsonObject {
  const imported: JsonObject = { format: 'basic-memory', path };
  const { observations, relations } = semanticsOf(note.body);
  const kept = withinBudget(observations, relations);
  const left = observations.length + relations.length - kept.observations.length - kept.relations.length;
  if (left > 0) imported['semantics_left_out'] = left;
  const entities = [...new Set(kept.relations.map((relation) => relation.target))];
  return {
    type: 'note',
    ...metadataOf(note, imported),
    ...(entities.length > 0 && { entities }),
    ...(kept.observations.length > 0 && { observations: kept.observations }),
    ...(kept.relations.length > 0 && { relations: kept.relations }),
  };
}

function withinBudget(observations: readonly Observation[], relations: readonly Relation[]) {
  let budget = MAX_SEMANTICS;
  const fits = (one: object) => {
    budget -= JSON.stringify(one).length;
    return budget >= 0;
  };
  return { relations: relations.filter(fits), observations: observations.filter(fits) };
}
