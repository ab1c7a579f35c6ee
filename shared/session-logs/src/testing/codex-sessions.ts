import fc from 'fast-check';
import {
  CODEX_START,
  type CodexLine,
  contextLine,
  eventLine,
  itemLine,
  legacyAnswer,
  legacyCommand,
  legacyPrompt,
  metaLine,
  scriptLines,
} from './codex-lines.ts';

const words = fc.constantFrom('Go on', 'Go', 'Done.', '\u0000', 'naïve 🙂', 'x');

/** What happens within a turn: the lines of it at a second. */
type Step = (second: number) => CodexLine[];

const step: fc.Arbitrary<Step> = fc.oneof(
  words.map(
    (text): Step =>
      (second) =>
        legacyAnswer(text, second),
  ),
  fc
    .array(words, { minLength: 1, maxLength: 3 })
    .map((parts): Step => (second) => [
      ...parts.map((text) => eventLine('agent_reasoning', { text }, second)),
      itemLine('reasoning', { summary: parts.map((text) => ({ type: 'summary_text', text })) }, second),
    ]),
  fc.tuple(words, fc.integer({ min: 0, max: 2 })).map(
    ([output, exit]): Step =>
      (second) =>
        legacyCommand(`call_${second}`, { command: 'ls', output, exit }, second),
  ),
  words.map((x): Step => (second) => [eventLine('hologram', { x }, second)]),
  fc.tuple(words, fc.integer({ min: 0, max: 2 }), fc.boolean()).map(
    ([output, actions, fails]): Step =>
      (second) =>
        scriptLines(
          `call_${second}`,
          {
            script: 'for (const cmd of cmds) await tools.exec_command({ cmd })',
            did: Array.from({ length: actions }, (_, n) => {
              const command = { command: ['bash', '-lc', 'ls'], aggregated_output: output, exit_code: 0 };
              return eventLine('exec_command_end', { call_id: `exec-${second}-${n}`, ...command }, second);
            }),
            output: fails ? 'Script failed' : 'Script completed',
          },
          second,
        ),
  ),
);

/** A UUID of version 7 that was made so many seconds after the session began. */
export function turnIdAt(second: number): string {
  const hex = (CODEX_START + second * 1000).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7abc-8def-0123456789ab`;
}

const turn = fc.record({
  prompt: words,
  steps: fc.array(step, { maxLength: 4 }),
  /** How many turns are taken back after it. */
  back: fc.constantFrom(0, 0, 0, 1, 2),
  /** Whether the agent wrote down where the turn begins. */
  told: fc.boolean(),
});

/** The lines of a session of Codex in the mode `legacy`. */
export const codexSession: fc.Arbitrary<CodexLine[]> = fc
  .array(turn, { minLength: 1, maxLength: 6 })
  .map((turns) => {
    let second = 0;
    const lines = turns.flatMap(({ prompt, steps, back, told }) => {
      const id = turnIdAt(++second);
      return [
        ...(told ? [eventLine('task_started', { turn_id: id }, second), contextLine(id, {}, second)] : []),
        ...legacyPrompt(prompt, second),
        ...steps.flatMap((one) => one(++second)),
        ...(told ? [eventLine('task_complete', { turn_id: id }, second)] : []),
        ...(back > 0 ? [eventLine('thread_rolled_back', { num_turns: back }, second)] : []),
      ];
    });
    return [metaLine(), ...lines];
  });
