import { isLogObject, type LogObject, textIn } from './json.ts';

/** How types begin that name who speaks, where a record has no role. */
const SPEAKER = /^(?:user|human|assistant|agent|model)/i;

/** Roles of the program itself. */
const PROGRAM = /^(?:system|developer)$/i;

/** How far below the top of a record it may be that somebody speaks. */
const DEEPEST = 3;

/**
 * Tells whether somebody speaks in a record of a kind that this version does not know: a role, or a type that names who speaks, and words. All
 * else is what a program keeps for itself; each new version of an agent has more of that, and as entries it would bury what was said.
 * What stands in lists is not looked at: a request to a model repeats a whole conversation in one.
 */
export function isSaid(record: LogObject, isSpeaking = false, depth = 0): boolean {
  const role = textIn(record, 'role');
  const speaks =
    role === undefined ? isSpeaking || SPEAKER.test(textIn(record, 'type') ?? '') : !PROGRAM.test(role);
  if (speaks && ['content', 'text', 'message'].some((name) => hasWords(record[name]))) return true;
  if (depth === DEEPEST) return false;
  return Object.values(record).some((inner) => isLogObject(inner) && isSaid(inner, speaks, depth + 1));
}

function hasWords(value: unknown): boolean {
  return typeof value === 'string' ? value.trim() !== '' : Array.isArray(value) && value.length > 0;
}
