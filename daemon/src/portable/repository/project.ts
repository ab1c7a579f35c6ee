import { dirname } from 'node:path/posix';
import type { TreeFile } from './git.ts';
import { excerpt, isCode, isList, readPaper } from './paper.ts';
import type { Proposal } from './proposal.ts';

const LONGEST = 450;
/** A paragraph that says what something is has more letters than a line of links. */
const SAYS = 40;
/** What the project is: the first paragraphs of its README. */
export function aboutOf(texts: ReadonlyMap<string, string>, readme: string | undefined): Proposal[] {
  if (readme === undefined) return [];
  const prose = readPaper(readme, texts.get(readme) ?? '')
    .map(({ blocks }) =>
      blocks.filter((block) => !isCode(block) && !isList(block) && lettersIn(block) >= SAYS),
    )
    .find((blocks) => blocks.length > 0);
  if (!prose) return [];
  return [
    {
      kind: 'project',
      name: 'about',
      label: 'about',
      text: `What this is: ${excerpt(prose.slice(0, 2), LONGEST)}`,
      source: readme,
    },
  ];
}

function lettersIn(block: string): number {
  const words = block.replaceAll(/\[[^\]]*\](?:\([^)]*\)|\[[^\]]*\])?|&\w+;/gu, '');
  return (words.match(/\p{L}/gu) ?? []).length;
}

/** The texts at the root, and how many there are of docs and of decisions, so that whoever needs more knows where to read on. */
export function papersOf(files: readonly TreeFile[], decisions: readonly TreeFile[]): Proposal[] {
  const papers = files.map(({ path }) => path).filter((path) => /\.(?:md|mdx|rst)$/iu.test(path));
  const root = papers.filter((path) => dirname(path) === '.' && !/^licen[cs]e/iu.test(path));
  const docs = papers.filter((path) => /^docs?\//u.test(path));
  const folders = [...Map.groupBy(decisions, ({ path }) => dirname(path))].map(
    ([folder, records]) => `${folder}/ (${records.length} records of decisions)`,
  );
  const [first = ''] = docs;
  const all = [
    ...root,
    ...(docs.length > 0 ? [`${first.split('/')[0]}/ (${docs.length} texts)`] : []),
    ...folders,
  ];
  if (all.length < 2) return [];
  const text = `What there is to read: ${all.join(', ')}.`;
  return [{ kind: 'project', name: 'papers', label: 'papers', text, source: 'git ls-tree' }];
}
