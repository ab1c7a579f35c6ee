import { createHash } from 'node:crypto';
import fs from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';

import { z } from 'zod';

import { readJsonl } from '../retrieval/sets/jsonl.ts';

const Chat = z.object({ messages: z.array(z.object({ role: z.string(), content: z.string() })) });
const Recorded = z.object({ id: z.string(), reply: z.string() });

/** An OpenAI-compatible server on the loopback that says what a real model once said to the same messages. */
export interface RecordedModel {
  /** With /v1. */
  readonly baseUrl: string;
  /** How many questions were answered from the record, and how many it does not have. */
  readonly counts: { answered: number; missing: number };
  /** Its questions that have no answer yet, as lines of JSON: `id`, `system`, `prompt`. */
  pending(): string[];
  stop(): Promise<void>;
}

/** What a question goes by: it is another one as soon as a letter of the prompt or of its notes changes. */
function idOf(messages: z.output<typeof Chat>['messages']): string {
  return createHash('sha256').update(JSON.stringify(messages)).digest('hex').slice(0, 16);
}

/**
 * Replays the lines of a file (`id`, `reply`; a later line replaces an earlier one). What it does not know it notes down as pending,
 * and answers with `otherwise`, which should be what changes least.
 */
export async function startRecordedModel({
  file,
  otherwise,
}: {
  file: string;
  otherwise: (prompt: string) => string;
}): Promise<RecordedModel> {
  const lines = fs.existsSync(file) ? readJsonl(file, Recorded) : [];
  const replies = new Map(lines.map(({ id, reply }) => [id, reply]));
  const pending = new Map<string, string>();
  const counts = { answered: 0, missing: 0 };
  const contentFor = (body: string): string => {
    const { messages } = Chat.parse(JSON.parse(body));
    const id = idOf(messages);
    const known = replies.get(id);
    if (known !== undefined) {
      counts.answered += 1;
      return known;
    }
    counts.missing += 1;
    const of = (role: string) =>
      messages.flatMap((message) => (message.role === role ? [message.content] : [])).join('\n');
    pending.set(id, JSON.stringify({ id, system: of('system'), prompt: of('user') }));
    return otherwise(of('user'));
  };
  const server = http.createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (part: string) => (body += part));
    request.on('end', () => {
      const content = contentFor(body);
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(
        JSON.stringify({
          id: 'recorded',
          object: 'chat.completion',
          created: 0,
          model: 'recorded',
          choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content } }],
        }),
      );
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    counts,
    pending: () => [...pending.values()],
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
