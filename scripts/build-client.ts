import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'vite';

// Packs `shared/src/sdk` as `@reverie/client` in dist/client, or in the folder that is named: one module for Node and browsers, and its types.
const root = path.join(import.meta.dirname, '..');
const out = path.resolve(process.argv[2] ?? path.join(root, 'dist/client'));
const read = (file: string): { version: string; dependencies?: Record<string, string> } =>
  JSON.parse(fs.readFileSync(path.join(root, file), 'utf8')) as ReturnType<typeof read>;

fs.rmSync(out, { recursive: true, force: true });
await build({
  configFile: false,
  logLevel: 'warn',
  build: {
    outDir: out,
    target: 'es2024',
    lib: { entry: path.join(root, 'shared/src/sdk/main.ts'), formats: ['es'], fileName: 'index' },
  },
});
execFileSync(
  process.execPath,
  [
    path.join(root, 'node_modules/typescript/bin/tsc'),
    '-p',
    'shared/tsconfig.client.json',
    '--outDir',
    path.join(out, 'types'),
  ],
  {
    cwd: root,
    stdio: 'inherit',
  },
);
const manifest = {
  name: '@reverie/client',
  version: read('package.json').version,
  description: 'Typed client of Reverie for Node and browsers',
  license: 'MIT',
  type: 'module',
  exports: { '.': { types: './types/sdk/main.d.ts', default: './index.js' } },
  sideEffects: false,
  engines: { node: '>=22' },
  // For the types alone: the module has within it what it needs.
  dependencies: { zod: read('shared/package.json').dependencies?.['zod'] },
};
fs.writeFileSync(path.join(out, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
fs.copyFileSync(path.join(root, 'LICENSE'), path.join(out, 'LICENSE'));
const module = fs.readFileSync(path.join(out, 'index.js'));
console.log(`${path.relative(root, out)}: ${module.length} bytes, ${gzipSync(module).length} compressed`);
