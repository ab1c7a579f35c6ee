import fc from 'fast-check';
import {
  assistantLine,
  CLAUDE_SESSION,
  claudeTime,
  resultLine,
  systemLine,
  userLine,
} from './claude-lines.ts';

type Line = Record<string, unknown>;

/** Words that repeat, begin like each other, or are odd. */
const words = fc.constantFrom(
  'Go on',
  'Go',
  'Go on then',
  'Done.',
  '\u0000',
  'naïve 🙂',
  '<x>',
  'Reading it. Now the rest.',
);

const block = fc.oneof(
  words.map((text) => ({ type: 'text', text })),
  words.map((thinking) => ({ type: 'thinking', thinking, signature: 's' })),
  fc.constant({ type: 'thinking', thinking: '', signature: 's' }),
);

/** A step of a session: the lines of it, for the `n`th step. */
type Step = (n: number) => Line[];

const prompt: fc.Arbitrary<Step> = words.map((text) => (n) => [
  userLine(`p${n}`, text, { timestamp: claudeTime(n) }),
]);

/** A message, a block a line, or with all blocks so far in each line, some of them growing. */
const message: fc.Arbitrary<Step> = fc
  .record({
    blocks: fc.uniqueArray(block, { minLength: 1, maxLength: 4, selector: (one) => JSON.stringify(one) }),
    all: fc.boolean(),
    call: fc.boolean(),
  })
  .map(({ blocks, all, call }) => (n) => {
    // Blocks of one message that begin like each other are told apart by their number alone, which newer versions write.
    const tool = { type: 'tool_use', id: `toolu_${n}`, name: 'Read', input: { file_path: `/a/${n}.ts` } };
    const content = [...blocks, ...(call ? [tool] : [])];
    const at = { id: `msg_${n}`, timestamp: claudeTime(n) };
    const lines = content.map((one, i) =>
      all
        ? assistantLine(`a${n}.${i}`, { ...at, content: content.slice(0, i + 1), output: i })
        : assistantLine(`a${n}.${i}`, { ...at, content: [one], output: i, apiBlockIndex: i }),
    );
    return call
      ? [...lines, resultLine(`r${n}`, { call: `toolu_${n}`, content: 'ok', timestamp: claudeTime(n) })]
      : lines;
  });

const queued: fc.Arbitrary<Step> = fc
  .tuple(words, fc.boolean())
  .map(([text, comes]) => (n) => [
    { type: 'queue-operation', operation: 'enqueue', timestamp: claudeTime(n), content: `${text} ${n}` },
    ...(comes ? [userLine(`q${n}`, `${text} ${n}`, { timestamp: claudeTime(n) })] : []),
  ]);

const rest: fc.Arbitrary<Step> = fc.oneof(
  words.map((aiTitle): Step => () => [{ type: 'ai-title', aiTitle, sessionId: CLAUDE_SESSION }]),
  words.map((text): Step => (n) => [
    systemLine(`s${n}`, { subtype: 'compact_boundary', content: text, timestamp: claudeTime(n) }),
  ]),
  words.map((x): Step => (n) => [{ type: 'hologram', uuid: `h${n}`, x, timestamp: claudeTime(n) }]),
  fc.constant<Step>((n) => [{ type: 'file-history-snapshot', messageId: `f${n}`, snapshot: {} }]),
  words.map((text): Step => (n) => [
    userLine(`c${n}`, text, { isSidechain: true, agentId: 'inline', timestamp: claudeTime(n) }),
  ]),
);

/** The lines of a session of Claude Code. */
export const claudeSession: fc.Arbitrary<Line[]> = fc
  .array(fc.oneof(prompt, message, queued, rest), { minLength: 1, maxLength: 12 })
  .map((steps) => steps.flatMap((step, n) => step(n + 1)));
