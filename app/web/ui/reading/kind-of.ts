import { bodyAt } from './front-matter.ts';
import { isJson } from './json-text.ts';

/** How a value is read: as Markdown, as JSON, as lines of code or of a log, or as plain text with its line breaks. */
export type Kind = 'markdown' | 'json' | 'code' | 'text';

/** Characters of a value that are looked at. */
const LOOKED_AT = 20_000;

/** What only Markdown has; each is looked for within a line, or at most two. */
const SIGNS: readonly RegExp[] = [
  /^ {0,3}#{1,6}[ \t]+\S/m,
  /^ {0,3}(?:[-*+]|\d{1,9}[.)])[ \t]+\S/m,
  /^\t+[-*+][ \t]+\S/m,
  /\$\$[^$]+\$\$/,
  /^[\p{L}][\p{L}\p{N}_-]*:: \S/mu,
  /^ {0,3}(?:`{3}|~{3})/m,
  /^ {0,3}>[ \t]?\S/m,
  /^[ \t]*\|?[ \t]*:?-+:?[ \t]*\|/m,
  /^\S[^\n]*\n(?:={3,}|-{3,})[ \t]*$/m,
  /\[[^[\]\n]+\]\([^)\s]/,
  /\[\[[^[\]\n]+\]\]/,
  /(?<![\w*])\*\*?[^\s*][^*\n]*\*/,
  /(?<![\w~])~~\S/,
  /(?<!`)`[^`\n]+`/,
  /\bhttps?:\/\/\S/,
];

const CODE_LINES: readonly RegExp[] = [
  /[;{}]\s*$/,
  /^\s*[})\]]+[;,]?\s*$/,
  /^\s*(?:import|from|export|const|let|var|def|class|function|fn|pub|func|return|if|for|while|elif|else|SELECT|INSERT|UPDATE|CREATE)\b.*[(){}=;:<>]/,
  /^\s{2,}[\w.$@]+.*[(){}=;]/,
  /^[\w.$-]+ ?:?= ?\S/,
  /^(?:#!|\/\/|diff --git|@@ )/,
  /^\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d/,
  /^\[?\d\d:\d\d:\d\d/,
  /^\S*\s*\[?(?:ERROR|WARN|WARNING|INFO|DEBUG|TRACE)\b/,
];

/** How a value is best shown, judged by its content, since nothing declares it. */
export function kindOf(value: string): Kind {
  if (isJson(value)) return 'json';
  const looked = value.slice(0, LOOKED_AT);
  if (bodyAt(looked) > 0) return 'markdown';
  if (isCode(looked)) return 'code';
  return SIGNS.some((sign) => sign.test(looked)) ? 'markdown' : 'text';
}

/** Whether most lines are of a program or a log; a note that only quotes some has a fence around them. */
function isCode(text: string): boolean {
  if (/^ {0,3}(?:`{3}|~{3})/m.test(text)) return false;
  const lines = text
    .split('\n')
    .map((line) => line.slice(0, 400))
    .filter((line) => line.trim() !== '');
  // What `#` begins is a comment in code, and a heading in a note.
  const told = lines.filter((line) => !/^\s*#(?!!)/.test(line));
  const code = told.filter((line) => CODE_LINES.some((sign) => sign.test(line)));
  return told.length >= 3 && code.length > told.length / 2;
}
