/** Longer values are shown as they are: to lay them out would hold up the page. */
const LONGEST = 200_000;

/** Whether a value is a JSON object or array, and nothing else. */
export function isJson(value: string): boolean {
  if (value.length > LONGEST || !/^\s*[[{]/.test(value) || !/[\]}]\s*$/.test(value)) return false;
  try {
    JSON.parse(value);
    return true;
  } catch {
    // Whether it parses is what was asked.
    return false;
  }
}

/**
 * JSON with a line for each entry. Its texts and numbers stay as they are written: parsing and printing it
 * again would round numbers of twenty digits, and drop names that stand twice.
 */
export function prettyJson(json: string): string {
  let depth = 0;
  const line = () => `\n${'  '.repeat(Math.min(depth, 40))}`;
  const tokens = json.match(/"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g) ?? [];
  return tokens
    .map((token, at) => {
      const opens = token === '{' || token === '[';
      const closes = token === '}' || token === ']';
      if (opens) {
        depth += 1;
        return isClose(tokens[at + 1]) ? token : token + line();
      }
      if (closes) {
        depth -= 1;
        const before = tokens[at - 1];
        return before === '{' || before === '[' ? token : line() + token;
      }
      if (token === ',') return token + line();
      return token === ':' ? ': ' : token;
    })
    .join('');
}

function isClose(token: string | undefined): boolean {
  return token === '}' || token === ']';
}
