/** The words of a text of a user record, and the rest of it. */
export interface Unwrapped {
  /** The words that stand outside of all wrappers, trimmed. */
  words: string;
  /** What stood in wrappers, by their tag, the first of each. */
  wrapped: ReadonlyMap<string, string>;
}

/** Tags that Claude Code and its extensions put around what no person typed. */
const TAGS: ReadonlySet<string> = new Set([
  'bash-input',
  'bash-stderr',
  'bash-stdout',
  'command-args',
  'command-contents',
  'command-message',
  'command-name',
  'ide_diagnostics',
  'ide_opened_file',
  'ide_selection',
  'local-command-caveat',
  'local-command-stderr',
  'local-command-stdout',
  'post-tool-use-hook',
  'session-start-hook',
  'system-reminder',
  'system_reminder',
  'task-notification',
  'teammate-message',
  'user-memory-input',
  'user-prompt-submit-hook',
]);

const OPENING = /^<([a-z_-]{4,40})(?:\s[^<>]{0,400})?>/;

/**
 * Takes wrappers off the start and the end of a text. In the middle they stay: there a person quotes them, or a tool printed them.
 * Costs the length of the text, whatever is in it.
 */
export function unwrap(text: string): Unwrapped {
  const wrapped = new Map<string, string>();
  let words = text.trim();
  for (;;) {
    const opening = OPENING.exec(words.slice(0, 500));
    const tag = opening?.[1];
    if (!opening || tag === undefined || !TAGS.has(tag)) break;
    const closing = `</${tag}>`;
    const end = words.indexOf(closing, opening[0].length);
    if (end === -1) break;
    if (!wrapped.has(tag)) wrapped.set(tag, words.slice(opening[0].length, end).trim());
    words = words.slice(end + closing.length).trimStart();
  }
  return { words: withoutReminders(words), wrapped };
}

const REMINDER = '<system-reminder>';
const REMINDER_END = '</system-reminder>';

/** A text without the reminders to the model at its end. */
export function withoutReminders(text: string): string {
  let words = text.trimEnd();
  while (words.endsWith(REMINDER_END)) {
    const start = words.lastIndexOf(REMINDER);
    if (start === -1) break;
    words = words.slice(0, start).trimEnd();
  }
  return words;
}

// Colours of a terminal begin with this character.
const COLOUR = /\u001b\[[0-9;]*m/g;

/** Returns what a command printed without the colours of its terminal. */
export function withoutColours(text: string): string {
  return text.includes('\u001b') ? text.replaceAll(COLOUR, '') : text;
}
