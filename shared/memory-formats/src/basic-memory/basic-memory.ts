import { extname } from 'node:path/posix';
import type { JsonObject } from '@reverie/shared/contract/fields';
import { semanticsOf, type Observation, type Relation } from './semantics.ts';
import { sha256, textOf } from '../fit.ts';
import { noteFilesReader } from '../files/note-files.ts';
import { memoriesOfNote, metadataOf, noteOf, type Note } from '../notes/note.ts';
import { namespaceOf } from '../reader.ts';

/** Characters of observations and relations, as JSON, that go into the metadata of one note; the text has them all. */
const MAX_SEMANTICS = 24_000;

/**
 * A vault of basic-memory. The key is the note's permalink, else its path without the ending; observations,
 * relations and the names they link to stand in the metadata, while the text stays as it is.
 */
export const basicMemoryReader = noteFilesReader({
  format: 'basic-memory',
  isNote: (path) => extname(path).toLowerCase() === '.md',
  begin: () => {
    // Permalinks that earlier notes have: a copied note keeps its own path as key.
    const taken = new Set<string>();
    return ({ path, file }, root, options) => {
      const note = noteOf(file.text, path);
      const permalink = textOf(note.fields['permalink'])?.trim();
      const key = permalink !== undefined && !taken.has(permalink) ? permalink : path.replace(/\.md$/i, '');
      taken.add(key);
      return memoriesOfNote(note, file, {
        path,
        key,
        namespace: namespaceOf(options),
        metadata: vaultMetadataOf(note, path),
        source: { id: `basic-memory:${root}/${path}`, hash: sha256(file.bytes) },
      });
    };
  },
});

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
