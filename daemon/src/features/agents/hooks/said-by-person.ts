import { PRIVATE_TEXT } from '@reverie/redact/kinds/private-text';

/** What agents and editors add to a prompt, and code: none of it is said by the person. */
const ADDED =
  /```[\s\S]*?(?:```|$)|<(system-reminder|command-[a-z]+|local-command-[a-z]+|ide_[a-z_]+|attached_files|context|hook_context)\b[^<>]*>[\s\S]*?(?:<\/\1>|$)/giu;

/** The quotes that `opencode run` puts around a prompt of several words, with a backslash before each quote in it. */
const IN_QUOTES = /^\s*"((?:[^"\\]|\\.)*)"\s*$/su;

/** What a person said in a prompt, without what is private. */
export function saidByPerson(prompt: string): string {
  const [, quoted] = IN_QUOTES.exec(prompt) ?? [];
  const typed = quoted === undefined ? prompt : quoted.replaceAll(String.raw`\"`, '"');
  return typed.replace(PRIVATE_TEXT, '\n').replace(ADDED, '\n');
}
