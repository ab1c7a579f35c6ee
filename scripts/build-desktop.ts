import fs from 'node:fs';
import path from 'node:path';
import { build } from 'vite';

// Bundles the main process of the desktop app in dist/desktop, with the page and the pictures beside it: what electron-builder packs, and
// what `npm run desktop` runs. The daemon that an installed app starts is `npm run build:daemon`.
const root = path.join(import.meta.dirname, '..');
const out = path.join(root, 'dist/desktop');

fs.rmSync(out, { recursive: true, force: true });
await build({
  configFile: false,
  root,
  logLevel: 'warn',
  ssr: { noExternal: true, external: ['electron'] },
  build: {
    ssr: path.join(root, 'app/electron/main.ts'),
    outDir: out,
    target: 'node24',
    minify: false,
    rolldownOptions: {
      // Electron has to know the scheme of the pages before it is ready, and a module of that kind is run in time.
      output: { format: 'cjs', entryFileNames: 'main.cjs', codeSplitting: false, comments: { legal: true } },
      // Optional parts of `ws`, which it does without.
      external: ['electron', 'bufferutil', 'utf-8-validate'],
    },
  },
});
const { version, description } = JSON.parse(fs.readFileSync(path.join(root, 'package.json'), 'utf8')) as {
  version: string;
  description: string;
};
/** A Debian package names its home. */
const repository = process.env['GITHUB_REPOSITORY'];
const homepage = repository === undefined ? undefined : `https://github.com/${repository}`;
fs.writeFileSync(
  path.join(out, 'package.json'),
  `${JSON.stringify({ name: 'reverie', productName: 'Reverie', version, description, license: 'MIT', author: 'Reverie', main: 'main.cjs', private: true, homepage }, null, 2)}\n`,
);
fs.cpSync(path.join(root, 'app/electron/icons'), path.join(out, 'icons'), { recursive: true });
// Compressed twins are for browsers that fetch it from the daemon.
fs.cpSync(path.join(root, 'app/web/dist'), path.join(out, 'page'), {
  recursive: true,
  filter: (file) => !/\.(br|gz|zst)$/.test(file),
});
const bytes = fs.statSync(path.join(out, 'main.cjs')).size;
console.log(`main.cjs: ${bytes.toLocaleString('en-GB')} bytes`);
