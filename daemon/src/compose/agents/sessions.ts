import { EventEmitter } from 'node:events';
import os from 'node:os';
import type { AccountId } from '@reverie/shared/accounts/caller';
import { sessionFormats } from '@reverie/session-logs/formats';
import { createBacklog } from '../../db/backlog.ts';
import { personHere } from '../../db/authors.ts';
import type { NewEvent } from '../../db/change.ts';
import type { Store, WriteDb } from '../../db/open-store.ts';
import type { PrepareTextQuery } from '../../db/text-query.ts';
import type { AskSessions } from '../../features/ask/ports.ts';
import { streamsFor } from '../../features/events/stream-limits.ts';
import { listAllFolders } from '../../features/folders/folders.store.ts';
import { otherQuery } from '../../features/search/other-texts.ts';
import type { RankingDeps } from '../../features/search/query/query.ts';
import type { GrepTexts } from '../../features/grep/ports.ts';
import type { SearchedSessions } from '../../features/search/sessions.ts';
import { agentMemory } from '../../features/sessions/agent-memory.ts';
import { entryTexts } from '../../features/sessions/entry-texts.ts';
import { sessionExportRoutes } from '../../features/sessions/export/export.routes.ts';
import { startThread } from '../../features/sessions/following/thread.ts';
import { sessionStreamRoutes } from '../../features/sessions/following-stream.routes.ts';
import { startRefolding } from '../../features/sessions/refolding.ts';
import { sessionRoutes, sourceRoutes } from '../../features/sessions/sessions.routes.ts';
import { entriesFor, searchSessions } from '../../features/sessions/search.service.ts';
import { namespaceOfSession } from '../../features/sessions/sessions.service.ts';
import { createLeaver } from '../../features/sessions/sharing/leaving.ts';
import { createRedaction } from '../../features/sessions/sharing/redacting.ts';
import { sessionNotesRoutes } from '../../features/sessions/sharing/notes.routes.ts';
import { sessionSharingRoutes } from '../../features/sessions/sharing/sharing.routes.ts';
import { foldersOfSessions } from '../../features/sessions/sessions.store.ts';
import { createSources } from '../../features/sessions/sources.service.ts';
import { indexLeftText } from '../../features/sessions/taking.service.ts';
import { accountsWithLeftTexts } from '../../features/sessions/text.store.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import { createOpenStreams } from '../../platform/open-streams.ts';
import { projectOf } from '../../platform/project.ts';
import type { RecordsWorld } from '../../sync/records/record-rooms.ts';
import type { SyncedRooms } from '../synced-rooms.ts';
import { createSessionSharing } from './session-sharing.ts';
import type { Part } from '../parts.ts';

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
  /** Rooms of the relay, in which sessions are shared. */
  rooms: SyncedRooms;
}

/** Joins coding sessions: the logs that are followed, what is kept of them, how they are found and shared. */
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
  rooms,
}: SessionsParts): Part & {
  namespaceOf(account: AccountId, id: string): string | undefined;
  /** Finds what was said in sessions, for search and for ask. */
  searched: SearchedSessions;
  asked: AskSessions;
  /** What entries say, for grep. */
  entryTexts: GrepTexts;
  /** What the relay tells of shared sessions. */
  records: RecordsWorld;
  /** Resolves when what was written into an account's sessions is in the text index, or after some seconds. */
  settled(account: AccountId): Promise<void>;
} {
  const { username } = os.userInfo();
  const personOf = (account: AccountId) => store.read((db) => personHere(db, account)) ?? username;
  const home = environment['HOME'] ?? os.homedir();
  const streams = createOpenStreams(streamsFor(isMachine));
  const written = new EventEmitter().setMaxListeners(0);
  const leaver = createLeaver(store, createRedaction(), personOf);
  const texts = createBacklog({ store, log }, { accounts: accountsWithLeftTexts, piece: indexLeftText });
  const world = {
    record,
    makeRoom,
    isMachine,
    personOf,
    otherQuery: (...asked: Parameters<PrepareTextQuery>) => otherQuery(ranking, ...asked),
    leaver,
    texts,
  };
  const sharing = createSessionSharing(
    { store, clock, world },
    { log, rooms, leaver, written: (session) => void written.emit(session) },
  );
  const { deps } = sharing;
  const following = createSources({
    store,
    clock,
    log,
    world: deps.world,
    account: machine,
    formats: sessionFormats,
    startThread,
    environment: { variables: environment, home },
    memoryOf: (agent) =>
      agentMemory(agent, {
        home,
        projectOf,
        projects: store.read((db) => foldersOfSessions(db, machine, agent)),
        followed: store.read(listAllFolders).map(({ path }) => path),
      }),
  });
  return {
    namespaceOf: (account, id) => namespaceOfSession(deps, account, id),
    searched: (caller, wanted) => searchSessions(deps, caller, wanted),
    async asked(caller, { question: q, namespace, until, limit }) {
      const found = await entriesFor(deps, caller, {
        q,
        namespace,
        narrowed: { to: until },
        threshold: 0,
        limit,
      });
      return found.map(({ hit: { session, entry, at, score }, text }) => ({
        session,
        entry,
        at,
        score,
        text,
      }));
    },
    async *entryTexts(caller, wanted) {
      for await (const page of entryTexts(deps, caller, wanted))
        yield page.map(({ session, entry, text, clean }) => ({
          at: { namespace: session.namespace, session: session.id, entry },
          text,
          clean,
        }));
    },
    records: sharing.records,
    settled: texts.settled,
    serve({ http, mount, auth, connections }) {
      const followed = {
        callerOf: auth.callerOf,
        connections,
        onWritten(session: string, run: () => void) {
          written.on(session, run);
          return () => written.off(session, run);
        },
      };
      sourceRoutes(mount, { ...deps, following });
      sessionRoutes(mount, deps);
      sessionSharingRoutes(mount, sharing.deps);
      sessionExportRoutes(mount, deps);
      sessionStreamRoutes(http, { ...deps, ...followed, streams });
      sessionNotesRoutes(http, mount, {
        notes: { ...sharing.deps, notesAt: rooms.notesAt },
        ...followed,
        streams,
      });
    },
    start() {
      following.start();
      const stopQueue = sharing.start();
      const stopRefolding = startRefolding({ store, clock, log });
      texts.start();
      return () => {
        texts.stop();
        stopQueue();
        stopRefolding();
        following.stop();
      };
    },
  };
}
