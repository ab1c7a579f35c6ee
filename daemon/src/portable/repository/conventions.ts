import { basename, dirname } from 'node:path/posix';
import { isAgentFile } from '../agent-files.ts';
import type { TreeFile } from './git.ts';
import { codeIn, excerpt, isCode, isList, readPaper, titleOf } from './paper.ts';
import type { Proposal } from './proposal.ts';

/** Sections that are told at most, and characters of each. */
const MOST = 9;
const LONGEST = 600;

function isContributing(path: string): boolean {
  const isNear = ['.', '.github', 'docs', 'doc'].includes(dirname(path)) || /^docs?\//u.test(path);
  return isNear && /^contributing\.(?:md|mdx|rst)$/iu.test(basename(path));
}

/** The files that tell how to work in the repository: those for agents first, then those for people, nearest to the root first. */
export function conventionFiles(files: readonly TreeFile[]): TreeFile[] {
  const depth = ({ path }: TreeFile) => path.split('/').length;
  const nearest = (some: readonly TreeFile[]) => some.toSorted((a, b) => depth(a) - depth(b));
  return [
    ...nearest(files.filter(({ path }) => isAgentFile(path) && basename(path) !== 'agents.md')),
    ...nearest(files.filter(({ path }) => isContributing(path))),
  ];
}

/**
 * How one works here: sections that have lists or code, and name something of the code, each with its headings; those that name the
 * most first. What only speaks of people (reports, conduct, thanks) names nothing.
 */
export function conventionsIn(texts: ReadonlyMap<string, string>, paths: readonly string[]): Proposal[] {
  const told = new Set<string>();
  const sections = paths.flatMap((path) =>
    readPaper(path, texts.get(path) ?? '').flatMap(({ path: headings, blocks }) => {
      const own = (headings.length > 1 ? headings.slice(1) : headings).map(titleOf);
      const isOfForm = blocks.some((block) => isList(block) || isCode(block));
      const body = excerpt(blocks, LONGEST);
      const code =
        codeIn(body) + blocks.filter((block) => isCode(block) && body.includes(block.trim())).length;
      if (!isOfForm || code === 0 || own.length === 0 || told.has(body)) return [];
      told.add(body);
      return [{ path, heading: own.join(' › '), body, code }];
    }),
  );
  const best = new Set(sections.toSorted((a, b) => b.code - a.code).slice(0, MOST));
  return sections
    .filter((section) => best.has(section))
    .map(({ path, heading, body }) => ({
      kind: 'convention',
      name: `${path}#${heading}`,
      label: heading,
      text: `${heading}:${/^\s*(?:[-*+]|\d+[.)]|`{3}|~~~| {4})/u.test(body) ? '\n' : ' '}${body}`,
      source: path,
    }));
}
