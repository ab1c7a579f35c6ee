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

/** Gemini's generateContent. */
export const gemini: ModelProtocol = {
  matches: /:(?:streamG|g)enerateContent/u,
  read(body) {
    const messages: Conversation['messages'] = [];
    for (const { role, parts } of objectsIn(body['contents'])) {
      const results = objectsIn(parts).filter((part) => 'functionResponse' in part);
      if (results.length > 0) addMessage(messages, { role: 'tool', text: JSON.stringify(results) });
      else addMessage(messages, { role: role === 'model' ? 'assistant' : 'user', text: wordsIn(parts) });
    }
    const tools = objectsIn(body['tools'])
      .flatMap((tool) => objectsIn(tool['functionDeclarations']))
      .map(({ name }) => ({ name: String(name) }));
    const system = body['systemInstruction'] as Json | undefined;
    return { system: wordsIn(system?.['parts']), messages, tools };
  },
  send({ response, turn, number, isStream }) {
    const parts = [
      ...(turn.text === '' ? [] : [{ text: turn.text }]),
      ...turn.calls.map(({ name, input }, at) => ({
        functionCall: { id: `fc_${number}_${at}`, name, args: input },
      })),
    ];
    const reply = {
      candidates: [{ content: { role: 'model', parts }, finishReason: 'STOP', index: 0 }],
      usageMetadata: {
        promptTokenCount: USAGE.input,
        candidatesTokenCount: USAGE.output,
        totalTokenCount: USAGE.input + USAGE.output,
      },
    };
    if (isStream) sendEvents(response, [[undefined, reply]]);
    else sendJson(response, reply);
  },
};
