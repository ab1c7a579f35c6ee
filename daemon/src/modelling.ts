import type { Config } from './config/config.ts';
import { readMeta, saveMeta } from './db/meta.store.ts';
import type { Store } from './db/open-store.ts';
import { type BackgroundEmbedder, createBackgroundEmbedder } from './models/background-embedder.ts';
import type { ServerState } from './models/breaker.ts';
import type { Embedder } from './models/embedder.ts';
import type { LanguageModel } from './models/language-model.ts';
import type { RemoteEmbedder } from './models/remote-embedder.ts';
import { loadStaticTable } from './models/static-table.ts';
import type { Clock } from './platform/clock.ts';
import type { SecretName, Secrets } from './platform/secrets.ts';

export interface ModellingDeps {
  config: Pick<Config, 'embedding' | 'llm'>;
  store: Store;
  clock: Clock;
  secrets: Pick<Secrets, 'get'>;
}

/** The models that are configured; nothing is asked or loaded before it is needed. */
export interface Models {
  embedder: Embedder;
  background: BackgroundEmbedder;
  /** Has the vectors of queries made before they are searched; does nothing for the built-in table. */
  prepare(texts: readonly string[]): Promise<void>;
  languageModel(): LanguageModel | undefined;
  /** How they do: a server, or the thread with the built-in table; undefined where no language model is configured. */
  states: { embedding: () => ServerState; language: () => ServerState | undefined };
}

/** Joins configuration, secrets and models: a server's where one is set, else the table that comes with the program. */
export async function createModels(deps: ModellingDeps): Promise<Models> {
  const [remote, chat] = await Promise.all([remoteEmbedder(deps), languageModel(deps)]);
  const thread = createBackgroundEmbedder({ now: deps.clock.now });
  return {
    embedder: remote ? remote.embedder : loadStaticTable(),
    background: remote ? remote.background : thread,
    prepare: async (texts) => remote?.fetchQueries(texts),
    languageModel: () => chat?.model,
    states: { embedding: () => (remote ?? thread).state(), language: () => chat?.state() },
  };
}

// What asks servers is loaded where one is set only: most have none, and a start should take no longer for it.

async function remoteEmbedder({
  config,
  store,
  clock,
  secrets,
}: ModellingDeps): Promise<RemoteEmbedder | undefined> {
  const { base_url: baseUrl, model, timeout_ms: timeoutMs, batch } = config.embedding;
  if (baseUrl === undefined || model === undefined) return undefined;
  const [{ createModelServer }, { createRemoteEmbedder }] = await Promise.all([
    import('./models/model-server.ts'),
    import('./models/remote-embedder.ts'),
  ]);
  const server = createModelServer({
    baseUrl,
    key: keyOf(secrets, 'embedding'),
    clock,
    garbageIsFailure: true,
  });
  const dimensions = dimensionsOf(store, model);
  return createRemoteEmbedder({ server, baseUrl, model, timeoutMs, batch, dimensions, now: clock.now });
}

async function languageModel({
  config,
  clock,
  secrets,
}: ModellingDeps): Promise<{ model: LanguageModel; state: () => ServerState } | undefined> {
  const { base_url: baseUrl, model, timeout_ms: timeoutMs } = config.llm;
  if (baseUrl === undefined || model === undefined) return undefined;
  const [{ createModelServer }, { createLanguageModel }] = await Promise.all([
    import('./models/model-server.ts'),
    import('./models/openai-compatible.ts'),
  ]);
  const server = createModelServer({ baseUrl, key: keyOf(secrets, 'llm'), clock });
  return { model: createLanguageModel({ server, baseUrl, model, timeoutMs }), state: server.state };
}

/** A secret, looked up when a server is asked for the first time. */
function keyOf(secrets: ModellingDeps['secrets'], name: SecretName): () => Promise<string | undefined> {
  let looking: Promise<string | undefined> | undefined;
  return () => (looking ??= secrets.get(name));
}

/** How long a server's vectors are, kept so that a start finds what was embedded before the server answers. */
function dimensionsOf(store: Store, model: string) {
  const name = `dimensions of ${model}`;
  return {
    load: () => Number(store.read((db) => readMeta(db, name)) ?? 0),
    save: (dimensions: number) => store.write((db) => saveMeta(db, name, String(dimensions))),
  };
}
