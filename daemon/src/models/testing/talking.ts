import type http from 'node:http';
import { letterVector, said } from './fake-model-server.ts';
import { type Handler, type ProtocolRequest, sendJson } from './protocol-server.ts';

/** What a model was asked in a chat. */
export interface Chat {
  model: string;
  /** The texts of the system's messages, one below another. */
  system: string;
  /** The texts of the other messages. */
  prompt: string;
  /** The JSON schema that the reply has to keep to; undefined where none was sent. */
  schema: unknown;
  body: Record<string, unknown>;
}

/** What a model does: says a text, is refused by its server, or misbehaves as `Behaviour` of the fake model server says. */
export type Saying =
  { text: string } | { status: number; error: string } | { does: 'never' | 'cut' | 'torn' | 'drip' };

export type Talk = (asked: Chat) => Saying | Promise<Saying>;

export interface Talking {
  /** Changed by a test whenever it likes. */
  talk: Talk;
  /** Whether the server has a model of this name. */
  has(model: string): boolean;
}

/**
 * `POST /v1/chat/completions` and `POST /v1/embeddings` as OpenAI-compatible servers answer them
 * (https://platform.openai.com/docs/api-reference/chat), in one piece and as a stream of server-sent events.
 */
export function openAiRoutes(talking: Talking): Record<string, Handler> {
  return {
    async 'POST /v1/chat/completions'(asked, response) {
      const chat = chatOf(asked);
      if (!talking.has(chat.model)) return noSuchModel(response, chat.model);
      const text = textOf(await talking.talk(chat), response);
      if (text === undefined) return;
      if (chat.body['stream'] !== true) return sendJson(response, 200, said(text).body);
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const chunk = (delta: object, finish: string | null) =>
        response.write(
          `data: ${JSON.stringify({
            id: 'x',
            object: 'chat.completion.chunk',
            created: 1,
            model: chat.model,
            choices: [{ index: 0, delta, finish_reason: finish }],
          })}\n\n`,
        );
      for (const piece of pieces(text)) chunk({ role: 'assistant', content: piece }, null);
      chunk({}, 'stop');
      response.end('data: [DONE]\n\n');
    },
    'POST /v1/embeddings'({ body }, response) {
      const model = String(body['model']);
      if (!talking.has(model)) return noSuchModel(response, model);
      const texts = [body['input']].flat().map(String);
      sendJson(response, 200, {
        object: 'list',
        model,
        data: texts.map((text, index) => ({ object: 'embedding', index, embedding: letterVector(text) })),
        usage: { prompt_tokens: texts.length, total_tokens: texts.length },
      });
    },
  };
}

/** A chat of either form: OpenAI's `response_format`, or Ollama's `format`. */
export function chatOf({ body }: ProtocolRequest): Chat {
  const messages = Array.isArray(body['messages'])
    ? (body['messages'] as { role?: string; content?: unknown }[])
    : [];
  const texts = (isSystem: boolean) =>
    messages
      .filter(({ role }) => (role === 'system') === isSystem)
      .map(({ content }) => (typeof content === 'string' ? content : JSON.stringify(content)))
      .join('\n');
  const format = body['response_format'] as { json_schema?: { schema?: unknown } } | undefined;
  const ollama = typeof body['format'] === 'object' ? body['format'] : undefined;
  return {
    model: String(body['model']),
    system: texts(true),
    prompt: texts(false),
    schema: format?.json_schema?.schema ?? ollama,
    body,
  };
}

/** The text that is said; undefined where something else was done with the request. */
export function textOf(saying: Saying, response: http.ServerResponse): string | undefined {
  if ('text' in saying) return saying.text;
  if ('status' in saying) {
    sendJson(response, saying.status, { error: { message: saying.error, type: 'api_error' } });
    return undefined;
  }
  if (saying.does === 'never') return undefined;
  if (saying.does === 'cut') {
    response.destroy();
    return undefined;
  }
  response.writeHead(200, { 'content-type': 'application/json' });
  if (saying.does === 'torn') response.write('{"choices": [', () => response.destroy());
  else {
    const drip = setInterval(() => response.write(' '), 10);
    response.on('close', () => clearInterval(drip));
  }
  return undefined;
}

/** A text as tokens of some four characters. */
export function pieces(text: string): string[] {
  return text.match(/[^]{1,4}/gu) ?? [];
}

/** As Ollama says it in OpenAI's form. */
function noSuchModel(response: http.ServerResponse, model: string): void {
  const message = `model "${model}" not found, try pulling it first`;
  sendJson(response, 404, { error: { message, type: 'api_error', param: null, code: null } });
}
