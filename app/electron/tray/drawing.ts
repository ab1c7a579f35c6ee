import type { Client } from '@reverie/shared/client';
import type { TrayIcon } from '../desktop.ts';
import type { Timers } from '../system/timers.ts';
import { type Facts, gatherFacts } from './facts.ts';
import { type Actions, menuOf, type MenuFacts } from './menu.ts';
import { trayStateOf } from './state.ts';

interface DrawingDeps {
  icon: Pick<TrayIcon, 'show' | 'setMenu'>;
  client: Client;
  timers: Timers;
  /** Everything of the menu that the daemon does not say. */
  around: () => Omit<MenuFacts, 'facts'>;
  actions: Actions;
  /** Told of each look at the daemon, and of the one before it. */
  looked: (before: Facts | undefined, now: Facts) => void;
}

export interface TrayDrawing {
  /** Looks at the daemon and draws, in a moment: events come in crowds, and the tray is drawn once for each. */
  soon(): void;
  stop(): void;
}

const GATHER_MS = 400;
const REFRESH_MS = 60_000;

/** Keeps icon and menu true: after each event, and each minute for what no event tells. */
export function drawTray({ icon, client, timers, around, actions, looked }: DrawingDeps): TrayDrawing {
  let facts: Facts | undefined;
  let cancel: (() => void) | undefined;

  async function refresh(): Promise<void> {
    if (around().daemon.kind === 'running') {
      // A daemon that ends meanwhile is noticed by its stream; the next look finds another.
      const now = await gatherFacts(client).catch(() => undefined);
      if (now) looked(facts, now);
      facts = now ?? facts;
    }
    const known: MenuFacts = { ...around(), facts };
    const { state, words } = trayStateOf(known);
    icon.show(state, `Reverie: ${words}`);
    icon.setMenu(menuOf(known, actions));
  }

  function soon(): void {
    cancel ??= timers.after(GATHER_MS, () => {
      cancel = undefined;
      void refresh();
    });
  }

  const stop = timers.every(REFRESH_MS, soon);
  return {
    soon,
    stop() {
      stop();
      cancel?.();
    },
  };
}
