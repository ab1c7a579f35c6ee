export const GEMINI_SESSION = 'e381a5b3-28ce-40b5-be6a-81aa24dbb9c5';
export const GEMINI_FILE = 'app/chats/session-2026-11-28T08-18-e381a5b3.jsonl';

const START = Date.UTC(2026, 10, 28, 8, 18);
const timeFor = (id: number) => new Date(START + id * 1000).toISOString();

/** The line that begins a log, and each time that it goes on. */
export function geminiHeader(): object {
  const startTime = timeFor(0);
  return { sessionId: GEMINI_SESSION, projectHash: '2a7b', startTime, lastUpdated: startTime, kind: 'main' };
}

/** A message, whose id is a number. */
export function geminiMessage(id: number, type: string, fields: object): object {
  return { id: `g${id}`, timestamp: timeFor(id), type, ...fields };
}

export function geminiPrompt(id: number, text: string): object {
  return geminiMessage(id, 'user', { content: [{ text }] });
}

export function geminiAnswer(id: number, content: string, more: object = {}): object {
  const tokens = { input: 1234, output: 56, cached: 0, thoughts: 4, tool: 0, total: 1294 };
  return geminiMessage(id, 'gemini', { content, thoughts: [], tokens, model: 'gemini-2.5-pro', ...more });
}

/** A call of a tool with what it answered. */
export function geminiCall(
  id: string,
  given: { name: string; args: object; response: object; status?: string },
): object {
  const { name, args, response, status = 'success' } = given;
  return {
    id,
    name,
    args,
    result: [{ functionResponse: { id, name, response } }],
    status,
    timestamp: timeFor(90),
  };
}

export function geminiSet(values: object): object {
  return { $set: values };
}
