import type { UpdateLog } from './update-log.ts';

/** Transactions of one round: the next one goes on. */
const MOST_SLICES = 200;

/** Compacts what an epoch left behind, a little at a time, with others served in between; `freed` is told the rooms whose bytes are less. */
export async function compactAll(
  log: Pick<UpdateLog, 'compact'>,
  freed: (room: string) => Promise<void>,
): Promise<void> {
  for (let slice = 0; slice < MOST_SLICES; slice += 1) {
    const rooms = await log.compact();
    if (rooms.length === 0) return;
    for (const room of rooms) await freed(room);
    await new Promise((resolve) => setImmediate(resolve));
  }
}
