import {
  addMessage,
  type Conversation,
  type ModelProtocol,
  objectsIn,
  sendEvents,
  sendJson,
  USAGE,
  wordsIn,
} from './protocol.ts';

/** Anthropic's Messages, as Claude Code speaks it. */
export const messages: ModelProtocol = {
  matches: /\/messages(?:\?|$)/u,
  read(body) {
    const list: Conversation['messages'] = [];
    for (const { role, content } of objectsIn(body['messages'])) {
      const results = objectsIn(content).filter(({ type }) => type === 'tool_result');
      // Beside a result an agent may put reminders of its own.
      if (results.length > 0) addMessage(list, { role: 'tool', text: wordsIn(results) });
      else addMessage(list, { role: role as 'user' | 'assistant', text: wordsIn(content) });
    }
    const tools = objectsIn(body['tools']).map((tool) => ({ name: String(tool['name'] ?? tool['type']) }));
    return { system: wordsIn(body['system']), messages: list, tools };
  },
  send({ response, turn, number, isStream }) {
    const content = [
      ...(turn.text === '' ? [] : [{ type: 'text', text: turn.text }]),
      ...turn.calls.map(({ name, input }, at) => ({
        type: 'tool_use',
        id: `toolu_${number}_${at}`,
        name,
        input,
      })),
    ];
    const usage = {
      input_tokens: USAGE.input,
      output_tokens: USAGE.output,
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: 0,
    };
    const stop_reason = turn.calls.length > 0 ? 'tool_use' : 'end_turn';
    const id = `msg_${number}`;
    const message = { id, type: 'message', role: 'assistant', model: 'fake-model', content, stop_reason };
    if (!isStream) return sendJson(response, { ...message, stop_sequence: null, usage });
    const event = (type: string, more: object) => [type, { type, ...more }] as const;
    sendEvents(response, [
      event('message_start', {
        message: { ...message, content: [], stop_reason: null, stop_sequence: null, usage },
      }),
      ...content.flatMap((block, index) => [
        event('content_block_start', {
          index,
          content_block: 'text' in block ? { ...block, text: '' } : { ...block, input: {} },
        }),
        event('content_block_delta', {
          index,
          delta:
            'text' in block
              ? { type: 'text_delta', text: block.text }
              : { type: 'input_json_delta', partial_json: JSON.stringify(block.input) },
        }),
        event('content_block_stop', { index }),
      ]),
      event('message_delta', {
        delta: { stop_reason, stop_sequence: null },
        usage: { output_tokens: USAGE.output },
      }),
      event('message_stop', {}),
    ]);
  },
};
