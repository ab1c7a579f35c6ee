import type {
  Examination,
  ModelPart,
  ModelPull,
  modelsState,
  ModelUse,
  stopUsingModels,
  useModel,
} from '@reverie/shared/contract/system/models';
import { agentAt, type AgentKind, agentKinds, modelParts } from '@reverie/shared/contract/system/models';
import { Problem } from '@reverie/shared/contract/problems';
import type { Parsed, Reply } from '@reverie/shared/contract/route';
import { changeSettings, readSettings, refuseGiven } from '../../config/changing.ts';
import type { Config } from '../../config/config.ts';
import type { Settings, SettingSource } from '../../config/settings-file.ts';
import type { BoundKeys, KeyName } from '../../models/bound-keys.ts';
import type { ServerState } from '../../models/breaker.ts';
import type { AgentCheckDeps } from './agent-check.ts';
import { changesTo, type ModelChoice, type ModelParts, partsOf, type PartSettings } from './choices.ts';
import { type Consents, refuseWithoutConsent } from './consents.ts';
import { namedModel, reachOf, serverOf } from './server-address.ts';
import type { CheckDeps } from './server-check.ts';
import type { Spending } from './spent.ts';

/** The models that are used, as this feature needs them. */
export interface UsedModels {
  settingsOf(part: ModelPart): PartSettings;
  /** How a part's model does; undefined where it uses none. */
  stateOf(part: ModelPart): ServerState | undefined;
  readonly spending: Pick<Spending, 'of'>;
  readonly keys: BoundKeys;
  /** Uses what the settings say; `vectors`: what makes them is made anew, whether or not the settings did change. */
  apply(config: Config, anew: { vectors: boolean }): Promise<void>;
  /** Keeps how long the vectors of a model are, before it is used. */
  saveDimensions(model: string, dimensions: number): void;
  /** Keeps how many tokens a model reads at once, before it is used. */
  saveContext(choice: ModelChoice, tokens: number | undefined): void;
}

export interface UseDeps {
  models: UsedModels;
  settings: Settings;
  check: CheckDeps & { agents: AgentCheckDeps };
  consents: Consents;
  /** Texts that wait for their vectors. */
  pending: () => number;
  last: { pull: () => ModelPull | null; examination: () => Examination | null };
}

/** Changes which model a part uses, one change after the other. */
export interface Use {
  state(): Reply<typeof modelsState>;
  use(wanted: Parsed<typeof useModel>['body']): Promise<Reply<typeof useModel>>;
  off(wanted: Parsed<typeof stopUsingModels>['query']): Promise<Reply<typeof stopUsingModels>>;
}

export function createUse(deps: UseDeps): Use {
  const { settings, models, check, consents } = deps;
  let last: Promise<unknown> = Promise.resolve();
  /** One after the other: each begins with what the one before left in the file. */
  const inTurn = <T>(run: () => Promise<T>): Promise<T> => {
    const mine = last.then(run);
    last = mine.catch(() => undefined);
    return mine;
  };

  /** Writes what is to be used, then uses it; where it cannot be written nothing is changed. */
  async function change(wantedOf: (before: ModelParts) => ModelParts, about: Changing): Promise<void> {
    const before = partsOf(readSettings(settings));
    for (const name of ['llm', 'embedding'] as const) await models.keys.settle(name, ownerOf(name, before));
    for (const name of about.bind) await models.keys.bind(name, about.baseUrl);
    const given = about.agent === undefined ? undefined : consents.of(about.agent).given_at;
    // Who changes a limit agrees to nothing anew.
    if (about.agent !== undefined && given === null) consents.give(about.agent);
    try {
      // Read again: a person may have changed the file while the keychain was asked.
      const config = readSettings(settings);
      const changes = changesTo(wantedOf(partsOf(config)), config);
      refuseGiven(settings, changes);
      const next = Object.keys(changes).length === 0 ? config : changeSettings(settings, changes);
      await models.apply(next, { vectors: about.parts.includes('vectors') });
    } catch (cause) {
      for (const name of about.bind) await models.keys.unbind(name);
      if (about.agent !== undefined && given === null) consents.withdraw(about.agent);
      throw cause;
    }
    // A consent holds as long as the command is used.
    const used = modelParts.map((part) => agentAt(models.settingsOf(part).choice?.baseUrl ?? ''));
    for (const kind of agentKinds)
      if (!used.includes(kind) && consents.of(kind).given_at !== null) consents.withdraw(kind);
  }

  /** Asks a server whether it has the model, and keeps what it says of it; which keys are its own from then on. */
  async function reached(wanted: Wanted, choice: ModelChoice): Promise<KeyName[]> {
    const { for: parts, name } = wanted;
    // What asks servers is loaded when one is asked: a start should take no longer for it.
    const { reachChat, reachVectors } = await import('./server-check.ts');
    const { reportedContext } = await import('./reported.ts');
    const bind: KeyName[] = [];
    if (parts.some((part) => part !== 'vectors') && (await reachChat(check, choice)).isWithFreeKey)
      bind.push('llm');
    if (parts.includes('vectors')) {
      const { dimensions, isWithFreeKey } = await reachVectors(check, choice);
      if (isWithFreeKey) bind.push('embedding');
      models.saveDimensions(name, dimensions);
    }
    models.saveContext(choice, await reportedContext(choice, wanted.beyond_this_machine));
    return bind;
  }

  /** Asks an agent's command for a word. Throws where it cannot be used, or nobody agreed. */
  async function reachedAgent(kind: AgentKind, { for: parts, name, consent }: Wanted): Promise<void> {
    const { reachAgent, refuseWrongName } = await import('./agent-check.ts');
    if (parts.includes('vectors')) refuseVectors(kind);
    refuseWrongName(name);
    refuseWithoutConsent(kind, consent);
    await reachAgent(check.agents, { kind, name });
  }

  return {
    state: () => stateOf(deps),
    async use(wanted) {
      const agent = agentAt(wanted.server);
      const choice =
        agent === undefined ? namedModel(wanted) : { baseUrl: wanted.server, model: wanted.name };
      const wantedOf = (before: ModelParts): ModelParts => ({
        ...before,
        ...partsWith(before, wanted, choice),
      });
      const config = readSettings(settings);
      refuseGiven(settings, changesTo(wantedOf(partsOf(config)), config));
      let bind: KeyName[] = [];
      if (agent === undefined) bind = await reached(wanted, choice);
      else await reachedAgent(agent, wanted);
      await inTurn(() => change(wantedOf, { parts: wanted.for, bind, baseUrl: choice.baseUrl, agent }));
      return stateOf(deps);
    },
    async off({ for: part }) {
      const parts = part === undefined ? modelParts : [part];
      const without = (before: ModelParts): ModelParts => ({
        ...before,
        ...Object.fromEntries(parts.map((one) => [one, { ...before[one], choice: undefined }])),
      });
      await inTurn(() => change(without, { parts, bind: [], baseUrl: '', agent: undefined }));
      return stateOf(deps);
    },
  };
}

