import { hash } from 'node:crypto';
import { SECONDS_BELOW } from '@reverie/shared/time/timestamp';

/** An object of a log. Nothing is known of its members: what a newer program writes has any shape. */
export type LogObject = Readonly<Record<string, unknown>>;

/** Whether it is an object with names, not a list. */
export function isLogObject(value: unknown): value is LogObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A line as an object; undefined where it is no JSON or another kind of value. */
export function parseObject(line: string): LogObject | undefined {
  const value = parseJson(line);
  return isLogObject(value) ? value : undefined;
}

/** JSON that may not be any: undefined then. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (failure) {
    if (failure instanceof SyntaxError) return undefined;
    throw failure;
  }
}

/** A member that is a text with something in it. */
export function textIn(object: LogObject | undefined, name: string): string | undefined {
  const value = object?.[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** A member that is a number of something: whole, at least 0. */
export function countIn(object: LogObject | undefined, name: string): number | undefined {
  const value = object?.[name];
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}

/** A member that is an object. */
export function objectIn(object: LogObject | undefined, name: string): LogObject | undefined {
  const value = object?.[name];
  return isLogObject(value) ? value : undefined;
}

/** A member that is a list, else an empty one. */
export function listIn(object: LogObject | undefined, name: string): readonly unknown[] {
  const value: unknown = object?.[name];
  return Array.isArray(value) ? value : [];
}

const LATEST = 8.64e15;
const DATE = /^\d{4}-\d\d-\d\d[T ]\d\d:/;

/** Ms since 1970 of a date as text, or as ms or s since 1970, rounded; undefined where it is none, or before 1970, when there was no agent. */
export function timeOf(value: unknown): number | undefined {
  if (typeof value === 'string') {
    // `Date.parse` makes a date of much that is none, such as `7`.
    const time = DATE.test(value) ? Date.parse(value) : Number.NaN;
    return Number.isNaN(time) || time < 0 ? undefined : time;
  }
  if (typeof value !== 'number' || !(value > 0)) return undefined;
  const time = Math.round(value < SECONDS_BELOW ? value * 1000 : value);
  return time <= LATEST ? time : undefined;
}

/** 16 characters for a text: names it within a session where its agent gave it no name. */
export function shortHash(text: string): string {
  return hash('sha256', text).slice(0, 16);
}

const LONGEST_NAME = 200;
const UNFIT = /[\u0000-\u0020\u007f-\u009f]|\p{Surrogate}/u;

/** A name that an agent gave: as it is where it looks like one, else its hash, so that hostile ones stay short. */
export function nameOf(text: string): string {
  return text.length <= LONGEST_NAME && !UNFIT.test(text) ? text : `~${shortHash(text)}`;
}

/** Whether a value goes deeper than `JSON.stringify` can: 500 levels, by a walk that does not recurse. */
export function isTooDeep(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > 500) return true;
    const next: unknown[] = [];
    for (const outer of level) {
      if (typeof outer !== 'object' || outer === null) continue;
      for (const inner of Object.values(outer)) {
        if (typeof inner === 'object' && inner !== null) next.push(inner);
      }
    }
    level = next;
  }
  return false;
}
