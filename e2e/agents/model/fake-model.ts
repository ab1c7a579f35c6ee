import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as textOf } from 'node:stream/consumers';
import { chat } from './chat.ts';
import { gemini } from './gemini.ts';
import { messages } from './messages.ts';
import type { Conversation, Json, ModelProtocol, ModelTurn } from './protocol.ts';
import { sendJson } from './protocol.ts';
import { responses } from './responses.ts';

/** What the server does with a question: it answers, refuses the key, never answers, says no JSON, or far too much. */
export type Mode = 'answers' | 'refuses' | 'hangs' | 'garbage' | 'huge';

/** A request of an agent. */
export interface ModelRequest extends Conversation {
  path: string;
  /** The whole body, as JSON. */
  body: string;
}

export interface FakeModel {
  origin: string;
  asked: ModelRequest[];
  mode: Mode;
  stop(): void;
}

/** Bytes of a reply that is too long. */
const HUGE = 1_200_000;

const PROTOCOLS: readonly ModelProtocol[] = [responses, chat, messages, gemini];

/**
 * A model on the loopback for the real coding agents, without any network, key or model: OpenAI's Responses and Chat Completions,
 * Anthropic's Messages, Gemini's generateContent, as JSON or as a stream. `answer` says what is answered to a request.
 */
export async function startFakeModel(
  answer: (request: ModelRequest) => ModelTurn | Promise<ModelTurn>,
): Promise<FakeModel> {
  const server = http.createServer((request, response) => {
    textOf(request)
      .then(async (body) => await reply(request, response, body))
      // The agent says so, and the run goes on.
      .catch((cause: unknown) => sendJson(response, { error: { message: String(cause) } }, 500));
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

  async function reply(
    request: http.IncomingMessage,
    response: http.ServerResponse,
    body: string,
  ): Promise<void> {
    const path = request.url ?? '/';
    const protocol = PROTOCOLS.find(({ matches }) => request.method === 'POST' && matches.test(path));
    if (!protocol) return sendJson(response, OF_NO_MODEL);
    const parsed = JSON.parse(body) as Json;
    const asked = { path, body, ...protocol.read(parsed) };
    const number = fake.asked.push(asked);
    const { authorization, 'x-api-key': key, 'x-goog-api-key': google } = request.headers;
    const hasKey = [authorization, key, google].some((given) => /dummy/u.test(String(given)));
    if (fake.mode === 'hangs') return;
    if (fake.mode === 'refuses' || !hasKey)
      return sendJson(response, { error: { type: 'authentication_error', message: 'Unauthorized' } }, 401);
    const isStream = parsed['stream'] === true || path.includes(':streamGenerateContent');
    // What an agent asks beside the question, such as which of its models is to answer, is no stream.
    const turn = (isStream ? insteadIn(fake.mode) : undefined) ?? (await answer(asked));
    protocol.send({ response, turn, number, isStream });
  }
  return fake;
}

/** What is answered to all else: which models there are, and how many tokens something takes. */
const OF_NO_MODEL = {
  object: 'list',
  data: [{ id: 'fake-model', object: 'model' }],
  input_tokens: 1234,
  totalTokens: 1234,
};

/** What is said in place of an answer; undefined for an answer. */
function insteadIn(mode: Mode): ModelTurn | undefined {
  if (mode === 'huge') return { text: 'x'.repeat(HUGE), calls: [] };
  return mode === 'garbage' ? { text: 'I would rather not say.', calls: [] } : undefined;
}
