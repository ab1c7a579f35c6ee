import fs from 'node:fs';
import path from 'node:path';

/** Which files of a package are of use at run time; the rest is source and prebuilds of other systems. */
const KEPT: Readonly<Record<string, (target: string) => readonly string[]>> = {
  'better-sqlite3': (target) => ['package.json', 'LICENSE', 'lib', `prebuilds/${target}.node`],
  keytar: () => ['package.json', 'LICENSE.md', 'lib', 'build/Release/keytar.node'],
  // What reads is bundled; these are what it looks up.
  'pdfjs-dist': () => ['package.json', 'LICENSE', 'cmaps'],
  'swagger-ui-dist': () => ['package.json', 'LICENSE', 'swagger-ui.css', 'swagger-ui-bundle.js'],
};

interface Copied {
  root: string;
  out: string;
  name: string;
  /** Such as `linux-x64`. */
  target: string;
}

/** Copies a package into the `node_modules` of a bundle, without what a run does not read. Throws where a file of it is missing. */
export function copyPackage({ root, out, name, target }: Copied): void {
  const from = path.join(root, 'node_modules', name);
  const to = path.join(out, 'node_modules', name);
  for (const file of KEPT[name]?.(target) ?? ['.'])
    fs.cpSync(path.join(from, file), path.join(to, file), { recursive: true });
}

/** The keychains that are there: keytar where it compiled, and the prebuilt one of this system, which stands in for it. */
export function nativePackages(root: string, target: string): string[] {
  const has = (name: string) => fs.existsSync(path.join(root, 'node_modules', name));
  const prebuilt = fs
    .readdirSync(path.join(root, 'node_modules/@napi-rs'))
    .filter((name) => name.startsWith(`keyring-${target}`))
    .map((name) => `@napi-rs/${name}`);
  return [
    ...(has('keytar/build/Release/keytar.node') ? ['keytar'] : []),
    ...(prebuilt.length > 0 ? ['@napi-rs/keyring', ...prebuilt] : []),
  ];
}
