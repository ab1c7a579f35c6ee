import type { findModels, FoundServer } from '@reverie/shared/contract/system/models';
import type { Reply } from '@reverie/shared/contract/route';
import type { Clock } from '../../../platform/clock.ts';
import type { Consents } from '../consents.ts';
import { findAgents } from './find-agents.ts';
import { findServers } from './find-servers.ts';
import { howToInstall } from './install.ts';
import { stillOffered } from './offered.ts';

export type FoundModels = Reply<typeof findModels>;

export interface FindingDeps {
  clock: Pick<Clock, 'now'>;
  /** Origins on this machine, looked at anew each time. */
  places: () => readonly string[];
  system: NodeJS.Platform;
  /** The variables by which commands are found. */
  environment: NodeJS.ProcessEnv;
  consents: Pick<Consents, 'of'>;
}

/** How long what was found is told again, in ms: a double click asks nobody twice. */
const FRESH = 2000;

type Found = [agents: Awaited<ReturnType<typeof findAgents>>, servers: FoundServer[]];

export interface ModelFinder {
  find(): Promise<FoundModels>;
  /** What was found holds no more: a model was got. */
  forget(): void;
}

/** Finds what answers on this machine, when it is asked and never by itself. */
export function createFinding({ clock, places, system, environment, consents }: FindingDeps): ModelFinder {
  let last: { at: number; found: Promise<Found> } | undefined;
  return {
    async find() {
      if (!last || clock.now() - last.at >= FRESH)
        last = { at: clock.now(), found: Promise.all([findAgents(environment), findServers(places())]) };
      const [agents, servers] = await last.found;
      return {
        servers: [...agents.map((agent) => ({ ...agent, consent: consents.of(agent.kind) })), ...servers],
        offered: stillOffered(servers),
        install: servers.length === 0 ? howToInstall(system) : null,
      };
    },
    forget() {
      last = undefined;
    },
  };
}
