/**
 * Whether a namespace is one of those that patterns name; null names all. In a pattern `*` stands for any run of characters, none and `/`
 * among them; everything else stands for itself, letter by letter. Nothing is tried twice, so that no pattern is slow.
 */
export function namespacesOf(patterns: readonly string[] | null): (namespace: string) => boolean {
  if (patterns === null) return () => true;
  const matchers = patterns.map(matcherOf);
  return (namespace) => matchers.some((matches) => matches(namespace));
}

function matcherOf(pattern: string): (text: string) => boolean {
  const [first = '', ...inner] = pattern.split('*');
  const last = inner.pop();
  if (last === undefined) return (text) => text === pattern;
  return (text) => {
    const end = text.length - last.length;
    if (end < first.length || !text.startsWith(first) || !text.endsWith(last)) return false;
    // The leftmost place of each piece leaves the most for those after it: nothing is ever tried twice.
    let at = first.length;
    for (const piece of inner) {
      const found = text.indexOf(piece, at);
      if (found < 0 || found + piece.length > end) return false;
      at = found + piece.length;
    }
    return true;
  };
}
