import { basename, dirname } from 'node:path/posix';
import { isAgentFile } from '@reverie/memory-formats/agent-files/agent-files';
import type { TreeFile } from './git.ts';
import { codeIn, excerpt, isCode, isList, readPaper, titleOf } from './paper.ts';
import type { Proposal } from './proposal.ts';

/** Sections that are told at most, in all and of one text for people, and characters of each. */
const MOST = 10;
const MOST_OF_ONE = 6;
const LONGEST = 600;
/** Levels of headings below that of the text: what stands deeper is a detail. */
const LEVELS = 2;

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
 * How one works here: the first sections that have lists or code, and name something of the code, each with its headings. What only speaks
 * of people (reports, conduct, thanks) names nothing.
 */
export function conventionsIn(texts: ReadonlyMap<string, string>, paths: readonly string[]): Proposal[] {
  const told = new Set<string>();
  const sections = paths.flatMap((path) => {
    const found = readPaper(path, texts.get(path) ?? '').flatMap(({ path: headings, blocks }) => {
      const own = (headings.length > 1 ? headings.slice(1) : headings).map(titleOf);
      const body = excerpt(blocks, LONGEST);
      const isNamed = own.length > 0 && own.length <= LEVELS;
      if (!isNamed || !hasForm(blocks) || !namesCode(blocks, body) || told.has(body)) return [];
      told.add(body);
      return [{ path, heading: own.join(' › '), body }];
    });
    return isAgentFile(path) ? found : found.slice(0, MOST_OF_ONE);
  });
  return sections.slice(0, MOST).map(({ path, heading, body }) => ({
    kind: 'convention',
    name: `${path}#${heading}`,
    label: heading,
    text: `${heading}:${/^\s*(?:[-*+]|\d+[.)]|`{3}|~~~| {4})/u.test(body) ? '\n' : ' '}${body}`,
    source: path,
  }));
}

function hasForm(blocks: readonly string[]): boolean {
  return blocks.some((block) => isList(block) || isCode(block));
}

/** Whether what is shown of a section has code. */
function namesCode(blocks: readonly string[], body: string): boolean {
  return codeIn(body) > 0 || blocks.some((block) => isCode(block) && body.includes(block.trim()));
}
