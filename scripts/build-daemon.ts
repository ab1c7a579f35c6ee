import fs from 'node:fs';
import path from 'node:path';
import { build, type Plugin } from 'vite';
import { copyPackage, nativePackages } from './desktop/packages.ts';

// Bundles the daemon with its command line in dist/daemon, or in the folder that is named: one file for each process, beside it what is
// read at run time. Node runs it from any folder, without the repository: `node FOLDER/daemon/bin/reverie.cjs start`.
const root = path.join(import.meta.dirname, '..');
const out = path.resolve(process.argv[2] ?? path.join(root, 'dist/daemon'));
const target = process.argv[3] ?? `${process.platform}-${process.arch}`;

/** The processes and threads of the daemon, by the name of their file. All lie in one folder, so that each finds the others. */
const ENTRIES = {
  reverie: 'scripts/desktop/daemon-entry.ts',
  worker: 'daemon/src/features/dreams/thread/worker.ts',
  'embedding-worker': 'daemon/src/models/embedding-worker.ts',
  'verify-worker': 'daemon/src/db/backup/verify-worker.ts',
  'grep-worker': 'daemon/src/features/grep/grep-worker.ts',
  'keychain-probe': 'daemon/src/platform/secrets/keychain-probe.ts',
  'log-thread': 'daemon/src/features/sessions/following/log-thread.ts',
  'pdf-worker': 'daemon/src/features/attachments/texts/pdf-worker.ts',
  'redaction-worker': 'daemon/src/features/sessions/sharing/redaction-worker.ts',
};

/** Not bundled: they load native code by their own path. */
const NATIVE = ['better-sqlite3', 'keytar', '@napi-rs/keyring'];

/** Files that are read at run time, at the place that they have in the repository: a module finds them from where it stood there. */
const BESIDE = [
  'LICENSE',
  'app/web/dist',
  'app/web/mcp/dist',
  'daemon/bin/hook.cjs',
  'daemon/data',
  'daemon/src/db/migrations',
  'shared/redact/data',
  'docs/agents.md',
  'docs/decisions',
  'docs/guide',
  'docs/llms.txt',
  'docs/openapi.json',
  'docs/pictures',
  'docs/relay.md',
  'docs/reliability.md',
  'shared/agent-connect/modules',
];

/** Lets modules find what lies beside them, though all of them are in one file now. */
function standAsBefore(): Plugin {
  return {
    name: 'reverie:stand-as-before',
    enforce: 'pre',
    transform(code, id) {
      const at = path.relative(root, id);
      if (at.startsWith('..') || at.startsWith('node_modules')) return null;
      const folder = path.posix.dirname(at.split(path.sep).join('/'));
      return (
        code
          // Another process: its own bundle is beside this one, whatever folder it was in.
          .replaceAll(/new URL\('\.\/([\w-]+)\.ts', import\.meta\.url\)/g, "new URL('./$1.js', META_URL)")
          .replaceAll(/import\.meta\.dirname, '([\w-]+)\.ts'/g, "META_DIRNAME, '$1.js'")
          // Loaded late and by `require`, which the bundler follows where it is the plain one.
          .replaceAll(/^const require = createRequire\(import\.meta\.url\);$/gm, '')
          .replaceAll('createRequire(import.meta.url)(', 'require(')
          .replaceAll('import.meta.dirname', `(META_DIRNAME + '/../${folder}')`)
          .replaceAll('META_DIRNAME', 'import.meta.dirname')
          .replaceAll('META_URL', 'import.meta.url')
      );
    },
  };
}

// A thread that is missing here, or has the name of another, would be noticed only when somebody needs it.
for (const file of fs.readdirSync(path.join(root, 'daemon/src'), { recursive: true, encoding: 'utf8' })) {
  if (!file.endsWith('.ts') || file.endsWith('.test.ts')) continue;
  const code = fs.readFileSync(path.join(root, 'daemon/src', file), 'utf8');
  for (const [, name = ''] of code.matchAll(/new URL\('\.\/([\w-]+)\.ts', import\.meta\.url\)/g)) {
    const thread = path.posix.join('daemon/src', path.dirname(file), `${name}.ts`);
    if (!Object.values<string>(ENTRIES).includes(thread))
      throw new Error(`${thread} is a thread of the daemon and has no entry here`);
  }
}

fs.rmSync(out, { recursive: true, force: true });
for (const [name, entry] of Object.entries(ENTRIES))
  await build({
    configFile: false,
    root,
    logLevel: 'warn',
    plugins: [standAsBefore()],
    ssr: { noExternal: true, external: NATIVE },
    build: {
      ssr: path.join(root, entry),
      outDir: path.join(out, 'daemon'),
      emptyOutDir: false,
      target: 'node24',
      minify: false,
      rolldownOptions: {
        external: NATIVE,
        output: { entryFileNames: `${name}.js`, codeSplitting: false, comments: { legal: true } },
      },
    },
  });

for (const file of BESIDE) fs.cpSync(path.join(root, file), path.join(out, file), { recursive: true });
fs.writeFileSync(
  path.join(out, 'daemon/bin/reverie.cjs'),
  fs
    .readFileSync(path.join(root, 'daemon/bin/reverie.cjs'), 'utf8')
    .replace("import('../src/run.ts')", "import('../reverie.js')")
    .replace("import('../src/cli/main.ts')", "import('../reverie.js')"),
);
const { version } = JSON.parse(fs.readFileSync(path.join(root, 'package.json'), 'utf8')) as {
  version: string;
};
fs.writeFileSync(
  path.join(out, 'package.json'),
  `${JSON.stringify({ name: 'reverie-daemon', version, license: 'MIT', type: 'module', private: true }, null, 2)}\n`,
);
for (const name of ['better-sqlite3', ...nativePackages(root, target)])
  copyPackage({ root, out, name, target });
for (const name of ['swagger-ui-dist', 'pdfjs-dist']) copyPackage({ root, out, name, target });

const bytes = (file: string): number => fs.statSync(path.join(out, 'daemon', file)).size;
for (const name of Object.keys(ENTRIES))
  console.log(`${name}.js: ${bytes(`${name}.js`).toLocaleString('en-GB')} bytes`);
