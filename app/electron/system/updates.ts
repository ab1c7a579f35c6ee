/** Where updates come from: `electron-updater` in the product. */
export interface UpdateFeed {
  /** Looks for a newer version and fetches it; undefined where there is none. */
  fetch(feed: string): Promise<{ version: string } | undefined>;
  /** Ends the app and starts the fetched version. */
  install(): void;
}

type Update =
  | { kind: 'off' | 'idle' | 'checking' }
  | { kind: 'ready'; version: string }
  | { kind: 'failed'; why: string };

export interface UpdatesDeps {
  feed: UpdateFeed;
  /** The address of the feed; null where none is set, and then nothing is ever asked. */
  address: () => string | null;
  every: (ms: number, run: () => void) => () => void;
  changed: () => void;
}

const CHECK_MS = 6 * 3_600_000;

/** Looks for updates where a feed is set: at the start, every six hours and when a person asks. */
export function watchUpdates({ feed, address, every, changed }: UpdatesDeps) {
  let now: Update = { kind: 'idle' };
  const set = (next: Update) => {
    now = next;
    changed();
  };

  async function check(): Promise<void> {
    const from = address();
    if (from === null) {
      if (now.kind !== 'off') set({ kind: 'off' });
      return;
    }
    if (now.kind === 'checking' || now.kind === 'ready') return;
    set({ kind: 'checking' });
    try {
      const found = await feed.fetch(from);
      set(found ? { kind: 'ready', version: found.version } : { kind: 'idle' });
    } catch (cause) {
      set({ kind: 'failed', why: cause instanceof Error ? cause.message : String(cause) });
    }
  }

  return {
    check,
    /** What the menu says of it; undefined where there is nothing to say. */
    words(): string | undefined {
      if (now.kind === 'ready') return `Restart for version ${now.version}`;
      if (now.kind === 'failed') return 'The update failed; try again';
      return undefined;
    },
    /** The menu's line was chosen. */
    chosen: () => (now.kind === 'ready' ? feed.install() : void check()),
    stop: every(CHECK_MS, () => void check()),
  };
}
