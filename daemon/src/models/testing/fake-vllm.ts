import { type ProtocolServer, sendJson, startProtocolServer } from './protocol-server.ts';
import { openAiRoutes, type Talk } from './talking.ts';

export interface VllmOptions {
  model?: string;
  talk?: Talk;
  context?: number;
  key?: string;
  /** In whose name the list is: another one is just an OpenAI-compatible server. */
  ownedBy?: string;
  port?: number;
}

/**
 * A vLLM with one model, on a free port of the loopback (https://docs.vllm.ai/en/latest/serving/openai_compatible_server.html). A key
 * guards what is below /v1, and nothing else.
 */
export function startFakeVllm({
  model = 'Qwen/Qwen3-32B',
  talk = () => ({ text: 'I do not know.' }),
  context = 40_960,
  key,
  ownedBy = 'vllm',
  port = 0,
}: VllmOptions = {}): Promise<ProtocolServer> {
  return startProtocolServer({
    port,
    guard({ path, headers }, response) {
      if (key === undefined || !path.startsWith('/v1') || headers.authorization === `Bearer ${key}`) return;
      sendJson(response, 401, { error: 'Unauthorized' });
    },
    routes: {
      ...openAiRoutes({ talk, has: (name) => name === model }),
      'GET /health': (_, response) => void response.end(),
      'GET /version': (_, response) => sendJson(response, 200, { version: '0.19.1' }),
      'GET /v1/models': (_, response) =>
        sendJson(response, 200, {
          object: 'list',
          data: [
            {
              id: model,
              object: 'model',
              created: 1_729_693_000,
              owned_by: ownedBy,
              ...(ownedBy === 'vllm' && { root: model, parent: null, max_model_len: context }),
            },
          ],
        }),
      '*': (_, response) => sendJson(response, 404, { detail: 'Not Found' }),
    },
  });
}
