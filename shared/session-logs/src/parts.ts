import { isLogObject, type LogObject, objectIn, textIn } from './json.ts';
import { binaryMark, jsonText } from './words.ts';

/** The parts of content in the form of Gemini's API: a text, a part, or a list of them. */
export function partsOf(content: unknown): readonly LogObject[] {
  const parts: readonly unknown[] = Array.isArray(content) ? content : [content];
  return parts.flatMap((part) =>
    typeof part === 'string' ? [{ text: part }] : isLogObject(part) ? [part] : [],
  );
}

/** The words of one part; undefined where it is a call, its result, or says nothing. */
export function partText(part: LogObject): string | undefined {
  const inline = objectIn(part, 'inlineData');
  const data = textIn(inline, 'data');
  if (data !== undefined) return binaryMark(textIn(inline, 'mimeType') ?? 'binary', data);
  const file = textIn(objectIn(part, 'fileData'), 'fileUri');
  return file === undefined ? textIn(part, 'text') : `[${file.slice(0, 2000)}]`;
}

/** The words of content, each part on lines of its own. */
export function wordsOf(content: unknown): string {
  return partsOf(content)
    .flatMap((part) => partText(part) ?? [])
    .join('\n');
}

/** Returns what a tool answered, as its part says it: its output, or why it failed. */
export function responseText(response: unknown): { text: string; failed: boolean } {
  if (!isLogObject(response)) return { text: typeof response === 'string' ? response : '', failed: false };
  const error = textIn(response, 'error');
  return { text: error ?? textIn(response, 'output') ?? jsonText(response), failed: error !== undefined };
}

/** Within these words a model of Gemini's family sums up a conversation. */
const SNAPSHOT = /<state_snapshot>([\s\S]*)<\/state_snapshot>/;

/** Returns what a text sums up; undefined where it is no summary. */
export function snapshotIn(text: string): string | undefined {
  return SNAPSHOT.exec(text)?.[1]?.trim();
}
