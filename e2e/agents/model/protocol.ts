import type http from 'node:http';

export type Json = Record<string, unknown>;

/** A tool that an agent offers; `namespace` where its protocol groups them. */
export interface OfferedTool {
  name: string;
  namespace?: string;
}

/** What an agent sends, whichever protocol it speaks. */
export interface Conversation {
  system: string;
  /** Results of tools that follow one another are one message of `tool`. */
  messages: { role: 'user' | 'assistant' | 'tool'; text: string }[];
  tools: OfferedTool[];
}

/** A call of a tool: its arguments, or the text that a tool without a schema takes. */
export interface ModelCall {
  name: string;
  namespace?: string;
  input: Json | string;
}

/** What a model answers: words, and the tools that it calls. */
export interface ModelTurn {
  text: string;
  calls: readonly ModelCall[];
}

export interface ModelReply {
  response: http.ServerResponse;
  turn: ModelTurn;
  /** A number that no other reply has, for ids. */
  number: number;
  isStream: boolean;
}

/** How the requests of one kind of model server are read and answered. */
export interface ModelProtocol {
  matches: RegExp;
  read(body: Json): Conversation;
  send(reply: ModelReply): void;
}

/** What each reply is said to have taken, in tokens. */
export const USAGE = { input: 1234, output: 56 };

export function sendJson(response: http.ServerResponse, value: object, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(value));
}

/** Sends server-sent events; one without a name has none of its own. */
export function sendEvents(
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

/** The objects of a list that may be missing. */
export function objectsIn(value: unknown): Json[] {
  return Array.isArray(value) ? (value as Json[]) : [];
}

/** The words of a content: a string, or parts of which some have a text or a content of their own. */
export function wordsIn(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content))
    return content === undefined || content === null ? '' : JSON.stringify(content);
  return (content as Json[]).map((part) => wordsIn(part['text'] ?? part['content'] ?? '')).join('\n');
}

/** Adds a message; what tools answered at once is one. */
export function addMessage(
  messages: Conversation['messages'],
  message: Conversation['messages'][number],
): void {
  const last = messages.at(-1);
  if (message.role === 'tool' && last?.role === 'tool') last.text += `\n${message.text}`;
  else messages.push(message);
}
