import type { Plugin } from 'vite';

/** What of a route is for its reader alone. */
const TOLD = new Set(['summary', 'description']);
/** Calls on a schema that say what it means, and change nothing of what it takes. */
const TELLING = new Set(['describe', 'meta']);

/** A node of ESTree, as far as it is looked at. */
interface Node {
  type: string;
  start: number;
  end: number;
  [field: string]: unknown;
}

/** Leaves out of the built page what the contract tells readers of its OpenAPI document: nobody reads it there, and it was a tenth of the first view. */
export function withoutDescriptions(): Plugin {
  return {
    name: 'without-descriptions',
    apply: 'build',
    enforce: 'post',
    transform(code, id) {
      if (!/\/shared\/src\/contract\/.+\.ts$/.test(id)) return null;
      return { code: withoutTold(code, this.parse(code) as unknown as Node), map: null };
    },
  };
}

/** The text of a module without what it tells; `tree` is what the text was parsed into. */
export function withoutTold(code: string, tree: Node): string {
  const parts: string[] = [];
  let at = 0;
  for (const [start, end] of toldIn(code, tree).sort(([a], [b]) => a - b)) {
    // What stands within something that is left out goes with it.
    if (start < at) continue;
    parts.push(code.slice(at, start));
    at = end;
  }
  return [...parts, code.slice(at)].join('');
}

/** Where it stands: from, to. */
function toldIn(code: string, node: Node): [number, number][] {
  const within = Object.values(node)
    .flat()
    .filter(isNode)
    .flatMap((child) => toldIn(code, child));
  return [...of(code, node), ...within];
}

function of(code: string, node: Node): [number, number][] {
  if (node.type !== 'CallExpression') return [];
  const { callee } = node;
  const [first] = node['arguments'] as Node[];
  if (!isNode(callee) || !first) return [];
  if (callee.type === 'MemberExpression') {
    const { object, property } = callee as { object?: unknown; property?: unknown };
    return isNode(object) && TELLING.has(nameOf(property)) ? [[object.end, node.end]] : [];
  }
  if (nameOf(callee) !== 'route' || first.type !== 'ObjectExpression') return [];
  const told = (first['properties'] as Node[]).filter(({ key }) => TOLD.has(nameOf(key)));
  return told.map(({ start, end }) => [start, code[end] === ',' ? end + 1 : end]);
}

function nameOf(node: unknown): string {
  return isNode(node) && typeof node['name'] === 'string' ? node['name'] : '';
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value && 'end' in value;
}
