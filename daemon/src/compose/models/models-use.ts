import type { AccountId, Caller } from '@reverie/shared/accounts/caller';
import { agentAt, type ModelPull } from '@reverie/shared/contract/system/models';
import type { Settings } from '../../config/settings-file.ts';
import type { Store } from '../../db/open-store.ts';
import { createExamining } from '../../features/models/examination/examination.ts';
import { examinationRoutes } from '../../features/models/examination/examination.routes.ts';
import { readingRoutes } from '../../features/models/reading.routes.ts';
import type { ModelFor } from '../../features/models/reading.service.ts';
import { sheetRoutes } from '../../features/models/sheets.routes.ts';
import { createUse, type UsedModels } from '../../features/models/use.service.ts';
import { useRoutes } from '../../features/models/use.routes.ts';
import { quantise } from '../../models/embedder.ts';
import { contextOf, dimensionsOf, type Models } from './models.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import { refuseForeign } from '../../platform/refuse-foreign.ts';
import type { Part } from '../parts.ts';

export interface ModelsUseParts {
  models: Models;
  settings: Settings;
  store: Store;
  clock: Clock;
  log: Log;
  world: ModelsUseWorld;
}

/** What using models needs of the rest. */
export interface ModelsUseWorld {
  /** Texts that wait for their vectors. */
  pending: () => number;
  /** Another model makes the vectors from now on. */
  vectorsChanged: () => void;
  /** The last model that was got. */
  lastPull: () => ModelPull | null;
  isMachine: (account: AccountId) => boolean;
  /** What reads texts for an account: the model of dreams. */
  reader: ModelFor;
}

/** Joins what changes the models that are used, and what examines one; the composition root holds it. */
export function createModelsUse({ models, settings, store, clock, log, world }: ModelsUseParts): Part {
  const used: UsedModels = {
    settingsOf: models.settingsOf,
    stateOf: (part) => (part === 'vectors' ? models.vectors.state() : models.chat(part)?.state()),
    spending: models.spending,
    keys: models.keys,
    async apply(config, anew) {
      await models.apply(config, anew);
      world.vectorsChanged();
    },
    saveContext: (choice, tokens) => contextOf(store, choice).save(tokens),
    saveDimensions: (model, dimensions) => dimensionsOf(store, model).save(dimensions),
  };
  const configured = (name: 'llm' | 'embedding') => {
    const parts = name === 'embedding' ? (['vectors'] as const) : (['ask', 'dreams'] as const);
    const choices = parts.map((part) => models.settingsOf(part).choice);
    return choices.find((choice) => choice && !agentAt(choice.baseUrl))?.baseUrl;
  };
  const agents = { runner: models.agents, clock };
  const check = { keys: models.keys, clock, configured, agents };
  const examining = createExamining({
    store,
    clock,
    log,
    check,
    book: (choice, account) => models.sheets.book({ part: 'examination', choice, account }),
    async openRoom(paper) {
      const { openRoom } = await import('./models-examination.ts');
      return openRoom({ table: models.table, log }, paper);
    },
    table: (texts) => Promise.resolve(texts.map((text) => quantise(models.table().encode(text)))),
  });
  // The models are the machine's.
  const ofMachine = ({ key }: Caller) => refuseForeign(world, key.account);
  const use = createUse({
    models: used,
    settings,
    check,
    consents: models.consents,
    pending: world.pending,
    last: { pull: world.lastPull, examination: examining.last },
  });
  return {
    serve({ mount }) {
      useRoutes(mount, use, ofMachine);
      examinationRoutes(mount, examining, ofMachine);
      sheetRoutes(mount, models.sheets);
      readingRoutes(mount, world.reader, ofMachine);
    },
    start: models.sheets.start,
    // A question that waits for a command would keep the server from closing.
    cut: models.agents.end,
    stop: examining.end,
  };
}
