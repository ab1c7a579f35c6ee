import { decodeText } from '../files/text-file.ts';
import { messageOf, type SkipReason } from '../reader.ts';

/** The value that a piece of JSON holds, or why it holds none. */
type Parsed = { value: unknown; problem?: undefined } | { problem: string; reason: SkipReason };

/** Parses a piece of JSON in UTF-8, behind a byte order mark too. */
export function parseJson(json: Buffer): Parsed {
  const decoded = decodeText(json, true);
  if (decoded.problem) return { problem: decoded.problem.detail, reason: decoded.problem.reason };
  try {
    return { value: JSON.parse(decoded.text.replace(/^\uFEFF/, '')) as unknown };
  } catch (error) {
    return { problem: `is not valid JSON: ${messageOf(error)}`, reason: 'malformed' };
  }
}
