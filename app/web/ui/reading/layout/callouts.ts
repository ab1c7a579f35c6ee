import type { Laid, LaidPart } from './laid-out.ts';

const HEAD = /^\s*\[!([\p{L}\p{N}-]{1,30})(?:\|[^\]\n]{0,100})?\]([+-]?)[ \t]*/u;

/** The callout that a quotation is: `[!tip]- Title` in its first line; undefined where it is none. */
export function calloutOf([first, ...rest]: readonly Laid[]): LaidPart | undefined {
  if (first === undefined || typeof first === 'string' || first.kind !== 'element' || first.tag !== 'p')
    return undefined;
  const [begin, ...others] = first.children;
  const head = typeof begin === 'string' ? HEAD.exec(begin) : null;
  if (typeof begin !== 'string' || !head) return undefined;
  const [line, below] = firstLine([begin.slice(head[0].length), ...others]);
  const [, type = 'note', fold] = head;
  const text: Laid[] = below.length > 0 ? [{ ...first, children: below }] : [];
  return {
    kind: 'callout',
    type: type.toLowerCase(),
    ...(fold !== '' && { fold: fold === '-' ? ('closed' as const) : ('open' as const) }),
    title: line.length > 0 ? line : [type.charAt(0).toUpperCase() + type.slice(1).toLowerCase()],
    children: [...text, ...rest],
  };
}

/** Parts of a paragraph up to the end of its first line, and those behind it. */
function firstLine(parts: readonly Laid[]): [line: Laid[], below: Laid[]] {
  const isBreak = (part: Laid) => typeof part !== 'string' && part.kind === 'element' && part.tag === 'br';
  const at = parts.findIndex((part) => isBreak(part) || (typeof part === 'string' && part.includes('\n')));
  const end = parts[at];
  if (end === undefined) return [said(parts), []];
  const behind = parts.slice(at + 1);
  if (typeof end !== 'string') return [said(parts.slice(0, at)), said(behind)];
  const cut = end.indexOf('\n');
  return [said([...parts.slice(0, at), end.slice(0, cut)]), said([end.slice(cut + 1), ...behind])];
}

/** Without empty texts. */
function said(parts: readonly Laid[]): Laid[] {
  return parts.every((part) => typeof part === 'string' && part.trim() === '')
    ? []
    : parts.filter((part) => part !== '');
}