type Wanted = Parsed<typeof useModel>['body'];

interface Changing {
  readonly parts: readonly ModelPart[];
  /** Keys that belong to the server from now on. */
  readonly bind: readonly KeyName[];
  readonly baseUrl: string;
  /** The agent whose command is used from now on, which a person agreed to. */
  readonly agent: AgentKind | undefined;
}

/** Milliseconds that an agent's command has at least, where nothing else is said: its start alone takes some seconds. */
const AGENT_MS: Readonly<Record<ModelPart, number>> = { ask: 60_000, dreams: 300_000, vectors: 0 };

function refuseVectors(kind: AgentKind): never {
  const message = `${kind} makes no vectors: use it for ask and dreams`;
  throw new Problem('invalid_request', `for: ${message}`, { errors: [{ path: 'for', message }] });
}

/** What some parts are to use, within which limits; what is not said of a limit stays. */
function partsWith(
  before: ModelParts,
  { for: parts, timeout_ms, tokens_per_day, tokens_per_month }: Wanted,
  choice: ModelChoice,
): Partial<ModelParts> {
  const isAgent = agentAt(choice.baseUrl) !== undefined;
  return Object.fromEntries(
    parts.map((part) => [
      part,
      {
        choice,
        timeoutMs: timeout_ms ?? Math.max(before[part].timeoutMs, isAgent ? AGENT_MS[part] : 0),
        tokensPerDay:
          tokens_per_day === undefined ? before[part].tokensPerDay : (tokens_per_day ?? undefined),
        tokensPerMonth:
          tokens_per_month === undefined ? before[part].tokensPerMonth : (tokens_per_month ?? undefined),
      },
    ]),
  );
}

/** Whose server an old key without an origin is for. */
function ownerOf(name: KeyName, { ask, dreams, vectors }: ModelParts): string | undefined {
  const address = (name === 'llm' ? (ask.choice ?? dreams.choice) : vectors.choice)?.baseUrl;
  // An agent's command has no key of ours.
  return address === undefined || agentAt(address) ? undefined : address;
}

function stateOf({ models, settings, pending, consents, last }: UseDeps): Reply<typeof modelsState> {
  return {
    uses: modelParts.map((part) => useOf(part, { models, settings, pending, consents })),
    pull: last.pull(),
    examination: last.examination(),
  };
}

function useOf(
  part: ModelPart,
  { models, settings, pending, consents }: Omit<UseDeps, 'check' | 'last'>,
): ModelUse {
  const { choice, timeoutMs, tokensPerDay, tokensPerMonth } = models.settingsOf(part);
  const found = models.stateOf(part);
  const agent = choice && agentAt(choice.baseUrl);
  const isBehind = part === 'vectors' && found?.state === 'ok' && pending() > 0;
  return {
    part,
    server: choice ? serverOf(choice.baseUrl) : null,
    name: choice?.model ?? null,
    reach: choice ? reachOf(choice) : null,
    consent: agent ? consents.of(agent) : null,
    state: isBehind ? 'catching_up' : (found?.state ?? 'off'),
    since: found ? new Date(found.since).toISOString() : null,
    error: found?.error ?? null,
    timeout_ms: timeoutMs,
    tokens_per_day: tokensPerDay ?? null,
    tokens_per_month: tokensPerMonth ?? null,
    spent: models.spending.of(part),
    settings_from: sourceOf(part, settings),
  };
}

const OWN: Readonly<Record<ModelPart, readonly string[]>> = {
  ask: ['llm.base_url', 'llm.model'],
  dreams: ['dream.llm.base_url', 'dream.llm.model', 'dream.llm.off'],
  vectors: ['embedding.base_url', 'embedding.model'],
};

/** Where a part's model is set. Dreams without settings of their own follow what questions are answered with, and can be told otherwise whatever sets that. */
function sourceOf(part: ModelPart, settings: Settings): SettingSource {
  const sources = OWN[part].map((name) => settings.sourceOf(name));
  const found = (['flag', 'variable', 'file'] as const).find((one) => sources.includes(one));
  if (found) return found;
  return part === 'dreams' && settings.sourceOf('llm.model') === 'file' ? 'file' : 'default';
}
