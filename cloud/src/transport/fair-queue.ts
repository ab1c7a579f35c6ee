/** What waits for its turn: accounts take turns, so that what one of them brings holds nobody else up. */
export interface FairQueue<T> {
  /** False where as much of the account waits, or is being worked on, as may; then it was not added. */
  add(account: string, item: T, size: number): boolean;
  /** The next item, of another account than the last one where there is one; it counts until `done`. */
  next(): T | undefined;
  /** An item that `next` answered is done with. */
  done(item: T): void;
}

interface Waiting<T> {
  item: T;
  size: number;
}

/** Makes a fair queue; `most` bounds the sum of sizes that one account may have in it, though a single item may be larger. */
export function createFairQueue<T>(most: number): FairQueue<T> {
  /** In the order of their turns: who had one goes to the end. */
  const queues = new Map<string, Waiting<T>[]>();
  const held = new Map<string, number>();
  const taken = new Map<T, { account: string; size: number }>();
  let last: string | undefined;

  return {
    add(account, item, size) {
      const before = held.get(account) ?? 0;
      if (before > 0 && before + size > most) return false;
      held.set(account, before + size);
      const queue = queues.get(account) ?? [];
      queue.push({ item, size });
      queues.set(account, queue);
      return true;
    },
    next() {
      const turn = queues.entries().find(([account]) => account !== last) ?? queues.entries().next().value;
      if (!turn) return undefined;
      const [account, queue] = turn;
      last = account;
      queues.delete(account);
      const first = queue.shift();
      if (!first) return undefined;
      if (queue.length > 0) queues.set(account, queue);
      taken.set(first.item, { account, size: first.size });
      return first.item;
    },
    done(item) {
      const was = taken.get(item);
      if (!was) return;
      taken.delete(item);
      const left = (held.get(was.account) ?? 0) - was.size;
      if (left > 0) held.set(was.account, left);
      else held.delete(was.account);
    },
  };
}
