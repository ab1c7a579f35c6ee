import os from 'node:os';
import type { AccountId, Caller } from '@reverie/shared/accounts/caller';
import type { Mount } from '@reverie/shared/http/mount';
import type { NewEvent } from '../db/change.ts';
import type { Store, WriteDb } from '../db/open-store.ts';
import { otherQuery } from '../features/search/other-texts.ts';
import type { RankingDeps } from '../features/search/query.ts';
import type { SessionsDeps } from '../features/sessions/deps.ts';
import { startThread } from '../features/sessions/following/thread.ts';
import { sessionFormats } from '../features/sessions/formats/formats.ts';
import { sessionRoutes, sourceRoutes } from '../features/sessions/sessions.routes.ts';
import { namespaceOfSession } from '../features/sessions/sessions.service.ts';
import { createSources } from '../features/sessions/sources.service.ts';
import type { Clock, Stop } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import { projectOf } from '../platform/project.ts';

export interface SessionsParts {
  store: Store;
  clock: Clock;
  log: Log;
  ranking: RankingDeps;
  record: (db: WriteDb, event: NewEvent) => void;
  makeRoom: (db: WriteDb, account: AccountId, bytes: number) => void;
  isMachine: (account: AccountId) => boolean;
  /** Variables of the environment; `HOME` is the folder below which agents keep their logs. */
  environment: NodeJS.ProcessEnv;
  /** The account of this machine, whose logs are followed. */
  machine: AccountId;
}

/** Joins coding sessions: the logs that are followed, what is kept of them, and how they are found. */
export function createSessions({
  store,
  clock,
  log,
  ranking,
  record,
  makeRoom,
  isMachine,
  machine,
  environment,
}: SessionsParts): {
  namespaceOf(account: AccountId, id: string): string | undefined;
  serve(mount: Mount<Caller>): void;
  start(): Stop;
} {
  const deps: SessionsDeps = {
    ...{ store, clock },
    world: {
      ...{ record, makeRoom, isMachine, projectOf },
      otherQuery: (account, text) => otherQuery(ranking, account, text),
      participantsOf: () => [],
      isShared: () => false,
      redact: async (text) => ({ text, redactions: 0 }),
      person: os.userInfo().username,
    },
  };
  const following = createSources({
    ...{ ...deps, log, account: machine, formats: sessionFormats, startThread },
    environment: { variables: environment, home: environment['HOME'] ?? os.homedir() },
    memoryOf: () => [],
  });
  return {
    namespaceOf: (account, id) => namespaceOfSession(deps, account, id),
    serve(mount) {
      sourceRoutes(mount, { ...deps, following });
      sessionRoutes(mount, deps);
    },
    start() {
      following.start();
      return following.stop;
    },
  };
}
