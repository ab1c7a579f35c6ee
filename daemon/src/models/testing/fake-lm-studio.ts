import { type ProtocolServer, sendJson, startProtocolServer } from './protocol-server.ts';
import { openAiRoutes, type Talk } from './talking.ts';

export interface LmStudioModel {
  key: string;
  type: 'llm' | 'embedding';
  /** What the model could read, and what it was loaded with. */
  context: number;
  loaded?: number;
  tools?: boolean;
}

export interface LmStudioOptions {
  models: readonly LmStudioModel[];
  talk?: Talk;
  /** `v0`: from 0.3.6 to before 0.4; `openai`: before that, with OpenAI's list alone. */
  age?: 'new' | 'v0' | 'openai';
  /** Wants this token for everything. */
  token?: string;
  port?: number;
}

/**
 * An LM Studio on a free port of the loopback (https://lmstudio.ai/docs/developer/rest/list, for older ones
 * https://lmstudio.ai/docs/developer/rest/endpoints). What it does not know it answers with 200 and an `error`, as the real one does.
 */
export function startFakeLmStudio({
  models,
  talk = () => ({ text: 'I do not know.' }),
  age = 'new',
  token,
  port = 0,
}: LmStudioOptions): Promise<ProtocolServer> {
  const has = (name: string) => models.some(({ key }) => key === name);
  return startProtocolServer({
    port,
    guard({ headers }, response) {
      if (token === undefined || headers.authorization === `Bearer ${token}`) return;
      const message =
        "An LM Studio API token is required to make requests to this server, but none was provided using the Authorization header using the 'Bearer' scheme.";
      sendJson(response, 401, { error: { message, type: 'invalid_request', code: 'invalid_api_key' } });
    },
    routes: {
      ...openAiRoutes({ talk, has }),
      'GET /v1/models': (_, response) =>
        sendJson(response, 200, {
          object: 'list',
          data: models.map(({ key }) => ({ id: key, object: 'model', owned_by: 'organization_owner' })),
        }),
      ...(age !== 'openai' && {
        'GET /api/v0/models': (_, response) =>
          sendJson(response, 200, { object: 'list', data: models.map(asV0) }),
      }),
      ...(age === 'new' && {
        'GET /api/v1/models': (_, response) => sendJson(response, 200, { models: models.map(asV1) }),
      }),
      '*': ({ method, path }, response) =>
        sendJson(response, 200, { error: `Unexpected endpoint or method. (${method} ${path})` }),
    },
  });
}

function asV1({ key, type, context, loaded, tools = false }: LmStudioModel) {
  return {
    type,
    publisher: 'someone',
    key,
    display_name: key,
    quantization: { name: 'Q4_0', bits_per_weight: 4 },
    size_bytes: 241_410_208,
    params_string: null,
    max_context_length: context,
    format: 'gguf',
    loaded_instances: loaded === undefined ? [] : [{ id: key, config: { context_length: loaded } }],
    ...(type === 'llm' && {
      architecture: 'gemma3',
      capabilities: { vision: false, trained_for_tool_use: tools },
      description: null,
    }),
  };
}

function asV0({ key, type, context, loaded, tools = false }: LmStudioModel) {
  return {
    id: key,
    object: 'model',
    type: type === 'llm' ? 'llm' : 'embeddings',
    publisher: 'someone',
    arch: 'llama',
    compatibility_type: 'gguf',
    quantization: 'Q4_K_M',
    max_context_length: context,
    state: loaded === undefined ? 'not-loaded' : 'loaded',
    ...(loaded !== undefined && { loaded_context_length: loaded }),
    ...(tools && { capabilities: ['tool_use'] }),
  };
}
