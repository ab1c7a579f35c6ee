import type { Config } from './config/config.ts';
import { readMeta, saveMeta } from './db/meta.store.ts';
import type { Store } from './db/open-store.ts';
import { type BackgroundEmbedder, createBackgroundEmbedder } from './models/background-embedder.ts';
import type { ServerState } from './models/breaker.ts';
import type { Embedder } from './models/embedder.ts';
import type { LanguageModel } from './models/language-model.ts';
import { createModelServer } from './models/model-server.ts';
import { createLanguageModel } from './models/openai-compatible.ts';
import { createRemoteEmbedder } from './models/remote-embedder.ts';
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
  /** How their servers do; undefined where no server is asked. */
  states: { embedding: () => ServerState | undefined; language: () => ServerState | undefined };
}

/** Joins configuration, secrets and models: a server's where one is set, else the table that comes with the program. */
export function createModels({ config, store, clock, secrets }: ModellingDeps): Models {
  const keyOf = (name: SecretName) => {
    let looking: Promise<string | undefined> | undefined;
    return () => (looking ??= secrets.get(name));
  };
  const { embedding, llm } = config;
  const remote = embedding.base_url !== undefined &&
    embedding.model !== undefined && {
      ...embedding,
      base_url: embedding.base_url,
      model: embedding.model,
    };
  const embedder =
    remote &&
    createRemoteEmbedder({
      server: createModelServer({
        baseUrl: remote.base_url,
        key: keyOf('embedding'),
        clock,
        garbageIsFailure: true,
      }),
      baseUrl: remote.base_url,
      model: remote.model,
      timeoutMs: remote.timeout_ms,
      batch: remote.batch,
      dimensions: dimensionsOf(store, remote.model),
      now: clock.now,
    });
  const chat = llm.base_url !== undefined &&
    llm.model !== undefined && { baseUrl: llm.base_url, model: llm.model };
  const chatServer = chat && createModelServer({ baseUrl: chat.baseUrl, key: keyOf('llm'), clock });
  const languageModel =
    chat && chatServer
      ? createLanguageModel({ ...chat, server: chatServer, timeoutMs: llm.timeout_ms })
      : undefined;
  return {
    embedder: embedder ? embedder.embedder : loadStaticTable(),
    background: embedder ? embedder.background : createBackgroundEmbedder(),
    prepare: async (texts) => (embedder ? embedder.prepare(texts) : undefined),
    languageModel: () => languageModel,
    states: {
      embedding: () => (embedder ? embedder.state() : undefined),
      language: () => (chatServer ? chatServer.state() : undefined),
    },
  };
}

/** How long a server's vectors are, kept so that a start finds what was embedded before the server answers. */
function dimensionsOf(store: Store, model: string) {
  const name = `dimensions of ${model}`;
  return {
    load: () => Number(store.read((db) => readMeta(db, name)) ?? 0),
    save: (dimensions: number) => store.write((db) => saveMeta(db, name, String(dimensions))),
  };
}
