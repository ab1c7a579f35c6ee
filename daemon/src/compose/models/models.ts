import { isDeepStrictEqual } from 'node:util';
import type { AccountId } from '@reverie/shared/accounts/caller';
import { agentAt, type AgentKind, type ModelPart } from '@reverie/shared/contract/system/models';
import type { Config } from '../../config/config.ts';
import { readMeta, saveMeta } from '../../db/meta.store.ts';
import type { Store } from '../../db/open-store.ts';
import { whyNotesKept } from '../../features/memories/namespaces/privacy.ts';
import {
  type ModelChoice,
  type ModelParts,
  partsOf,
  type PartSettings,
} from '../../features/models/choices.ts';
import { type Consents, createConsents } from '../../features/models/consents.ts';
import { reachOf } from '../../features/models/server-address.ts';
import { createSheets, type Sheets } from '../../features/models/sheets.ts';
import { createSpending, type Spending } from '../../features/models/spent.ts';
import { type AgentRunner, createAgentRunner } from '../../models/agents/run-agent.ts';
import { createBackgroundEmbedder } from '../../models/background-embedder.ts';
import { type BoundKeys, createBoundKeys, type KeyName } from '../../models/bound-keys.ts';
import { type Breaker, createBreaker, type ServerState } from '../../models/breaker.ts';
import { makerInUse, type VectorMaker } from '../../models/embedder-in-use.ts';
import type { LanguageModel } from '../../models/language-model.ts';
import { meteredModel, meteredServer, restingState } from '../../models/metered.ts';
import type { ModelServer } from '../../models/model-server.ts';
import { loadStaticTable, type StaticTable } from '../../models/static-table.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import type { Secrets } from '../../platform/secrets/secrets.ts';

export interface ModelsParts {
  config: Pick<Config, 'embedding' | 'llm' | 'dream'>;
  store: Store;
  clock: Clock;
  log: Pick<Log, 'warn'>;
  secrets: Pick<Secrets, 'get' | 'set'>;
  /** Variables by which the commands of coding agents are found and run; none where omitted. */
  environment?: NodeJS.ProcessEnv;
}

/** The parts that a language model is for. */
export type ChatPart = Exclude<ModelPart, 'vectors'>;

/** Whose key pays for a question, and whose memories it shows. */
export interface OnBehalf {
  readonly payer: AccountId;
  readonly account: AccountId;
}

/** A language model that a part uses, and how its server does. */
export interface ChatInUse {
  readonly model: Pick<LanguageModel, 'model' | 'reach' | 'ready'>;
  /** The model for whoever asks: what is sent is written down as theirs before, and counted. */
  askedBy(who: OnBehalf): LanguageModel;
  state(): ServerState;
}

/** The models in use; nothing is asked or loaded before it is needed. After `apply`, whoever holds this object uses the new ones. */
export interface Models {
  /** What makes vectors: a server where one is set, else the table that comes with the program. */
  readonly vectors: VectorMaker;
  /** The table that comes with the program, loaded when it is first needed. */
  readonly table: () => StaticTable;
  /** The language model of a part; undefined where it uses none. What is under way with one that is replaced ends with it. */
  chat(part: ChatPart): ChatInUse | undefined;
  settingsOf(part: ModelPart): PartSettings;
  readonly spending: Spending;
  /** What was put to models. */
  readonly sheets: Sheets;
  readonly keys: BoundKeys;
  /** Runs the commands of coding agents. */
  readonly agents: AgentRunner;
  readonly consents: Consents;
  /** Uses from now on what the settings say; what makes vectors is left as it is where nothing of it changed, unless it is to be made anew. */
  apply(config: ModelsParts['config'], anew: { vectors: boolean }): Promise<void>;
}

let loaded: StaticTable | undefined;

/** Returns the table that comes with the program, read once a process: it is a file that never changes. */
function table(): StaticTable {
  return (loaded ??= loadStaticTable());
}

/** Joins configuration, secrets and models. */
export async function createModels({
  config,
  store,
  clock,
  log,
  secrets,
  environment = {},
}: ModelsParts): Promise<Models> {
  const spending = createSpending({ store, clock, log });
  const sheets = createSheets({ store, clock, log, whyKept: whyNotesKept });
  const keys = createBoundKeys(secrets);
  const agents = createAgentRunner(environment);
  const consents = createConsents({ store, clock });
  const makers: Makers = { store, clock, spending, sheets, keys, table, agents, consents };
  let made = await make(config, makers);
  const vectors = makerInUse(made.vectors);
  return {
    vectors,
    table,
    chat: (part) => made.chats[part],
    settingsOf: (part) => made.parts[part],
    spending,
    sheets,
    keys,
    agents,
    consents,
    async apply(next, anew) {
      const before = made;
      made = await make(next, makers);
      if (anew.vectors || !isDeepStrictEqual(made.parts.vectors, before.parts.vectors))
        vectors.replace(made.vectors);
    },
  };
}

interface Makers {
  store: Store;
  clock: Clock;
  spending: Spending;
  sheets: Sheets;
  keys: BoundKeys;
  table: () => StaticTable;
  agents: AgentRunner;
  consents: Consents;
}

interface Made {
  parts: ModelParts;
  chats: Record<ChatPart, ChatInUse | undefined>;
  vectors: VectorMaker;
}

