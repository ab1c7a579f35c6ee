import {
  addMessage,
  type Conversation,
  type Json,
  type ModelProtocol,
  objectsIn,
  sendEvents,
  sendJson,
  USAGE,
  wordsIn,
} from './protocol.ts';

/** OpenAI's Chat Completions, as opencode, Copilot and Qwen Code speak it. */
export const chat: ModelProtocol = {
  matches: /\/chat\/completions/u,
  read(body) {
    const messages: Conversation['messages'] = [];
    let system = '';
    for (const { role, content } of objectsIn(body['messages'])) {
      const text = wordsIn(content);
      if (role === 'system' || role === 'developer') system += `${text}\n`;
      else addMessage(messages, { role: role as 'user' | 'assistant' | 'tool', text });
    }
    const tools = objectsIn(body['tools']).map((tool) => {
      const about = (tool['function'] ?? tool['custom']) as Json | undefined;
      return { name: String(about?.['name'] ?? tool['type']) };
    });
    return { system, messages, tools };
  },
  send({ response, turn, number, isStream }) {
    const usage = {
      prompt_tokens: USAGE.input,
      completion_tokens: USAGE.output,
      total_tokens: USAGE.input + USAGE.output,
    };
    const calls = turn.calls.map(({ name, input }, index) => ({
      index,
      id: `call_${number}_${index}`,
      ...(typeof input === 'string'
        ? { type: 'custom', custom: { name, input } }
        : { type: 'function', function: { name, arguments: JSON.stringify(input) } }),
    }));
    const message = {
      role: 'assistant',
      content: turn.text,
      ...(calls.length > 0 && { tool_calls: calls }),
    };
    const finish_reason = calls.length > 0 ? 'tool_calls' : 'stop';
    const about = { id: `chatcmpl-${number}`, created: Math.floor(Date.now() / 1000), model: 'fake-model' };
    if (!isStream) {
      const choices = [{ index: 0, message, finish_reason }];
      return sendJson(response, { ...about, object: 'chat.completion', choices, usage });
    }
    const chunk = (delta: object, reason: string | null) => ({
      ...about,
      object: 'chat.completion.chunk',
      choices: [{ index: 0, delta, finish_reason: reason }],
    });
    sendEvents(response, [
      [undefined, chunk(message, null)],
      [undefined, chunk({}, finish_reason)],
      [undefined, { ...about, object: 'chat.completion.chunk', choices: [], usage }],
      [undefined, '[DONE]'],
    ]);
  },
};
