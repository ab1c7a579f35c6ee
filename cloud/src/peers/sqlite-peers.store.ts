import type { Database } from '../db/open-database.ts';
import { createNoPeers, type Here, type Peers } from './peers.ts';

/** How soon the relay sees what the command of who runs it did in its file, ms. */
const LOOK_MS = 1000;

interface Standing {
  revoked_at: number | null;
  disabled_at: number | null;
}

/** A relay of one node, which looks whether another process has changed its file: `admin` does. */
export function createSqlitePeers(db: Database): Peers {
  const peers = createNoPeers();
  // Changes when another connection has committed, and never by what this one does.
  const versionOf = () => db.prepare<[], { data_version: number }>('PRAGMA data_version').get()?.data_version;
  const standing = db.prepare<[string], Standing>(
    'SELECT d.revoked_at, a.disabled_at FROM devices d JOIN accounts a ON a.id = d.account WHERE d.id = ?',
  );

  function look(here: Here): void {
    const devices = [...here.devices()];
    for (const device of new Set(devices.map((one) => one.device))) {
      const row = standing.get(device);
      if (row === undefined || row.revoked_at !== null) here.shutOut(device);
      else if (row.disabled_at !== null) here.shutOut(device, true);
    }
    for (const account of new Set(devices.map((one) => one.account))) here.accountChanged(account);
    for (const room of [...here.rooms()]) here.membersChanged(room);
    here.countAnew();
  }

  return Object.assign(peers, {
    start: startWith(peers.start, (here) => {
      let version = versionOf();
      const timer = setInterval(() => {
        const current = versionOf();
        if (current === version) return;
        version = current;
        look(here);
      }, LOOK_MS);
      return () => clearInterval(timer);
    }),
  });
}

/** A start that begins something more, and ends it with the rest. */
function startWith(start: Peers['start'], begin: (here: Here) => () => void): Peers['start'] {
  return async (here) => {
    const end = await start(here);
    const stop = begin(here);
    return async () => {
      stop();
      await end();
    };
  };
}
