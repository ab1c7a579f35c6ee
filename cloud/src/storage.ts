import type { Logger } from 'pino';
import type { Clock } from '@reverie/shared/time/clock';
import type { Records } from './db/records.ts';
import type { PeerNews, Peers } from './peers/peers.ts';
import type { UpdateLog } from './update-log/update-log.ts';

/** What a relay stands on: SQLite in its home, or Postgres, which it may share with other nodes. */
export interface Storage {
  records: Records;
  updates: UpdateLog;
  peers: Peers;
  /** What the database does beside those who are served; answers how to stop it. */
  startBackground(deps: { clock: Clock; log: Logger }): () => void;
  /** Bytes that the database takes on its disk. */
  databaseBytes(): Promise<number>;
  close(): Promise<void>;
}

/** The same database as another process has it, beside the relay that may be running on it. */
export interface Beside extends Pick<Storage, 'records' | 'updates' | 'databaseBytes' | 'close'> {
  /** Tells the relay what is new for it, where it does not notice by itself. */
  tell(news: PeerNews): Promise<void>;
}
