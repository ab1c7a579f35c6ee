import { createHash } from 'node:crypto';
import { letterVector } from './fake-model-server.ts';
import { createPulling, type OllamaModel, type FakePulls } from './fake-pulling.ts';
import {
  type Handler,
  type ProtocolServer,
  type ProtocolRequest,
  sendJson,
  sendText,
  startProtocolServer,
} from './protocol-server.ts';
import { chatOf, openAiRoutes, pieces, type Talk, type Talking, textOf } from './talking.ts';

export interface OllamaOptions {
  /** What it has; nothing where omitted. */
  has?: readonly OllamaModel[];
  /** What it can pull; `PULLABLE` where omitted. */
  library?: readonly OllamaModel[];
  talk?: Talk;
  version?: string;
  port?: number;
  /** Versions before 0.6.4 tell no capabilities. */
  old?: boolean;
}

export interface FakeOllama extends ProtocolServer, Talking {
  /** Names of the models that it has. */
  names(): string[];
  add(model: OllamaModel): void;
  remove(name: string): void;
  /** What happens to those who pull. */
  readonly pulls: FakePulls;
}

/** Small ones, so that a whole pull is quick; the names are those of Ollama's library. */
export const PULLABLE: readonly OllamaModel[] = [
  {
    name: 'qwen3.5:4b',
    layers: [3_000, 400],
    context: 262_144,
    capabilities: ['vision', 'completion', 'tools', 'thinking'],
  },
  {
    name: 'gemma4:e4b-it-qat',
    layers: [4_000, 900, 100],
    context: 131_072,
    capabilities: ['completion', 'vision', 'audio', 'tools', 'thinking'],
  },
  { name: 'nomic-embed-text:latest', layers: [270], context: 2048, capabilities: ['embedding'] },
];

/**
 * An Ollama on a free port of the loopback, after https://github.com/ollama/ollama/blob/main/docs/api.md and what version 0.35
 * answers: version, list, show, loaded, pull, chat and embeddings in its own form and in OpenAI's.
 */
export async function startFakeOllama({
  has = [],
  library = PULLABLE,
  talk = () => ({ text: 'I do not know.' }),
  version = '0.35.1',
  port,
  old = false,
}: OllamaOptions = {}): Promise<FakeOllama> {
  const models = new Map(has.map((model) => [model.name, model]));
  const loaded = new Set<string>();
  const find = (name: string) => models.get(withTag(name));
  const talking: Talking = { talk, has: (name) => find(name) !== undefined };
  const { pulls, handler: pull } = createPulling({
    find: (name) => library.find((model) => model.name === withTag(name)),
    got: (model) => models.set(model.name, model),
  });

  const named = (run: (model: OllamaModel, ...given: Parameters<Handler>) => void | Promise<void>): Handler =>
    function (asked, response) {
      const name = nameOf(asked);
      const model = find(name);
      if (!model) return sendJson(response, 404, { error: `model '${name}' not found` });
      return run(model, asked, response);
    };

  const routes: Record<string, Handler> = {
    'GET /': (_, response) => sendText(response, 200, 'Ollama is running'),
    'GET /api/version': (_, response) => sendJson(response, 200, { version }),
    'GET /api/tags': (_, response) =>
      sendJson(response, 200, { models: [...models.values()].map((model) => listed(model, old)) }),
    'GET /api/ps': (_, response) =>
      sendJson(response, 200, {
        models: [...loaded].flatMap((name) => {
          const model = models.get(name);
          return model ? [{ ...listed(model, true), size_vram: 0, context_length: LOADED_CONTEXT }] : [];
        }),
      }),
    'GET /v1/models': (_, response) =>
      sendJson(response, 200, {
        object: 'list',
        data: [...models.keys()].map((id) => ({ id, object: 'model', created: 1, owned_by: 'library' })),
      }),
    'POST /api/show': named((model, _, response) => sendJson(response, 200, shown(model, old))),
    'POST /api/pull': pull,
    'POST /api/chat': named(async (model, asked, response) => {
      loaded.add(model.name);
      const chat = chatOf(asked);
      const text = textOf(await talking.talk(chat), response);
      if (text === undefined) return;
      const base = { model: model.name, created_at: '2026-09-01T00:00:00Z' };
      const end = { done: true, done_reason: 'stop', prompt_eval_count: 5, eval_count: 7, total_duration: 1 };
      if (chat.body['stream'] === false)
        return sendJson(response, 200, {
          ...base,
          message: { role: 'assistant', content: text },
          ...end,
        });
      response.writeHead(200, { 'content-type': 'application/x-ndjson' });
      const line = (content: string, more: object) =>
        response.write(`${JSON.stringify({ ...base, message: { role: 'assistant', content }, ...more })}\n`);
      for (const piece of pieces(text)) line(piece, { done: false });
      line('', end);
      response.end();
    }),
    'POST /api/embed': named((model, { body }, response) =>
      sendJson(response, 200, {
        model: model.name,
        embeddings: [body['input']].flat().map((text) => letterVector(String(text))),
      }),
    ),
    ...openAiRoutes(talking),
  };
  const openAiChat = routes['POST /v1/chat/completions'];
  routes['POST /v1/chat/completions'] = (asked, response) => {
    const model = find(nameOf(asked));
    if (model) loaded.add(model.name);
    return openAiChat?.(asked, response);
  };

  const server = await startProtocolServer({ routes, ...(port !== undefined && { port }) });
  return {
    get url() {
      return server.url;
    },
    get port() {
      return server.port;
    },
    asked: server.asked,
    stop: server.stop,
    start: server.start,
    get talk() {
      return talking.talk;
    },
    set talk(next) {
      talking.talk = next;
    },
    has: talking.has,
    names: () => [...models.keys()],
    add: (model) => void models.set(model.name, model),
    remove: (name) => void models.delete(withTag(name)),
    pulls,
  };
}

/** What Ollama gives a loaded model where nothing else is set, whatever the model could read. */
const LOADED_CONTEXT = 4096;

function withTag(name: string): string {
  return name.includes(':') ? name : `${name}:latest`;
}

/** Older clients say `name`. */
function nameOf({ body }: ProtocolRequest): string {
  return String(body['model'] ?? body['name']);
}

function details({ capabilities }: OllamaModel) {
  const family = capabilities.includes('embedding') ? 'nomic-bert' : 'qwen35';
  return {
    parent_model: '',
    format: 'gguf',
    family,
    families: [family],
    parameter_size: '4B',
    quantization_level: 'Q4_K_M',
  };
}

function listed(model: OllamaModel, old: boolean) {
  const { name, layers, context, capabilities } = model;
  return {
    name,
    model: name,
    modified_at: '2026-07-03T18:39:00.380553197-07:00',
    size: layers.reduce((sum, bytes) => sum + bytes, 0),
    digest: createHash('sha256').update(name).digest('hex'),
    details: old ? details(model) : { ...details(model), context_length: context },
    ...(!old && { capabilities }),
  };
}

function shown(model: OllamaModel, old: boolean) {
  const { family } = details(model);
  return {
    modelfile: '# Modelfile generated by "ollama show"',
    parameters: 'temperature                    1',
    template: '{{ .Prompt }}',
    details: details(model),
    model_info: { 'general.architecture': family, [`${family}.context_length`]: model.context },
    ...(!old && { capabilities: model.capabilities }),
    modified_at: '2026-07-03T18:39:00.380553197-07:00',
  };
}
