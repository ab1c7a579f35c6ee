import type { JsonObject } from '@reverie/shared/contract/fields';
import type { z } from 'zod';

/** The object that a column holds as JSON; throws where it holds none. Nothing of it is changed or left out. */
export function objectIn(column: string): JsonObject {
  const value: unknown = JSON.parse(column);
  if (!isObject(value)) throw new Error('a column that should hold a JSON object holds something else');
  return value;
}

/** What a column holds as JSON, by a schema; throws where it holds something else. */
export function valueIn<T extends z.ZodType>(schema: T, column: string): z.output<T> {
  return schema.parse(JSON.parse(column));
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
