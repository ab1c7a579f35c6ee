import { crowdedFolders, misplacedSql, spentBudgets, spreadLiterals } from './laws.ts';
import { folders } from './sources.ts';

/** One thing that the check promises: a program that ends well, or a law of ours that finds nothing. */
export type Step = { readonly name: string; readonly promises: string } & (
  | {
      readonly command: readonly [program: string, ...args: string[]];
      /** Refuses a green run that looked at nothing. */
      readonly looked?: (output: string) => boolean;
    }
  | { readonly findings: () => string[] }
);

/** Where steps keep what they found before; each knows by the content of all that it read whether that still holds. */
const CACHE = 'node_modules/.cache/check';

const tsc = (project: string, name: string): [string, ...string[]] => [
  'tsc',
  ...['-p', project, '--incremental', '--tsBuildInfoFile', `${CACHE}/${name}.tsbuildinfo`],
];

/** Every step, the long ones first, so that two cores end together. */
export const steps: readonly Step[] = [
  {
    name: 'lint',
    promises: 'the rules of .oxlintrc.json, by type',
    command: ['node', 'scripts/check/lint.ts'],
    looked: (output) => Number(/^(\d+) files are clean/m.exec(output)?.[1] ?? 0) > 50,
  },
  { name: 'types', promises: 'the types of everything but the page', command: tsc('tsconfig.json', 'types') },
  {
    name: 'format',
    promises: 'every file as `npm run format` writes it',
    command: [
      'prettier',
      ...['--check', '--log-level', 'warn'],
      ...['--cache', '--cache-strategy', 'content', '--cache-location', `${CACHE}/format`],
      '.',
    ],
  },
  {
    name: 'page-types',
    promises: 'the types of the page',
    command: tsc('app/web/tsconfig.json', 'page-types'),
  },
  {
    name: 'layers',
    promises: 'the laws of imports of .dependency-cruiser.cjs',
    command: ['depcruise', '--config', '.dependency-cruiser.cjs', ...folders],
    looked: (output) => Number(/\((\d+) modules/.exec(output)?.[1] ?? 0) > 50,
  },
  {
    name: 'dead',
    promises: 'no export or file of a product that only tests use, by knip.jsonc',
    command: ['knip', '--production', '--no-progress', '--no-config-hints'],
  },
  {
    name: 'dead-support',
    promises: 'no export or file that nobody uses, tests and what they stand on included',
    command: ['knip', '--no-progress', '--no-config-hints'],
  },
  {
    name: 'openapi',
    promises: 'docs/openapi.json as the contract says it',
    command: ['node', 'scripts/openapi.ts', '--check'],
  },
  {
    name: 'laws',
    promises:
      'decisions, folders, the walk of ARCHITECTURE.md and links between pages as scripts/laws.ts wants them',
    command: ['node', 'scripts/laws.ts'],
  },
  { name: 'sql', promises: 'SQL in stores only, naming its columns', findings: misplacedSql },
  { name: 'spreads', promises: 'fields that are written where they stand', findings: spreadLiterals },
  { name: 'crowds', promises: 'folders that a reader can look over', findings: crowdedFolders },
  { name: 'budgets', promises: 'features that stay small enough to read', findings: spentBudgets },
];
