import { basename, dirname } from 'node:path/posix';
import { parse as parseToml } from '@decimalturn/toml-patch';
import { parse as parseYaml } from 'yaml';
import { z } from 'zod';
import type { TreeFile } from './git.ts';
import { isCode, readPaper, titleOf } from './paper.ts';
import type { Proposal } from './proposal.ts';

/** Commands that are told of one file at most, and characters of one, and of the README blocks of commands. */
const MOST = 10;
const LONGEST = 160;
const BLOCKS = 1;

const WORKFLOW = /^\.github\/workflows\/[^/]+\.ya?ml$/u;
const MAKEFILE = /^(?:GNUm|[Mm])akefile$/u;
const JUSTFILE = /^\.?[Jj]ustfile$/u;
const PYPROJECT = 'pyproject.toml';
const PACKAGE = 'package.json';

function isManifest(path: string): boolean {
  return path === PACKAGE || path === PYPROJECT || MAKEFILE.test(path) || JUSTFILE.test(path);
}

interface Command {
  command: string;
  does: string;
}

/** Which program runs the scripts of a `package.json`, by the file in which it locks versions. */
const LOCKS: readonly [file: string, runner: string][] = [
  ['pnpm-lock.yaml', 'pnpm'],
  ['yarn.lock', 'yarn'],
  ['bun.lock', 'bun run'],
  ['bun.lockb', 'bun run'],
];

/** The files at the root, and workflows, that say what is run. */
export function commandFiles(files: readonly TreeFile[]): TreeFile[] {
  return files.filter(({ path }) => isManifest(path) || WORKFLOW.test(path));
}

