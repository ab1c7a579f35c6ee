import type { findModels } from '@reverie/shared/contract/models';
import type { Reply } from '@reverie/shared/contract/route';
import type { Clock } from '../../../platform/clock.ts';
import { findServers } from './find-servers.ts';
import { howToInstall } from './install.ts';
import { stillOffered } from './offered.ts';

export type FoundModels = Reply<typeof findModels>;

export interface FindingDeps {
  clock: Pick<Clock, 'now'>;
  /** Origins on this machine, looked at anew each time. */
  places: () => readonly string[];
  system: NodeJS.Platform;
}

/** How long what was found is told again, in ms: a double click asks nobody twice. */
const FRESH = 2000;

export interface ModelFinder {
  find(): Promise<FoundModels>;
  /** What was found holds no more: a model was got. */
  forget(): void;
}

/** Finds what answers on this machine, when it is asked and never by itself. */
export function createFinding({ clock, places, system }: FindingDeps): ModelFinder {
  let last: { at: number; found: Promise<FoundModels> } | undefined;
  return {
    find() {
      if (last && clock.now() - last.at < FRESH) return last.found;
      const found = findServers(places()).then((servers) => ({
        servers,
        offered: stillOffered(servers),
        install: servers.length === 0 ? howToInstall(system) : null,
      }));
      last = { at: clock.now(), found };
      return found;
    },
    forget() {
      last = undefined;
    },
  };
}
