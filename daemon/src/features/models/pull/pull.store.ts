import { ModelPull } from '@reverie/shared/contract/system/models';
import { readMeta, saveMeta } from '../../../db/meta.store.ts';
import type { ReadDb, WriteDb } from '../../../db/open-store.ts';

const NAME = 'model_pull';

/** The last pull, as it was saved; undefined where there was none. */
export function savedPull(db: ReadDb): ModelPull | undefined {
  const text = readMeta(db, NAME);
  return text === undefined ? undefined : ModelPull.parse(JSON.parse(text));
}

export function savePull(db: WriteDb, pull: ModelPull): void {
  saveMeta(db, NAME, JSON.stringify(pull));
}
