import fc from 'fast-check';
import { geminiAnswer, geminiCall, geminiHeader, geminiPrompt, geminiSet } from './gemini-lines.ts';
import { piHeader, piLine, piMessage } from './pi-lines.ts';
import { qwenAnswer, qwenPrompt, qwenResult, qwenSystem } from './qwen-lines.ts';

/** What happens in a session, in no agent's form. */
type Step =
  | { kind: 'prompt'; text: string }
  | { kind: 'answer'; text: string }
  | { kind: 'summary'; text: string }
  | { kind: 'call'; text: string; failed: boolean }
  /** All from an earlier step on is taken back. */
  | { kind: 'rewind'; to: number };

const words = fc.constantFrom('Go on', 'Go', 'Done.', '\u0000', 'naïve 🙂', '<x>', '{"type":"user"}');
const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    fc.record({ kind: fc.constantFrom('prompt', 'answer', 'summary'), text: words }),
    fc.record({ kind: fc.constant('call' as const), text: words, failed: fc.boolean() }),
    fc.record({ kind: fc.constant('rewind' as const), to: fc.nat({ max: 8 }) }),
  ),
  { minLength: 1, maxLength: 8 },
);

/** The lines of each step; ids are numbers from 1 on, two a step. */
const linesOf = (made: readonly Step[], of: (step: Step, id: number) => object[]) =>
  made.flatMap((step, n) => of(step, 2 * n + 1));

export const geminiSession = steps.map((made) => [
  geminiHeader(),
  ...linesOf(made, (step, id) => {
    if (step.kind === 'prompt') return [geminiPrompt(id, step.text)];
    if (step.kind === 'answer') return [geminiAnswer(id, step.text)];
    if (step.kind === 'summary')
      return [geminiSet({ messages: [geminiPrompt(id, `<state_snapshot>${step.text}</state_snapshot>`)] })];
    if (step.kind === 'rewind') return [{ $rewindTo: `g${2 * step.to + 1}` }];
    const status = step.failed ? 'error' : 'success';
    const call = { name: 'ls', args: { path: step.text }, response: { output: step.text }, status };
    return [geminiAnswer(id, ''), geminiAnswer(id, '', { toolCalls: [geminiCall(`fc_${id}`, call)] })];
  }),
]);

export const qwenSession = steps.map((made) =>
  linesOf(made, (step, id) => {
    if (step.kind === 'prompt') return [qwenPrompt(id, step.text)];
    if (step.kind === 'answer') return [qwenAnswer(id, [{ text: step.text }])];
    if (step.kind === 'summary')
      return [
        qwenSystem(id, 'chat_compression', {
          compressedHistory: [{ role: 'user', parts: [{ text: step.text }] }],
        }),
      ];
    if (step.kind === 'rewind') return [{ ...qwenSystem(id, 'rewind'), parentUuid: `q${2 * step.to + 1}` }];
    const call = `call_${id}`;
    return [
      qwenAnswer(id, [{ functionCall: { id: call, name: 'ls', args: { path: step.text } } }]),
      qwenResult(id + 1, {
        id: call,
        response: { output: step.text },
        status: step.failed ? 'error' : 'success',
      }),
    ];
  }),
);

export const piSession = steps.map((made) => [
  piHeader(),
  ...linesOf(made, (step, number) => {
    const id = String(number);
    if (step.kind === 'prompt') return [piMessage(id, { role: 'user', content: step.text })];
    if (step.kind === 'answer')
      return [piMessage(id, { role: 'assistant', content: [{ type: 'text', text: step.text }] })];
    if (step.kind === 'summary') return [piLine(id, 'compaction', { summary: step.text })];
    if (step.kind === 'rewind')
      return [piLine(id, 'branch_summary', { summary: '', fromId: String(step.to) })];
    const call = { type: 'toolCall', id: `call_${id}`, name: 'ls', arguments: { path: step.text } };
    return [
      piMessage(id, { role: 'assistant', content: [call] }),
      piMessage(String(number + 1), {
        role: 'toolResult',
        toolCallId: call.id,
        toolName: 'ls',
        content: [{ type: 'text', text: step.text }],
        isError: step.failed,
      }),
    ];
  }),
]);
