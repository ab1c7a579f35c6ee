import { randomBytes } from 'node:crypto';
import type { AccountId } from '@reverie/shared/accounts/caller';
import type { Store } from '../db/open-store.ts';
import { startStorageWatch } from '../db/storage-watch.ts';
import type { MemoryDeps } from '../features/memories/deps.ts';
import { countAllMemories } from '../features/memories/namespaces/namespaces.store.ts';
import { listNamespaces } from '../features/memories/reading/reading.service.ts';
import { observe } from '../features/system/metrics.ts';
import { systemRoutes } from '../features/system/system.routes.ts';
import { proofFor } from '../features/system/system.service.ts';
import type { Clock } from '../platform/clock.ts';
import { hashedFiles } from '../platform/home/hashed-files.ts';
import { type Home, readPrivateFile } from '../platform/home/home.ts';
import type { Log } from '../platform/log.ts';
import { hasRoom } from '../platform/home/room.ts';
import { VERSION } from '../version.ts';
import type { KnowledgePart } from './search/knowledge.ts';
import type { LinksPart } from './memories/links.ts';
import type { Models } from './models/models.ts';
import type { Part } from './parts.ts';
import type { Search } from './search/search.ts';

export interface SystemParts {
  home: Home;
  store: Store;
  clock: Clock;
  log: Log;
  world: {
    memories: MemoryDeps;
    models: Models;
    search: Pick<Search, 'pending' | 'describe'>;
    knowledge: Pick<KnowledgePart, 'pending'>;
    links: Pick<LinksPart, 'pending'>;
    /** The id of the event log. */
    logId: string;
    isMachine: (account: AccountId) => boolean;
    isStopping: () => boolean;
  };
}

/** Joins what the daemon says of itself: health, status, metrics, backups. */
export function createSystem({ home, store, clock, log, world }: SystemParts): Part & {
  /** Proves to our clients, with the owner key, that this is the daemon of their home. */
  nonce: string;
  /** A challenge that nobody was told, with the proof that it is answered with. */
  knownProof(): { challenge: string; proof: string };
} {
  const { memories, models, search, knowledge, links, logId, isMachine, isStopping } = world;
  const nonce = randomBytes(32).toString('hex');
  const startedAt = new Date(clock.now()).toISOString();
  const ownerKey = () => readPrivateFile(home.ownerKey) ?? '';
  return {
    nonce,
    knownProof() {
      const challenge = randomBytes(32).toString('hex');
      return { challenge, proof: proofFor({ ownerKey, nonce }, challenge) };
    },
    serve({ http, mount, mountAlsoAtRoot }) {
      const metrics = observe(http, {
        memories: () => store.read(countAllMemories),
        pending: search.pending,
      });
      systemRoutes(mount, mountAlsoAtRoot, {
        isMachine,
        isStopping,
        version: VERSION,
        startedAt,
        logId,
        nonce,
        metrics,
        pending: search.pending,
        factsPending: (account) => Math.max(knowledge.pending(account), links.pending(account)),
        storage: { room: store.room, log: store.emptying.state },
        embedderState: models.vectors.state,
        languageModel() {
          const chat = models.chat('ask') ?? models.chat('dreams');
          return chat && { model: chat.model.model, ...chat.state() };
        },
        contents(caller) {
          const namespaces = listNamespaces(memories, caller);
          const sum = (of: 'count' | 'bytes') =>
            namespaces.reduce((total, namespace) => total + namespace[of], 0);
          return { memories: sum('count'), namespaces: namespaces.length, bytes: sum('bytes') };
        },
        embedder: search.describe,
        ownerKey,
        backup: { store, clock, folder: home.backups, attachments: hashedFiles(home.attachments) },
      });
    },
    start() {
      // A crash may have left deleted text in the write-ahead log.
      store.checkpoint();
      return startStorageWatch({ store, clock, log, hasRoom: () => hasRoom(home.folder) });
    },
  };
}
