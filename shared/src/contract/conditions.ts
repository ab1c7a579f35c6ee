import { Problem } from './problems.ts';
import { daysOf } from './days.ts';

/** How a condition compares the values of a property with its own; `has` compares nothing. */
export type Comparison = 'has' | '=' | '!=' | '<' | '<=' | '>' | '>=';

/** A condition on the properties of a memory: `status=open`, `due<2026-12-01`, `rooms>=3`, `owner`. */
export interface Condition {
  /** The property, as it was given. */
  readonly name: string;
  readonly comparison: Comparison;
  /** What its values are compared with, as it was given; empty where it is only asked whether the property is there. */
  readonly value: string;
}

/** Characters of the name of a property, and of a value that it is compared with. */
export const conditionLimits = { name: 100, value: 300, most: 16 } as const;

/** An example of each form of a condition, for people. */
export const CONDITIONS = 'status=open, status!=done, owner, due<2026-12-01, due<=2026-12, rooms>3, rooms>=3';

const FORM = /^([^=<>]*?)(?:(!=|<=|>=|=|<|>)(.*))?$/su;
const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)$/u;
const DAY = /^\d{4}(?:-\d\d){0,2}$/u;

/** The number that a text writes; undefined where it writes none. */
export function numberIn(text: string): number | undefined {
  return NUMBER.test(text) && text.length <= 32 ? Number(text) : undefined;
}

/** When the year, the month or the day that a text writes begins, and when the next one does, in ms since 1970; undefined where it writes none. */
export function dayIn(text: string): { from: number; to: number } | undefined {
  return DAY.test(text) ? daysOf(text) : undefined;
}

/** Reads a condition; why it is none in place of one that cannot be read. */
export function readCondition(text: string): Condition | { readonly problem: string } {
  const [, before = '', comparison = 'has', after = ''] = FORM.exec(text) ?? [];
  const [name, value] = [before.trim(), after.trim()];
  if (name === '' || name.length > conditionLimits.name)
    return {
      problem: `names no property, or one of ${name.length} characters; allowed: a name of 1 to ${conditionLimits.name} characters, as in ${CONDITIONS}`,
    };
  if (value.length > conditionLimits.value)
    return {
      problem: `compares ${JSON.stringify(name)} with ${value.length} characters; allowed: at most ${conditionLimits.value}`,
    };
  if (/^[<>]/u.test(comparison) && numberIn(value) === undefined && dayIn(value) === undefined)
    return {
      problem: `compares ${JSON.stringify(name)} by ${comparison} with ${JSON.stringify(value)}, which is neither a number nor a day of the calendar; allowed: a number such as 3 or 1.5, or a year, a month or a day such as 2026, 2026-12 or 2026-12-01`,
    };
  return { name, comparison: comparison as Comparison, value };
}

/** Reads conditions as a request gives them in `where`. Throws `invalid_request`, which names the one that is none. */
export function readConditions(where: readonly string[] = []): Condition[] {
  if (where.length > conditionLimits.most) {
    const message = `has ${where.length} conditions; allowed: at most ${conditionLimits.most}`;
    throw new Problem('invalid_request', `where ${message}`, { errors: [{ path: 'where', message }] });
  }
  return where.map((text, at) => {
    const condition = readCondition(text);
    if (!('problem' in condition)) return condition;
    const path = `where.${at}`;
    throw new Problem('invalid_request', `${path} ${condition.problem}`, {
      errors: [{ path, message: condition.problem }],
    });
  });
}
