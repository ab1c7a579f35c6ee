export const QWEN_SESSION = 'b3d5aa87-4b59-4ca0-9b75-e859bc0a134b';
export const QWEN_FILE = `projects/-home-ana-app/chats/${QWEN_SESSION}.jsonl`;

const START = Date.UTC(2026, 10, 28, 8, 18);

/** A line of a log behind the one before; a uuid is a number. */
export function qwenLine(uuid: number, type: string, fields: object): object {
  return {
    uuid: `q${uuid}`,
    parentUuid: uuid === 1 ? null : `q${uuid - 1}`,
    sessionId: QWEN_SESSION,
    timestamp: new Date(START + uuid * 1000).toISOString(),
    type,
    provenance: type === 'user' ? 'real_user' : type,
    cwd: '/home/ana/app',
    version: '0.24.4',
    gitBranch: 'main',
    ...fields,
  };
}

export function qwenPrompt(uuid: number, text: string, more: object = {}): object {
  return qwenLine(uuid, 'user', { message: { role: 'user', parts: [{ text }] }, ...more });
}

export function qwenAnswer(uuid: number, parts: readonly object[]): object {
  const usageMetadata = { promptTokenCount: 1234, candidatesTokenCount: 56, thoughtsTokenCount: 4 };
  return qwenLine(uuid, 'assistant', {
    model: 'fake-model',
    message: { role: 'model', parts },
    usageMetadata,
  });
}

export function qwenResult(
  uuid: number,
  { id, response, status = 'success' }: { id: string; response: object; status?: string },
): object {
  return qwenLine(uuid, 'tool_result', {
    message: { role: 'user', parts: [{ functionResponse: { id, name: 'run_shell_command', response } }] },
    toolCallResult: { callId: id, status, resultDisplay: '' },
  });
}

export function qwenSystem(uuid: number, subtype: string, systemPayload: object = {}): object {
  return qwenLine(uuid, 'system', { subtype, systemPayload });
}
