import { messageOf } from '../reader.ts';
import { decodeText } from '../files/text-file.ts';

/** The value that a piece of JSON holds, or why it holds none. */
export function parseJson(json: Buffer): { value: unknown; problem?: undefined } | { problem: string } {
  const decoded = decodeText(json, true);
  if (decoded.problem) return { problem: decoded.problem.detail };
  try {
    return { value: JSON.parse(decoded.text.replace(/^\uFEFF/, '')) as unknown };
  } catch (error) {
    return { problem: `is not valid JSON: ${messageOf(error)}` };
  }
}
