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
  const tokens = tokensOf(json);
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

/** A text, of which the end may be cut off; a sign; a number or a word. */
function tokensOf(json: string): string[] {
  return json.match(/"(?:[^"\\]|\\.)*(?:"|$)|[{}[\],:]|[^\s{}[\],:"]+/g) ?? [];
}

/** Whether a value, of which only the beginning may be there, is a JSON object or array. */
export function beginsJson(value: string, isCut: boolean): boolean {
  return (
    isJson(value) || (isCut && /^\s*(?:\[\s*)*(?:\{\s*"(?:[^"\\]|\\.)*"\s*:|\[\s*"[^"]*"\s*,)/.test(value))
  );
}

/** JSON as a line of words: `api.per_minute 900, regions north, west`. Its end may be cut off. */
export function jsonLine(json: string): string {
  const path: (string | undefined)[] = [];
  let [name, last]: (string | undefined)[] = [];
  const said: string[] = [];
  const tokens = tokensOf(json);
  for (const [at, token] of tokens.entries()) {
    if (tokens[at + 1] === ':') name = wordsOf(token);
    else if (token === '{' || token === '[') {
      path.push(name);
      name = undefined;
    } else if (isClose(token)) path.pop();
    else if (token !== ',' && token !== ':') {
      const called = [...path, name].filter((part) => part !== undefined).join('.');
      said.push(called === '' || called === last ? wordsOf(token) : `${called} ${wordsOf(token)}`);
      [name, last] = [undefined, called];
    }
  }
  return said.join(', ');
}

function wordsOf(token: string): string {
  return token
    .replaceAll(/^"|(?<!\\)"$/g, '')
    .replaceAll(/\\[nrt]/g, ' ')
    .replaceAll(/\\(["\\/])/g, '$1');
}

function isClose(token: string | undefined): boolean {
  return token === '}' || token === ']';
}
