import type { z } from 'zod';

/** What is said of a field that has to be there and is not. */
export const REQUIRED = 'is required';

const EXPECTED: Readonly<Record<string, string>> = {
  string: 'must be a string',
  number: 'must be a number',
  int: 'must be a whole number',
  boolean: 'must be true or false',
  array: 'must be a list',
  object: 'must be an object',
  record: 'must be an object',
};

const FORMS: Readonly<Record<string, string>> = {
  email: 'is not an e-mail address',
  url: 'is not a URL such as http://127.0.0.1:11434/v1',
};

/**
 * What is wrong with a value, where its schema says nothing of its own: as the end of a sentence that begins with the
 * field's name. For the `error` of a zod parse, whose own words are for programmers.
 */
export function inPlainWords(issue: z.core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? REQUIRED : EXPECTED[issue.expected];
    case 'invalid_value':
      return `must be one of: ${issue.values.map(String).join(', ')}`;
    case 'invalid_format':
      return FORMS[issue.format] ?? 'has another form than it must have';
    case 'too_small':
      return issue.minimum === 1 && issue.origin !== 'number' && issue.origin !== 'int'
        ? 'must not be empty'
        : bounded(issue.origin, 'at least', issue.minimum);
    case 'too_big':
      return bounded(issue.origin, 'at most', issue.maximum);
    case 'invalid_union':
      return issue.errors[0]?.[0]?.message ?? 'is none of what is allowed';
    default:
      return undefined;
  }
}

function bounded(origin: string, how: string, bound: number | bigint): string {
  if (origin === 'string') return `must have ${how} ${bound} characters`;
  if (origin === 'array' || origin === 'set') return `must have ${how} ${bound} items`;
  return `must be ${how} ${bound}`;
}