/** What is run to build, test and start, by each file that says so; `papers` are texts in which commands are named, the README among them. */
export function commandsIn(
  texts: ReadonlyMap<string, string>,
  { files, readme }: { files: readonly TreeFile[]; readme: string | undefined },
): Proposal[] {
  const papers = [...texts].filter(([path]) => !isManifest(path) && !WORKFLOW.test(path));
  const namedBy = (command: string) => papers.filter(([, text]) => text.includes(command)).length;
  const lock = LOCKS.find(([name]) => files.some(({ path }) => path === name));
  const manifests = [...texts].flatMap(([path, text]): Proposal[] => {
    // Those that people are told of first: a manifest has many that only others of it call.
    const best = declaredIn(path, text, lock?.[1] ?? 'npm run')
      .sort((a, b) => namedBy(b.command) - namedBy(a.command))
      .slice(0, MOST)
      .map(({ command, does }) => `- \`${oneLine(command)}\`${does === '' ? '' : `: ${oneLine(does)}`}`);
    if (best.length === 0) return [];
    return [
      {
        kind: 'command',
        name: path,
        label: path,
        text: `Commands (${path}):\n${best.join('\n')}`,
        source: path,
      },
    ];
  });
  const checked = [...texts]
    .filter(([path]) => WORKFLOW.test(path))
    .flatMap(([path, text]) => checksIn(path, text));
  // What comes last in a job is what the job is for; of the rest, what people are told of counts.
  const told = checked
    .flatMap(({ runs }) => runs)
    .filter(({ isLast, command }) => isLast || namedBy(command) > 0);
  const runs = [...new Set(told.map(({ command }) => command))].slice(0, MOST);
  const source = checked.map(({ path }) => path).join(', ');
  if (runs.length > 0)
    manifests.push({
      kind: 'command',
      name: '.github/workflows',
      label: 'pull request',
      text: `What is run for each pull request:\n${runs.map((run) => `- \`${run}\``).join('\n')}`,
      source,
    });
  return manifests.length > 0 ? manifests : blocksOfReadme(texts, readme);
}

/** The commands that a file at the root declares. */
function declaredIn(path: string, text: string, runner: string): Command[] {
  if (path === PACKAGE) return commandsOf(runner, parsed(JSON.parse, text, Scripts)?.scripts);
  if (path === PYPROJECT) {
    const { poe, pdm } = parsed(parseToml, text, Pyproject)?.tool ?? {};
    return [...commandsOf('poe', poe?.tasks), ...commandsOf('pdm run', pdm?.scripts)];
  }
  if (MAKEFILE.test(path)) return targetsIn(text, 'make');
  return JUSTFILE.test(path) ? targetsIn(text, 'just') : [];
}

function oneLine(text: string): string {
  const line = text.replaceAll(/\s+/gu, ' ').trim();
  return line.length <= LONGEST ? line : `${line.slice(0, LONGEST).toWellFormed()}…`;
}

/** Reads a value that is in a text of some format; undefined where the text is none of it. */
function parsed<T>(parse: (text: string) => unknown, text: string, schema: z.ZodType<T>): T | undefined {
  let value: unknown;
  try {
    value = parse(text);
  } catch {
    // A repository may hold a file that is not what its name says: it then tells nothing.
    return undefined;
  }
  return schema.safeParse(value).data;
}

const Tasks = z.object({ tasks: z.record(z.string(), z.unknown()).default({}) });
const Scripts = z.object({ scripts: z.record(z.string(), z.unknown()).default({}) });
const Pyproject = z.object({
  tool: z.object({ poe: Tasks.optional(), pdm: Scripts.optional() }).default({}),
});
const Workflow = z.object({
  on: z.unknown(),
  jobs: z.record(
    z.string(),
    z.object({ steps: z.array(z.object({ run: z.string().optional() })).default([]) }),
  ),
});

function commandsOf(runner: string, scripts: Readonly<Record<string, unknown>> = {}): Command[] {
  return Object.entries(scripts).map(([name, does]) => ({
    command: `${runner} ${name}`,
    does: typeof does === 'string' ? does : '',
  }));
}

/** Rules of a Makefile or justfile, with the comment before or behind them; without those that make files. */
function targetsIn(text: string, runner: string): Command[] {
  const lines = text.split(/\r?\n/u);
  return lines.flatMap((line, at): Command[] => {
    const [, name, behind] = /^@?([a-z][\w-]*)(?:\s[^:=#]*)?:(?!=)[^#]*(?:##?\s*(.+))?$/u.exec(line) ?? [];
    if (name === undefined) return [];
    const before = /^#+\s*(.+)$/u.exec(lines[at - 1] ?? '')?.[1];
    return [{ command: `${runner} ${name}`, does: behind ?? before ?? '' }];
  });
}

/** Commands of a workflow that runs for pull requests, each of one line. */
function checksIn(
  path: string,
  text: string,
): { path: string; runs: { command: string; isLast: boolean }[] }[] {
  const workflow = parsed(parseYaml, text, Workflow);
  const { on } = workflow ?? {};
  const names = typeof on === 'string' ? [on] : Array.isArray(on) ? on : Object.keys(on ?? {});
  if (!workflow || !names.includes('pull_request')) return [];
  const runs = Object.values(workflow.jobs).flatMap(({ steps }) => {
    const scripts = steps.flatMap(({ run }) => (run === undefined ? [] : [run]));
    return scripts.flatMap((script, at) =>
      script.split('\n').map((line) => ({ command: line.trim(), isLast: at === scripts.length - 1 })),
    );
  });
  const whole = runs.filter(
    ({ command }) => /^[a-z][\w./-]+ [^${}\\|<>]*$/u.test(command) && command.length <= LONGEST,
  );
  return whole.length === 0 ? [] : [{ path, runs: whole }];
}

/** The first blocks of a shell's commands in the README, each with its heading. */
function blocksOfReadme(texts: ReadonlyMap<string, string>, readme: string | undefined): Proposal[] {
  if (readme === undefined) return [];
  return readPaper(readme, texts.get(readme) ?? '')
    .flatMap(({ path, blocks }) => {
      const block = blocks.find(
        (one) => isCode(one) && /^ {0,3}(?:```|~~~) ?(?:sh|bash|shell|console|zsh)\b/u.test(one),
      );
      const heading = titleOf(path.at(-1) ?? '');
      if (block === undefined || block.length > 500 || heading === '') return [];
      return [
        {
          kind: 'command' as const,
          name: `${readme}#${heading}`,
          label: heading,
          text: `${heading} (${basename(readme)}):\n${block}`,
          source: readme,
        },
      ];
    })
    .slice(0, BLOCKS);
}

/** The README at the root. */
export function readmeOf(files: readonly TreeFile[]): string | undefined {
  return files.find(({ path }) => dirname(path) === '.' && /^readme\.(?:md|mdx|rst|markdown)$/iu.test(path))
    ?.path;
}
