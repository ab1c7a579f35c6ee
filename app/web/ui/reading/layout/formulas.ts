import type { Node } from './tree.ts';

/** `$x$` as people write formulas: no blank within its marks, and no figure behind it, as prices have. */
const INLINE = /(?<![\\$\p{L}\p{N}])\$(?=[^\s$])[^$\n]{1,2000}?(?<=[^\s$\\])\$(?![\p{N}$])/u;

/** Whether a note has formulas on a line, so that its dollars are their marks and not those of money. */
export function hasFormulas(body: string): boolean {
  return INLINE.test(body);
}

/** A formula within a line, or its text where only prices stand around it. `after` is what follows it. */
export function formula(node: Node, written: string, after: string | undefined): Node {
  const isBlock = written.startsWith('$$');
  const isPrice = !isBlock && (/^\$\s|\s\$$/u.test(written) || /\p{N}/u.test(after ?? ''));
  if (isPrice) return { type: 'text', value: written, ...(node.position && { position: node.position }) };
  return {
    ...node,
    data: { ...node.data, hProperties: { className: [`language-math${isBlock ? '-display' : ''}`] } },
  };
}

/** A formula over several lines whose marks share a line with it. */
const SHARED = /^([ \t]*)\$\$(?!\$)([^\n$]*\n[^$]{0,4000}?)\$\$[ \t]*$/gmu;
const FENCED = /^ {0,3}(`{3,}|~{3,})[^\n]*\n[\s\S]*?(?:^ {0,3}\1[`~]*[ \t]*$|(?![\s\S]))/gmu;

/** The body with each such formula on lines of its own, as Markdown wants it; code stays as it is. */
export function onLines(body: string): string {
  if (!body.includes('$$')) return body;
  const code = [...body.matchAll(FENCED)].map(({ index, 0: text }) => [index, index + text.length] as const);
  let laid = '';
  let done = 0;
  for (const { index, 0: whole, 1: indent = '', 2: text = '' } of body.matchAll(SHARED)) {
    const isCode = code.some(([from, to]) => index >= from && index < to);
    const isOnLines = /^\s*\n/u.test(text) && /\n[ \t]*$/u.test(text);
    if (isCode || isOnLines) continue;
    laid += `${body.slice(done, index)}${indent}$$\n${text.trim()}\n${indent}$$`;
    done = index + whole.length;
  }
  return laid + body.slice(done);
}
