import {
  addMessage,
  type Conversation,
  type Json,
  type ModelCall,
  type ModelProtocol,
  objectsIn,
  type OfferedTool,
  sendEvents,
  sendJson,
  USAGE,
  wordsIn,
} from './protocol.ts';

/** OpenAI's Responses, as Codex and Copilot speak it. */
export const responses: ModelProtocol = {
  matches: /\/responses(?:\?|$)/u,
  read(body) {
    const messages: Conversation['messages'] = [];
    const input =
      typeof body['input'] === 'string'
        ? [{ role: 'user', content: body['input'] }]
        : objectsIn(body['input']);
    const tools = objectsIn(body['tools']);
    for (const item of input) {
      const type = typeof item['type'] === 'string' ? item['type'] : 'message';
      // Tools that Codex adds on the way.
      if (type === 'additional_tools') tools.push(...objectsIn(item['tools']));
      else if (type.endsWith('_output'))
        addMessage(messages, { role: 'tool', text: wordsIn(item['output']) });
      else if (type.endsWith('_call')) addMessage(messages, { role: 'assistant', text: '' });
      else if (type === 'message')
        addMessage(messages, {
          role: item['role'] === 'assistant' ? 'assistant' : 'user',
          text: wordsIn(item['content']),
        });
    }
    return { system: wordsIn(body['instructions']), messages, tools: tools.flatMap((tool) => toolsOf(tool)) };
  },
  send({ response, turn, number, isStream }) {
    const items = [
      ...(turn.text === '' ? [] : [messageItem(`msg_${number}`, turn.text)]),
      ...turn.calls.map((call, at) => callItem(call, `${number}_${at}`)),
    ];
    const usage = {
      input_tokens: USAGE.input,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens: USAGE.output,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: USAGE.input + USAGE.output,
    };
    const id = `resp_${number}`;
    const whole = { id, object: 'response', status: 'completed', model: 'fake-model', output: items, usage };
    if (!isStream) return sendJson(response, whole);
    const event = (type: string, more: object) => [type, { type, ...more }] as const;
    sendEvents(response, [
      event('response.created', { response: { ...whole, status: 'in_progress', output: [], usage: null } }),
      ...items.flatMap((item, output_index) => [
        event('response.output_item.added', { output_index, item: begun(item) }),
        ...deltasOf(item).map(([type, more]) => event(type, { item_id: item['id'], output_index, ...more })),
        event('response.output_item.done', { output_index, item }),
      ]),
      event('response.completed', { response: whole }),
    ]);
  },
};

function toolsOf(tool: Json, namespace?: string): OfferedTool[] {
  const inner = tool['tools'];
  if (Array.isArray(inner)) return objectsIn(inner).flatMap((one) => toolsOf(one, String(tool['name'])));
  const name = String(tool['name'] ?? tool['type']);
  return [{ name, ...(namespace !== undefined && { namespace }) }];
}

function messageItem(id: string, text: string): Json {
  const content = [{ type: 'output_text', text, annotations: [] }];
  return { type: 'message', id, role: 'assistant', status: 'completed', content };
}

function callItem({ name, namespace, input }: ModelCall, id: string): Json {
  const about = {
    call_id: `call_${id}`,
    name,
    ...(namespace !== undefined && { namespace }),
    status: 'completed',
  };
  return typeof input === 'string'
    ? { type: 'custom_tool_call', id: `ctc_${id}`, ...about, input }
    : { type: 'function_call', id: `fc_${id}`, ...about, arguments: JSON.stringify(input) };
}

/** An item as it begins: nothing of it was said yet. */
function begun(item: Json): Json {
  return {
    ...item,
    ...('content' in item && { content: [] }),
    ...('arguments' in item && { arguments: '' }),
  };
}

function deltasOf(item: Json): [string, object][] {
  if (item['type'] === 'message')
    return [['response.output_text.delta', { content_index: 0, delta: wordsIn(item['content']) }]];
  if (item['type'] === 'function_call')
    return [['response.function_call_arguments.delta', { delta: item['arguments'] }]];
  return [];
}