/** What the settings say, made anew: each with a breaker of its own, and its key looked up again. */
async function make(config: ModelsParts['config'], makers: Makers): Promise<Made> {
  const parts = partsOf(config);
  // Of the two that may have one key, it is the first one's, where nothing says whose it is.
  const configured = {
    llm: [parts.ask.choice, parts.dreams.choice].find((choice) => choice && !agentAt(choice.baseUrl))
      ?.baseUrl,
    embedding: parts.vectors.choice?.baseUrl,
  };
  const serverAt = serverMaker(makers, configured);
  const breakerOf = breakerMaker(makers);
  const [ask, dreams, vectors] = await Promise.all([
    languageModel('ask', parts.ask, { ...makers, serverAt, breakerOf }),
    languageModel('dreams', parts.dreams, { ...makers, serverAt, breakerOf }),
    remoteVectors(parts.vectors, config.embedding.batch, { ...makers, serverAt }),
  ]);
  return { parts, chats: { ask, dreams }, vectors: vectors ?? tableVectors(makers) };
}

type ServerAt = (name: KeyName, choice: ModelChoice) => Promise<ModelServer>;

// What asks servers is loaded where one is set only: most have none, and a start should take no longer for it.

/** Two parts that use one server share its breaker: what one of them finds out, the other knows. */
function serverMaker({ clock, keys }: Makers, configured: Record<KeyName, string | undefined>): ServerAt {
  const known = new Map<string, Promise<ModelServer>>();
  return (name, { baseUrl }) => {
    const id = `${name} ${baseUrl}`;
    const before = known.get(id);
    if (before) return before;
    let looking: Promise<string | undefined> | undefined;
    const key = () => (looking ??= keys.keyFor(name, baseUrl, configured[name]));
    const server = import('../../models/model-server.ts').then(({ createModelServer }) =>
      createModelServer({ baseUrl, key, clock, garbageIsFailure: name === 'embedding' }),
    );
    known.set(id, server);
    return server;
  };
}

/** Two parts that use one agent's command share its breaker. */
function breakerMaker({ clock }: Makers): (kind: AgentKind) => Breaker {
  const known = new Map<AgentKind, Breaker>();
  return (kind) => {
    const breaker = known.get(kind) ?? createBreaker({ now: clock.now, random: Math.random });
    known.set(kind, breaker);
    return breaker;
  };
}

/** What is made when no server of vectors is set. */
function tableVectors({ clock, table }: Makers): VectorMaker {
  const thread = createBackgroundEmbedder({ now: clock.now });
  return {
    embedder: table(),
    background: thread,
    reach: undefined,
    fetchQueries: async () => undefined,
    state: thread.state,
  };
}

async function remoteVectors(
  { choice, timeoutMs, ...limits }: PartSettings,
  batch: number,
  { clock, spending, store, serverAt }: Makers & { serverAt: ServerAt },
): Promise<VectorMaker | undefined> {
  if (!choice) return undefined;
  const meter = spending.meter('vectors', limits);
  const [{ createRemoteEmbedder }, asked] = await Promise.all([
    import('../../models/remote-embedder.ts'),
    serverAt('embedding', choice),
  ]);
  const server = meteredServer(asked, meter, clock.now);
  const { embedder, background, fetchQueries, state } = createRemoteEmbedder({
    server,
    baseUrl: choice.baseUrl,
    model: choice.model,
    timeoutMs,
    batch,
    now: clock.now,
    dimensions: dimensionsOf(store, choice.model),
    took: meter.note,
  });
  return { embedder, background, reach: reachOf(choice), fetchQueries, state };
}

async function languageModel(
  part: ChatPart,
  { choice, timeoutMs, ...limits }: PartSettings,
  {
    store,
    spending,
    sheets,
    agents,
    consents,
    serverAt,
    breakerOf,
  }: Makers & { serverAt: ServerAt; breakerOf: (kind: AgentKind) => Breaker },
): Promise<ChatInUse | undefined> {
  if (!choice) return undefined;
  const inUse = (model: LanguageModel, server: { wait(): number; state(): ServerState }): ChatInUse => ({
    model,
    askedBy: ({ payer, account }) =>
      meteredModel(
        { model, server },
        { meter: spending.meter(part, limits, payer), book: sheets.book({ part, choice, account }) },
      ),
    state: () => restingState(spending.meter(part, limits)) ?? server.state(),
  });
  const kind = agentAt(choice.baseUrl);
  if (kind !== undefined) {
    const [{ createAgentModel }, { adapters }] = await Promise.all([
      import('../../models/agents/agent-model.ts'),
      import('../../models/agents/adapters.ts'),
    ]);
    const agent = createAgentModel({
      adapter: adapters[kind],
      model: choice.model,
      timeoutMs,
      runner: agents,
      breaker: breakerOf(kind),
      isAgreed: () => consents.of(kind).given_at !== null,
    });
    return inUse(agent.model, agent);
  }
  const [{ createLanguageModel }, server] = await Promise.all([
    import('../../models/openai-compatible.ts'),
    serverAt('llm', choice),
  ]);
  const { baseUrl, model: name } = choice;
  const contextTokens = contextOf(store, choice).load;
  const reach = reachOf(choice);
  const model = createLanguageModel({ server, baseUrl, model: name, reach, timeoutMs, contextTokens });
  return inUse(model, server);
}

/** How many tokens a server's model reads at once, kept as the server said it when the model was chosen. */
export function contextOf(store: Store, { baseUrl, model }: ModelChoice) {
  const name = `context of ${model} at ${baseUrl}`;
  return {
    load: () => Number(store.read((db) => readMeta(db, name)) ?? 0) || undefined,
    save: (tokens: number | undefined) =>
      store.write((db) => saveMeta(db, name, tokens === undefined ? '' : String(tokens))),
  };
}

/** How many dimensions a server's vectors have, kept so that after a start what was embedded is found before the server answers. */
export function dimensionsOf(store: Store, model: string) {
  const name = `dimensions of ${model}`;
  return {
    load: () => Number(store.read((db) => readMeta(db, name)) ?? 0),
    save: (dimensions: number) => store.write((db) => saveMeta(db, name, String(dimensions))),
  };
}
