import type { Caller } from '@reverie/shared/accounts/caller';
import * as contract from '@reverie/shared/contract/memories/portable';
import type { Mount } from '@reverie/shared/http/mount';
import { authorOf } from '../../../db/change.ts';
import type { MemoryDeps } from '../deps.ts';
import { importMemories, planImport } from './import.service.ts';
import { planPrune, pruneSources, sourcesBelow } from './vanishing.service.ts';

/** Routes of imports; `noteExpiry` is told of what was stored, so that it expires when its time is over. */
export function importRoutes(
  mount: Mount<Caller>,
  deps: MemoryDeps,
  noteExpiry: (items: readonly { expires_at?: string | undefined }[]) => void,
): void {
  mount(contract.importMemories, ({ body, caller }) => {
    const author = authorOf(caller, 'import');
    const outcomes = body.dry_run ? planImport(deps, author, body) : importMemories(deps, author, body);
    if (!body.dry_run) noteExpiry(body.items);
    const count = (outcome: string) => outcomes.filter((one) => one === outcome).length;
    return {
      success: true as const,
      created: count('created'),
      updated: count('updated'),
      unchanged: count('unchanged'),
      kept: count('kept'),
      deleted_here: count('deleted_here'),
      restored: count('restored'),
      outcomes,
    };
  });

  mount(contract.listImportSources, ({ query, caller }) => {
    const sources = sourcesBelow(deps, caller.account, query);
    return { sources, next: sources.length < query.limit ? null : (sources.at(-1) ?? null) };
  });

  mount(contract.pruneImported, ({ body: { sources, dry_run }, caller }) => ({
    success: true as const,
    ...(dry_run
      ? planPrune(deps, caller.account, sources)
      : pruneSources(deps, authorOf(caller, 'import'), sources)),
  }));
}
