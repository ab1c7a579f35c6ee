const SIGNALS = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;

/** Runs work that leaves something half made when it is cut off: Ctrl+C and the like take that away before they end the command. */
export async function cleanedUp<T>(cleanUp: () => void, work: () => Promise<T>): Promise<T> {
  const handlers = Object.entries(SIGNALS).map(([signal, code]) => {
    const end = () => {
      cleanUp();
      process.exit(code);
    };
    process.once(signal, end);
    return () => process.removeListener(signal, end);
  });
  try {
    return await work();
  } finally {
    for (const forget of handlers) forget();
  }
}
