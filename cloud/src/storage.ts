import type { Logger } from 'pino';
import type { Clock } from '@reverie/shared/time/clock';
import type { Records } from './db/records.ts';
import type { Peers } from './peers/peers.ts';
import type { UpdateLog } from './update-log/update-log.ts';

/** What a relay stands on: SQLite in its home, or Postgres, which it may share with other nodes. */
export interface Storage {
  records: Records;
  updates: UpdateLog;
  peers: Peers;
  /** What the database does beside those who are served; answers how to stop it. */
  startBackground(deps: { clock: Clock; log: Logger }): () => void;
  close(): Promise<void>;
}
