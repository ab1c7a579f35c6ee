import { z } from 'zod';

const Part = z.looseObject({ text: z.string().optional(), data: z.unknown().optional() });
const Task = z.looseObject({
  id: z.string(),
  contextId: z.string(),
  status: z.looseObject({ state: z.string(), timestamp: z.string() }),
  artifacts: z.array(z.looseObject({ artifactId: z.string(), parts: z.array(Part) })).optional(),
  history: z.array(z.unknown()).optional(),
});
const Message = z.looseObject({
  messageId: z.string(),
  contextId: z.string(),
  role: z.string(),
  parts: z.array(Part),
});

/** A reply as the tests read it. */
export const RpcReply = z.looseObject({
  jsonrpc: z.literal('2.0'),
  id: z.union([z.string(), z.number(), z.null()]),
  error: z
    .strictObject({
      code: z.int(),
      message: z.string().min(1),
      data: z
        .array(z.looseObject({ '@type': z.string(), reason: z.string(), domain: z.string() }))
        .optional(),
    })
    .optional(),
  result: z.unknown().optional(),
});
export type RpcReply = z.infer<typeof RpcReply>;

/** What is needed of a daemon to speak with it. */
interface Spoken<Answered extends { text: string }> {
  ownerKey: string;
  ask: (asked: {
    path: string;
    body: unknown;
    headers: Record<string, string>;
    key: string | null;
  }) => Promise<Answered>;
}

/** One key's way to call A2A. */
export interface Speaker<Answered> {
  call: (method: string, params?: unknown) => Promise<RpcReply>;
  /** A message whose text or data is given; `with` goes beside it into the message. */
  say: (content: string | object, more?: { message?: object; configuration?: object }) => Promise<RpcReply>;
  raw: (asked: { body: unknown; headers?: Record<string, string> }) => Promise<Answered>;
}

/** Speaks A2A with a daemon. */
export function speaker<Answered extends { text: string }>(
  daemon: Spoken<Answered>,
  key: string | null = daemon.ownerKey,
): Speaker<Answered> {
  let said = 0;
  const raw: Speaker<Answered>['raw'] = ({ body, headers = { 'A2A-Version': '1.0' } }) =>
    daemon.ask({ path: '/v1/a2a', body, headers, key });
  const call: Speaker<Answered>['call'] = async (method, params = {}) => {
    const { text } = await raw({ body: { jsonrpc: '2.0', id: 7, method, params } });
    return RpcReply.parse(JSON.parse(text));
  };
  return {
    raw,
    call,
    say(content, { message = {}, configuration } = {}) {
      said += 1;
      const part = typeof content === 'string' ? { text: content } : { data: content };
      return call('SendMessage', {
        message: { messageId: `said-${said}`, role: 'ROLE_USER', parts: [part], ...message },
        ...(configuration && { configuration }),
      });
    },
  };
}

/** The task of a reply, whether it is all of it or what a message became. */
export function taskOf({ result, error }: RpcReply): z.infer<typeof Task> {
  if (error) throw new Error(`no task but ${error.code}: ${error.message}`);
  const sent = z.strictObject({ task: Task }).safeParse(result);
  return sent.success ? sent.data.task : Task.parse(result);
}

export function messageOf({ result, error }: RpcReply): z.infer<typeof Message> {
  if (error) throw new Error(`no message but ${error.code}: ${error.message}`);
  return z.strictObject({ message: Message }).parse(result).message;
}

/** The page of tasks of a reply. */
export function tasksOf({ result, error }: RpcReply) {
  if (error) throw new Error(`no tasks but ${error.code}: ${error.message}`);
  return z
    .strictObject({ tasks: z.array(Task), nextPageToken: z.string(), pageSize: z.int(), totalSize: z.int() })
    .parse(result);
}
