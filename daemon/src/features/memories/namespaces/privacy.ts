import type { AccountId } from '@reverie/shared/accounts/caller';
import type { NamespaceModels } from '@reverie/shared/contract/memories/memories';
import type { ModelReach } from '@reverie/shared/contract/system/models';
import type { ReadDb, Store } from '../../../db/open-store.ts';
import { OURS } from '../hiding.ts';
import {
  findNamespaceModels,
  listNamespaceModels,
  namespaceOfId,
  namespacesOfMemories,
  saveNamespaceModels,
} from './privacy.store.ts';

export interface PrivacyDeps {
  store: Store;
  /** Told after a commit: models may see other memories than before. */
  changed: () => void;
}

/** Says which models may see a namespace, whether or not it holds anything yet. */
export function keepFromModels(
  { store, changed }: PrivacyDeps,
  account: AccountId,
  asked: { namespace: string; models: NamespaceModels },
): void {
  store.write((db) => {
    saveNamespaceModels(db, account, asked);
    db.afterCommit(changed);
  });
}

/** Which models may see a namespace, as it was said last. */
export function modelsThatMaySee(
  { store }: Pick<PrivacyDeps, 'store'>,
  account: AccountId,
  namespace: string,
): NamespaceModels {
  return store.read((db) => findNamespaceModels(db, account, namespace));
}

/** Whether a model of such a reach may see what is kept from the others. */
function isOpenTo(models: NamespaceModels, reach: ModelReach): boolean {
  return models === 'any' || (models === 'local' && reach === 'local');
}

/** What its memories are told to be in, without what marks those that are hidden or in the trash. */
function toldName(name: string): string {
  let at = 0;
  while (name[at] === OURS) at += 1;
  return name.slice(at);
}

/** Whether a model may see the memories of a namespace. */
export function mayModelSee(
  db: ReadDb,
  account: AccountId,
  { namespace, reach }: { namespace: string; reach: ModelReach },
): boolean {
  return isOpenTo(findNamespaceModels(db, account, toldName(namespace)), reach);
}

/** Why a model may not see the memories of a namespace, in words; undefined where it may. */
export function whyKept(
  db: ReadDb,
  account: AccountId,
  { namespace, reach }: { namespace: string; reach: ModelReach },
): string | undefined {
  const name = toldName(namespace);
  const models = findNamespaceModels(db, account, name);
  if (isOpenTo(models, reach)) return undefined;
  const from = models === 'none' ? 'every model' : 'models beyond this machine';
  return `the namespace ${JSON.stringify(name)} is kept from ${from} (\`reverie namespaces\`)`;
}

/** The namespaces of an account that a model may see, for a question to all of them. */
export function visibleTo(db: ReadDb, account: AccountId, reach: ModelReach): (namespace: string) => boolean {
  const kept = listNamespaceModels(db, account);
  return (namespace) => isOpenTo(kept.get(toldName(namespace)) ?? 'any', reach);
}

/** Why a model may not see some memories, in words; undefined where it may see them all. */
export function whyNotesKept(db: ReadDb, reach: ModelReach, ids: readonly number[]): string | undefined {
  for (const { account, name } of namespacesOfMemories(db, ids)) {
    const why = whyKept(db, account, { namespace: name, reach });
    if (why !== undefined) return why;
  }
  return undefined;
}

/** Whether a model may see the memories of a namespace, by its number; one that is gone has none to be seen. */
export function mayModelSeeId(db: ReadDb, namespaceId: number, reach: ModelReach): boolean {
  const found = namespaceOfId(db, namespaceId);
  return found === undefined || mayModelSee(db, found.account, { namespace: found.name, reach });
}
