import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as textOf } from 'node:stream/consumers';

/** What the server does with a question: it answers, refuses the key, never answers, says no JSON, or far too much. */
export type Mode = 'answers' | 'refuses' | 'hangs' | 'garbage' | 'huge';

/** A request of an agent, as far as it is looked at. */
export interface Asked {
  path: string;
  /** The whole body, as JSON. */
  body: string;
  tools: string[];
}

export interface FakeModel {
  origin: string;
  asked: Asked[];
  mode: Mode;
  stop(): void;
}

type Json = Record<string, unknown>;

/** Bytes of a reply that is too long. */
const HUGE = 1_200_000;
const USAGE = { input: 1234, output: 56 };

/**
 * A model on the loopback for the real coding agents, without any network, key or model: OpenAI's Responses and Chat Completions,
 * Anthropic's Messages, Gemini's generateContent, as JSON or as a stream. `answer` says what is answered to a request's body; a tool by
 * which an agent wants its answer in a form is called with it.
 */
export async function startFakeModel(answer: (body: string) => string): Promise<FakeModel> {
  const server = http.createServer((request, response) => {
    void textOf(request).then((body) => reply(request, response, body));
  });
  server.listen(0, '127.0.0.1');
  await new Promise((resolve) => void server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  const fake: FakeModel = {
    origin: `http://127.0.0.1:${port}`,
    asked: [],
    mode: 'answers',
    stop() {
      server.closeAllConnections();
      server.close();
    },
  };

  function reply(request: http.IncomingMessage, response: http.ServerResponse, body: string): void {
    const path = request.url ?? '/';
    const protocol = PROTOCOLS.find(({ matches }) => request.method === 'POST' && matches.test(path));
    if (!protocol) return json(response, { object: 'list', data: [{ id: 'fake-model', object: 'model' }] });
    const parsed = JSON.parse(body) as Json;
    const tools = toolsIn(parsed);
    fake.asked.push({ path, body, tools });
    const { authorization, 'x-api-key': key, 'x-goog-api-key': google } = request.headers;
    const hasKey = [authorization, key, google].some((given) => /dummy/u.test(String(given)));
    if (fake.mode === 'hangs') return;
    if (fake.mode === 'refuses' || !hasKey)
      return json(response, { error: { type: 'authentication_error', message: 'Unauthorized' } }, 401);
    const isStream = parsed['stream'] === true || path.includes(':streamGenerateContent');
    // What an agent asks beside the question, such as which of its models is to answer, is no stream.
    const said = isStream ? saidIn(fake.mode, () => answer(body)) : answer(body);
    protocol.send({ response, said, tools, model: 'fake-model', isStream });
  }
  return fake;
}

function saidIn(mode: Mode, answer: () => string): string {
  if (mode === 'huge') return 'x'.repeat(HUGE);
  return mode === 'garbage' ? 'I would rather not say.' : answer();
}

/** The names of the tools of a request, in whichever form. */
function toolsIn(body: Json): string[] {
  const input = Array.isArray(body['input']) ? (body['input'] as Json[]) : [];
  const added = input
    .filter(({ type }) => type === 'additional_tools')
    .flatMap(({ tools }) => tools as Json[]);
  const flat = (tool: Json): string[] => {
    const inner = (tool['tools'] ?? tool['functionDeclarations']) as Json[] | undefined;
    if (inner) return inner.flatMap(flat);
    return [String(tool['name'] ?? (tool['function'] as Json | undefined)?.['name'] ?? tool['type'])];
  };
  return [...((body['tools'] as Json[] | undefined) ?? []), ...added].flatMap(flat);
}

function json(response: http.ServerResponse, value: object, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(value));
}

interface Sending {
  response: http.ServerResponse;
  said: string;
  tools: readonly string[];
  model: string;
  isStream: boolean;
}

/** Sends server-sent events; one without a name has none of its own. */
function events(
  response: http.ServerResponse,
  list: readonly (readonly [string | undefined, object | string])[],
): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const [name, data] of list) {
    if (name !== undefined) response.write(`event: ${name}\n`);
    response.write(`data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`);
  }
  response.end();
}

