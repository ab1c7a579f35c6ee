import type { AccountId } from '@reverie/shared/accounts/caller';
import type { ModelPull } from '@reverie/shared/contract/system/models';
import type { Config } from '../../config/config.ts';
import type { Store } from '../../db/open-store.ts';
import type { Consents } from '../../features/models/consents.ts';
import { createFinding } from '../../features/models/found/found.service.ts';
import { placesToLook, portOf } from '../../features/models/found/places.ts';
import { gettingRoutes } from '../../features/models/getting.routes.ts';
import { freeForModels } from '../../features/models/pull/free-space.ts';
import { createPulls } from '../../features/models/pull/pull.service.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import type { Part } from '../parts.ts';

/** Ollama's own variables, as this process has them. */
export interface OllamaVariables {
  /** `OLLAMA_HOST`. */
  host?: string | undefined;
  /** `OLLAMA_MODELS`. */
  models?: string | undefined;
}

export interface ModelsGettingParts {
  config: Pick<Config, 'models'>;
  store: Store;
  clock: Clock;
  log: Log;
  world: {
    ollama: OllamaVariables;
    /** Variables by which the commands of coding agents are found. */
    environment: NodeJS.ProcessEnv;
    consents: Pick<Consents, 'of'>;
    isMachine: (account: AccountId) => boolean;
    /** Where Reverie itself listens. */
    addresses: () => readonly { scheme: string; host: string }[];
  };
}

/** Joins finding the model servers of this machine with getting models; no server is asked before a request needs it. */
export function createModelsGetting({ config, store, clock, log, world }: ModelsGettingParts): Part & {
  /** The last model that was got, or the one that is being got. */
  pull: () => ModelPull | null;
} {
  const isOwn = (port: number) =>
    world.addresses().some(({ scheme, host }) => portOf(`${scheme}://${host}`) === port);
  const finding = createFinding({
    clock,
    places: () => placesToLook(config.models.ports, { ollamaHost: world.ollama.host, isOwn }),
    system: process.platform,
    environment: world.environment,
    consents: world.consents,
  });
  const pulls = createPulls({
    store,
    clock,
    log,
    world: { isOwn, free: () => freeForModels(world.ollama.models), got: finding.forget },
  });
  return {
    serve: ({ mount }) => gettingRoutes(mount, { find: finding.find, pulls, isMachine: world.isMachine }),
    pull: pulls.current,
    stop: pulls.close,
  };
}
