import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from './sources.ts';

/** What a file imports of ours: `from '…'`, `import '…'`, `import('…')`, and of types `import('…')` too. */
const SPECIFIER = /(?:from|import)\s*\(?\s*['"]([^'"]+)['"]/g;
/** What counts for every file, wherever it stands. */
const AMBIENT = /\bdeclare (?:global|module)\b/;

/**
 * Of each file a hash of all that a type in it can depend on: its own text, that of everything it imports, and of what those import,
 * ambient declarations, and `also` (settings, and what is installed).
 */
export function hashesOf(files: readonly string[], also: readonly string[]): ReadonlyMap<string, string> {
  const texts = new Map(files.map((file) => [file, readFileSync(file, 'utf8')]));
  const hash = new Map([...texts].map(([file, text]) => [file, sha256(text)]));
  const imports = new Map([...texts].map(([file, text]) => [file, importsOf(file, text)]));
  const ambient = [...texts]
    .filter(([file, text]) => file.endsWith('.d.ts') || AMBIENT.test(text))
    .map(([file]) => file);
  const common = sha256(also.map((file) => readFileSync(path.join(root, file), 'utf8')).join('\0'));
  return new Map(
    files.map((file) => {
      const reached = new Set([file, ...ambient]);
      for (const one of reached) for (const next of imports.get(one) ?? []) reached.add(next);
      const all = [...reached].sort().map((one) => `${one} ${hash.get(one) ?? hashOfOther(one)}`);
      return [file, sha256([common, ...all].join('\n'))];
    }),
  );
}

function importsOf(file: string, text: string): string[] {
  return [...text.matchAll(SPECIFIER)].flatMap(([, specifier = '']) => {
    if (specifier.startsWith('.')) return [path.resolve(path.dirname(file), specifier)];
    const [, name = '', below] = /^@reverie\/([\w-]+)\/(.+)$/.exec(specifier) ?? [];
    if (below === undefined) return [];
    // The libraries of `shared/` stand below its folder, each under its own name.
    const folder = name === 'shared' ? 'shared/src' : `shared/${name}/src`;
    return [path.join(root, folder, below === 'client' ? 'client/client.ts' : `${below}.ts`)];
  });
}

const others = new Map<string, string>();

/** Of what is imported but not looked through, such as JSON; nothing where it is not there, which then counts, too. */
function hashOfOther(file: string): string {
  const known = others.get(file);
  if (known !== undefined) return known;
  const made = existsSync(file) ? sha256(readFileSync(file)) : 'missing';
  others.set(file, made);
  return made;
}

function sha256(of: string | Buffer): string {
  return createHash('sha256').update(of).digest('hex');
}
