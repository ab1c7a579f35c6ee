/**
 * The JSON that a model wrote, with what models write around it: thoughts, a sentence before, a block of code, a comma too
 * many. Undefined where there is none.
 */
export function jsonIn(text: string): unknown {
  const answer = afterThoughts(text);
  for (const candidate of candidates(answer.trim())) {
    const value = read(candidate);
    if (value !== undefined) return value;
  }
  if (answer === text) return undefined;
  // The end of thoughts may stand in a text of the answer; what ends before it is a draft.
  for (const candidate of candidates(text.trim())) {
    const value = candidate.includes(END_OF_THOUGHTS) ? read(candidate) : undefined;
    if (value !== undefined) return value;
  }
  return undefined;
}

function read(candidate: string): unknown {
  return parsed(candidate) ?? parsed(candidate.replace(/,(\s*[}\]])/gu, '$1'));
}

const END_OF_THOUGHTS = '</think>';

/** Some servers leave out where the thoughts begin. */
function afterThoughts(text: string): string {
  const end = text.lastIndexOf(END_OF_THOUGHTS);
  return end < 0 ? text : text.slice(end + END_OF_THOUGHTS.length);
}

function* candidates(text: string): Generator<string> {
  yield text;
  // Between two fences, each of which ends a block and may begin the next one.
  for (const block of text.split('```').slice(1, -1)) yield block.replace(/^json/u, '');
  const from = text.search(/[{[]/u);
  if (from >= 0) yield text.slice(from, endOf(text, from));
}

/** Behind the bracket that closes the one at `from`. */
function endOf(text: string, from: number): number {
  let depth = 0;
  let isText = false;
  for (let at = from; at < text.length; at++) {
    const letter = text[at];
    if (isText) {
      if (letter === '\\') at += 1;
      else if (letter === '"') isText = false;
    } else if (letter === '"') isText = true;
    else if (letter === '{' || letter === '[') depth += 1;
    else if ((letter === '}' || letter === ']') && --depth === 0) return at + 1;
  }
  return text.length;
}

function parsed(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
