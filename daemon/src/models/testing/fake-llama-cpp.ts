import { type ProtocolServer, sendJson, startProtocolServer } from './protocol-server.ts';
import { openAiRoutes, type Talk } from './talking.ts';

export interface LlamaCppOptions {
  model?: string;
  talk?: Talk;
  /** Tokens of one slot, which is what a request may have. */
  context?: number;
  tools?: boolean;
  key?: string;
  /** Its model is still being loaded. */
  isLoading?: boolean;
  port?: number;
}

/**
 * A llama.cpp server with one model, on a free port of the loopback
 * (https://github.com/ggml-org/llama.cpp/blob/master/tools/server/README.md). Its health and its list are open to all, the rest wants
 * the key where there is one.
 */
export function startFakeLlamaCpp({
  model = 'models/qwen3.5-4b-q4_k_m.gguf',
  talk = () => ({ text: 'I do not know.' }),
  context = 8192,
  tools = true,
  key,
  isLoading = false,
  port = 0,
}: LlamaCppOptions = {}): Promise<ProtocolServer> {
  const open = new Set(['/health', '/v1/health', '/models', '/v1/models']);
  return startProtocolServer({
    port,
    guard({ path, headers }, response) {
      if (isLoading)
        return sendJson(response, 503, {
          error: { code: 503, message: 'Loading model', type: 'unavailable_error' },
        });
      if (key === undefined || open.has(path) || headers.authorization === `Bearer ${key}`) return;
      sendJson(response, 401, {
        error: { code: 401, message: 'Invalid API Key', type: 'authentication_error' },
      });
    },
    routes: {
      // Whatever name is asked for, the one model answers.
      ...openAiRoutes({ talk, has: () => true }),
      'GET /health': (_, response) => sendJson(response, 200, { status: 'ok' }),
      'GET /v1/models': (_, response) =>
        sendJson(response, 200, {
          models: [{ name: model, model, capabilities: ['completion'], details: { format: 'gguf' } }],
          object: 'list',
          data: [
            {
              id: model,
              object: 'model',
              created: 1,
              owned_by: 'llamacpp',
              meta: { vocab_type: 2, n_vocab: 1, n_ctx: context, n_ctx_train: 262_144, size: 2_700_000_000 },
            },
          ],
        }),
      'GET /props': (_, response) =>
        sendJson(response, 200, {
          default_generation_settings: { n_ctx: context },
          total_slots: 4,
          model_alias: model,
          model_path: model,
          build_info: 'b9992-abc',
          chat_template_caps: { supports_tools: tools },
        }),
      '*': (_, response) =>
        sendJson(response, 404, { error: { code: 404, message: 'File Not Found', type: 'not_found_error' } }),
    },
  });
}
