/** A fenced piece of a page. */
export interface Block {
  language: string;
  /** Of its first line of text, in the page. */
  line: number;
  text: string;
}

/** One command of a piece: its words, as a shell would hand them over. */
export interface Statement {
  line: number;
  words: string[];
  /** What is between it and the command before it. */
  after: '' | '&&' | '||' | '|';
  /** As it is written, without its comment. */
  written: string;
}

/** The fenced pieces of a page, in order. */
export function blocksOf(page: string): Block[] {
  return [...page.matchAll(/^```(\w+)\n(.*?)^```$/gms)].map((found) => ({
    language: found[1] ?? '',
    line: page.slice(0, found.index).split('\n').length + 1,
    text: found[2] ?? '',
  }));
}

/** The commands that are named within sentences and tables. */
export function mentionsOf(page: string): string[] {
  const prose = page.replaceAll(/^```.*?^```$/gms, '');
  return [...prose.matchAll(/`([^`\n]+)`/g)].flatMap(([, code = '']) =>
    /^(?:npx )?reverie |^npm /.test(code) ? [code] : [],
  );
}

/**
 * Takes a piece apart as a shell does, as far as these pages go: quotation marks, comments, `&&`, `||`, `|`, and lines that go on behind a
 * backslash. `~` is the home of the user. Throws at what it does not know, so that nothing is run as something else.
 */
export function statementsOf(block: Block, home: string): Statement[] {
  const statements: Statement[] = [];
  for (const [index, text] of block.text.split('\n').entries()) {
    const line = block.line + index;
    let words: string[] = [];
    let word: string | undefined;
    let after: Statement['after'] = '';
    let begun = 0;
    const endWord = () => {
      if (word !== undefined) words.push(word);
      word = undefined;
    };
    const endStatement = (at: number, next: Statement['after']) => {
      endWord();
      if (words.length > 0) statements.push({ line, words, after, written: text.slice(begun, at).trim() });
      words = [];
      after = next;
    };
    let at = 0;
    for (; at < text.length; at += 1) {
      const sign = text.charAt(at);
      if (sign === ' ') endWord();
      else if (sign === '#' && word === undefined) break;
      else if (sign === "'" || sign === '"') {
        const end = text.indexOf(sign, at + 1);
        if (end < 0) throw new Error(`line ${line}: the quotation does not end: ${text}`);
        const inside = text.slice(at + 1, end);
        if (sign === '"' && /[$`\\]/.test(inside))
          throw new Error(`line ${line}: too much for this shell: ${text}`);
        word = (word ?? '') + inside;
        at = end;
      } else if (sign === '&' || sign === '|') {
        const isDouble = text.charAt(at + 1) === sign;
        if (sign === '&' && !isDouble) throw new Error(`line ${line}: too much for this shell: ${text}`);
        endStatement(at, isDouble ? (sign === '&' ? '&&' : '||') : '|');
        if (isDouble) at += 1;
        begun = at + 1;
      } else if (/[$`\\<>;()*{}]/.test(sign))
        throw new Error(`line ${line}: too much for this shell: ${text}`);
      else if (sign === '~' && word === undefined) word = home;
      else word = (word ?? '') + sign;
    }
    endStatement(at, '');
  }
  return statements;
}

/** Whether a piece is for a shell as a whole: it has variables, or input of its own. */
export function needsShell({ text }: Block): boolean {
  return /^\s*curl |\$\(|<</m.test(text);
}