const PROTOCOLS: readonly { matches: RegExp; send: (sending: Sending) => void }[] = [
  { matches: /\/responses(?:\?|$)/u, send: sendResponses },
  { matches: /\/chat\/completions/u, send: sendChat },
  { matches: /\/messages(?:\?|$)/u, send: sendMessages },
  { matches: /:(?:streamG|g)enerateContent/u, send: sendGemini },
];

function sendResponses({ response, said, model }: Sending): void {
  const item = {
    type: 'message',
    id: 'msg_1',
    role: 'assistant',
    status: 'completed',
    content: [{ type: 'output_text', text: said, annotations: [] }],
  };
  const usage = {
    input_tokens: USAGE.input,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: USAGE.output,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: USAGE.input + USAGE.output,
  };
  const whole = { id: 'resp_1', object: 'response', status: 'completed', model, output: [item], usage };
  const event = (type: string, more: object) => [type, { type, ...more }] as const;
  events(response, [
    event('response.created', { response: { ...whole, status: 'in_progress', output: [], usage: null } }),
    event('response.output_item.added', { output_index: 0, item: { ...item, content: [] } }),
    event('response.output_text.delta', { item_id: 'msg_1', output_index: 0, content_index: 0, delta: said }),
    event('response.output_item.done', { output_index: 0, item }),
    event('response.completed', { response: whole }),
  ]);
}

function sendChat({ response, said, model, isStream }: Sending): void {
  const usage = {
    prompt_tokens: USAGE.input,
    completion_tokens: USAGE.output,
    total_tokens: USAGE.input + USAGE.output,
  };
  const about = { id: 'chatcmpl-1', created: 1, model };
  if (!isStream) {
    const message = { role: 'assistant', content: said };
    const choices = [{ index: 0, message, finish_reason: 'stop' }];
    return json(response, { ...about, object: 'chat.completion', choices, usage });
  }
  const chunk = (delta: object, finish_reason: string | null) => ({
    ...about,
    object: 'chat.completion.chunk',
    choices: [{ index: 0, delta, finish_reason }],
  });
  events(response, [
    [undefined, chunk({ role: 'assistant', content: said }, null)],
    [undefined, chunk({}, 'stop')],
    [undefined, { ...about, object: 'chat.completion.chunk', choices: [], usage }],
    [undefined, '[DONE]'],
  ]);
}

function sendMessages({ response, said, tools, model, isStream }: Sending): void {
  const input = objectIn(said);
  const form = input && tools.find((name) => name === 'StructuredOutput');
  const content = form
    ? { type: 'tool_use', id: 'toolu_1', name: form, input }
    : { type: 'text', text: said };
  const usage = {
    input_tokens: USAGE.input,
    output_tokens: USAGE.output,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: 0,
  };
  const stop_reason = form ? 'tool_use' : 'end_turn';
  const message = { id: 'msg_1', type: 'message', role: 'assistant', model, content: [content], stop_reason };
  if (!isStream) return json(response, { ...message, stop_sequence: null, usage });
  const event = (type: string, more: object) => [type, { type, ...more }] as const;
  const [block, delta] = form
    ? [
        { ...content, input: {} },
        { type: 'input_json_delta', partial_json: said },
      ]
    : [
        { ...content, text: '' },
        { type: 'text_delta', text: said },
      ];
  events(response, [
    event('message_start', {
      message: { ...message, content: [], stop_reason: null, stop_sequence: null, usage },
    }),
    event('content_block_start', { index: 0, content_block: block }),
    event('content_block_delta', { index: 0, delta }),
    event('content_block_stop', { index: 0 }),
    event('message_delta', { delta: { stop_reason, stop_sequence: null }, usage: { output_tokens: 56 } }),
    event('message_stop', {}),
  ]);
}

function sendGemini({ response, said, isStream }: Sending): void {
  const reply = {
    candidates: [{ content: { role: 'model', parts: [{ text: said }] }, finishReason: 'STOP', index: 0 }],
    usageMetadata: {
      promptTokenCount: USAGE.input,
      candidatesTokenCount: USAGE.output,
      totalTokenCount: USAGE.input + USAGE.output,
    },
  };
  if (isStream) events(response, [[undefined, reply]]);
  else json(response, reply);
}

function objectIn(text: string): object | undefined {
  try {
    return JSON.parse(text) as object;
  } catch {
    // What is no JSON is said in words.
    return undefined;
  }
}
