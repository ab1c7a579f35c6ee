/** Those who wait until a dream is over. */
export interface DreamWaiters {
  /** Resolves once it is over, who waits went away, or nobody is served any more. */
  until: (isOver: () => boolean, gone: AbortSignal) => Promise<void>;
  /** Has them look again: something happened. */
  wake: () => void;
  /** Lets all of them go, for good. */
  end: () => void;
}

/** Makes the place where calls wait for a dream: they look again whenever an event was written, not on a timer. */
export function createWaiting(): DreamWaiters {
  const waiters = new Set<() => void>();
  let ended = false;
  let woken = false;
  const look = (): void => {
    woken = false;
    for (const waiter of waiters) waiter();
  };
  return {
    async until(isOver, gone) {
      if (ended || gone.aborted || isOver()) return;
      await new Promise<void>((resolve) => {
        const waiter = (): void => {
          if (!ended && !gone.aborted && !isOver()) return;
          waiters.delete(waiter);
          gone.removeEventListener('abort', waiter);
          resolve();
        };
        waiters.add(waiter);
        gone.addEventListener('abort', waiter);
      });
    },
    wake() {
      if (woken || waiters.size === 0) return;
      woken = true;
      // The state of the job is on disk after its event.
      setImmediate(look);
    },
    end() {
      ended = true;
      look();
    },
  };
}
