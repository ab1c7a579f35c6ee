import type { AccountId, Caller } from '@reverie/shared/accounts/caller';
import * as sources from '@reverie/shared/contract/sessions/session-sources';
import * as contract from '@reverie/shared/contract/sessions/sessions';
import type { Mount } from '@reverie/shared/http/mount';
import { refuseForeign } from '../../platform/refuse-foreign.ts';
import type { SessionsDeps } from './deps.ts';
import { addEntries, pageOfEntries, redactedPage } from './entries.service.ts';
import { handOver } from './handover.service.ts';
import { searchSessions } from './search.service.ts';
import {
  changeSession,
  createSession,
  deleteSession,
  endSession,
  pageOfSessions,
  sessionOf,
  toSession,
} from './sessions.service.ts';
import { recordsOf, type Sources } from './sources.service.ts';

export function sessionRoutes(mount: Mount<Caller>, deps: SessionsDeps): void {
  mount(contract.searchSessions, async ({ query, caller }) => {
    const hits = await searchSessions(deps, caller, query);
    return { hits, count: hits.length };
  });
  mount(contract.listSessions, async ({ query, caller }) => {
    if (query.q !== undefined) await deps.world.texts.settled(caller.account);
    return pageOfSessions(deps, caller, query);
  });
  mount(contract.createSession, ({ body, caller }) => createSession(deps, caller, body));
  mount(contract.getSession, ({ params, caller }) =>
    deps.store.read((db) => toSession(db, deps, { row: sessionOf(db, caller, params.id), caller })),
  );
  mount(contract.changeSession, ({ params, body, caller }) =>
    changeSession(deps, caller, { ...params, ...body }),
  );
  mount(contract.deleteSession, ({ params, caller }) => deleteSession(deps, caller, params.id));
  mount(contract.listEntries, ({ params, query: { redacted, ...query }, caller }) =>
    (redacted === 'true' ? redactedPage : pageOfEntries)(deps, caller, { ...params, ...query }),
  );
  mount(contract.addEntries, ({ params, body, caller }) => addEntries(deps, caller, { ...params, ...body }));
  mount(contract.endSession, ({ params, caller }) => endSession(deps, caller, params.id));
  mount(contract.handOver, ({ params, query, caller }) => handOver(deps, caller, { ...params, ...query }));
}

/** Routes about the logs of this machine, which belong to its own account. */
export function sourceRoutes(
  mount: Mount<Caller>,
  { store, world, following }: Pick<SessionsDeps, 'store' | 'world'> & { following: Sources },
): void {
  const isOwn = (account: AccountId) => world.isMachine(account);
  mount(sources.listSources, async ({ caller }) => ({
    // Where logs lie tells of the person's folders, which a narrower key need not know.
    sources: isOwn(caller.account) && caller.within === null ? await following.list() : [],
  }));
  mount(sources.setSource, ({ params, body, caller }) => {
    refuseForeign(world, caller.account);
    return following.set(params.agent, body);
  });
  mount(sources.listFormats, ({ caller }) =>
    isOwn(caller.account) && caller.within === null
      ? recordsOf({ store }, caller.account)
      : { formats: [], malformed: [] },
  );
}
