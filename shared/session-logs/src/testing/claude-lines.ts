/** The session of these lines, where none is given. */
export const CLAUDE_SESSION = '3f2a6c1e-8b1d-4c55-9a55-0d6c2f0e7a11';

/** The file in which Claude Code would keep it, below its root. */
export const CLAUDE_FILE = `-home-ana-app/${CLAUDE_SESSION}.jsonl`;

const START = Date.UTC(2026, 7, 10, 12);

type Fields = Record<string, unknown>;

/** A time of these lines: seconds after their start, as Claude Code writes it. */
export function claudeTime(second: number): string {
  return new Date(START + second * 1000).toISOString();
}

function envelope(uuid: string, fields: Fields): Fields {
  return {
    uuid,
    parentUuid: null,
    sessionId: CLAUDE_SESSION,
    timestamp: claudeTime(1),
    cwd: '/home/ana/app',
    gitBranch: 'main',
    version: '2.1.230',
    isSidechain: false,
    userType: 'external',
    ...fields,
  };
}

/** A `user` line. */
export function userLine(uuid: string, content: unknown, fields: Fields = {}): Fields {
  return { type: 'user', ...envelope(uuid, fields), message: { role: 'user', content } };
}

/** An `assistant` line: some blocks of the message `id`. */
export function assistantLine(
  uuid: string,
  {
    id = 'msg_01',
    content,
    output = 45,
    ...fields
  }: Fields & { id?: string; content: unknown; output?: number },
): Fields {
  return {
    type: 'assistant',
    ...envelope(uuid, { requestId: 'req_01', ...fields }),
    message: {
      id,
      role: 'assistant',
      model: 'claude-opus-4-5',
      content,
      stop_reason: null,
      usage: {
        input_tokens: 1200,
        output_tokens: output,
        cache_creation_input_tokens: 100,
        cache_read_input_tokens: 900,
      },
    },
  };
}

/** A `user` line that holds the result of a call. */
export function resultLine(
  uuid: string,
  { call, content, failed, ...fields }: Fields & { call: string; content: unknown; failed?: boolean },
): Fields {
  const block = { type: 'tool_result', tool_use_id: call, content, ...(failed && { is_error: true }) };
  return userLine(uuid, [block], fields);
}

/** A `system` line. */
export function systemLine(uuid: string, fields: Fields): Fields {
  return { type: 'system', ...envelope(uuid, fields) };
}
