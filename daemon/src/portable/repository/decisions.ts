import { basename, dirname } from 'node:path/posix';
import type { TreeFile } from './git.ts';
import { excerpt, type PaperSection, readPaper, titleOf } from './paper.ts';
import type { Proposal } from './proposal.ts';

/** Decisions of a repository that are told at most, and characters of each. */
const MOST = 14;
const LONGEST = 450;
/** A record: a number or a day, and what it is about. */
const RECORD = /^(?:adr[-_]?)?\d{2,8}(?:[-_ ]|-\d)[^/]*\.(?:md|mdx|markdown|rst)$/iu;
const INDEX = /^(?:readme|index)\.(?:md|mdx|markdown|rst)$/iu;
/** Folders whose records are made up. */
const MADE_UP = /(?:^|[/_-])(?:tests?|fixtures?|examples?|templates?)(?:[/_-]|$)/iu;
/** States of a decision that does not hold: not yet, or not any more. */
const NOT_HOLDING = /\b(?:superseded|deprecated|rejected|obsolete|proposed|draft)\b/iu;

/** The files among which records of decisions may be: folders with two numbered texts, and their index. */
export function decisionFiles(files: readonly TreeFile[]): TreeFile[] {
  const folders = Map.groupBy(
    files.filter(({ path }) => RECORD.test(basename(path)) && !MADE_UP.test(dirname(path))),
    ({ path }) => dirname(path),
  );
  const some = new Set([...folders].filter(([, records]) => records.length > 1).map(([folder]) => folder));
  return files.filter(
    ({ path }) => some.has(dirname(path)) && (RECORD.test(basename(path)) || INDEX.test(basename(path))),
  );
}

interface DecisionRecord {
  path: string;
  title: string;
  /** Undefined where the record does not say. */
  status: string | undefined;
  decision: string;
}

/**
 * The decisions that hold, each with the beginning of what was decided: those that other texts name most often first, the newest of equals.
 * `texts` are all papers of the repository, by path.
 */
export function decisionsIn(texts: ReadonlyMap<string, string>): Proposal[] {
  const paths = [...texts.keys()];
  const records = paths
    .filter((path) => RECORD.test(basename(path)))
    .flatMap((path) => {
      const found = recordOf(path, texts);
      return found && !NOT_HOLDING.test(found.status ?? '') ? [found] : [];
    });
  const named = (path: string) => {
    const stem = basename(path).replace(/\.\w+$/u, '');
    return paths.filter((other) => other !== path && texts.get(other)?.includes(stem)).length;
  };
  return records
    .map((record) => ({ record, named: named(record.path) }))
    .sort((a, b) => b.named - a.named || (a.record.path < b.record.path ? 1 : -1))
    .slice(0, MOST)
    .map(({ record: { path, title, status, decision } }) => ({
      kind: 'decision',
      name: path,
      label: basename(path).replace(/\.\w+$/u, ''),
      text: `${decision.startsWith(title) ? '' : `${title}${status === undefined ? '' : ` (${status})`}: `}${decision}`,
      source: path,
    }));
}

function recordOf(path: string, texts: ReadonlyMap<string, string>): DecisionRecord | undefined {
  const text = texts.get(path) ?? '';
  const sections = readPaper(path, text);
  const title = titleOf(sections.find(({ path: [first] }) => first !== undefined)?.path[0] ?? '');
  const decision = decidedIn(sections) ?? fromIndex(path, texts);
  if (title === '' || decision === undefined || decision === '') return undefined;
  return { path, title, status: statusIn(text, sections), decision };
}

/** What stands below the heading that says so, or behind a label that does. */
function decidedIn(sections: readonly PaperSection[]): string | undefined {
  const below = sections.find(
    ({ path, blocks }) =>
      blocks.length > 0 && /^(?:\d+\.\s+)?decision(?: outcome)?$/iu.test(path.at(-1) ?? ''),
  );
  if (below) return excerpt(below.blocks, LONGEST);
  const labelled = sections
    .flatMap(({ blocks }) => blocks)
    .map((block) => /^(?:\*\*|__|_|\*)Decision[.:]?(?:\*\*|__|_|\*)[.:]?\s+([\s\S]+)$/iu.exec(block)?.[1])
    .find((text) => text !== undefined);
  return labelled === undefined ? undefined : excerpt([labelled], LONGEST);
}

/** The line of the folder's index that leads to a record, and goes on. */
function fromIndex(path: string, texts: ReadonlyMap<string, string>): string | undefined {
  const index = [...texts.keys()].find((one) => dirname(one) === dirname(path) && INDEX.test(basename(one)));
  const lines = (index === undefined ? '' : (texts.get(index) ?? '')).split('\n');
  const line = lines.find(
    (one) => one.includes(`(${basename(path)})`) || one.includes(`(./${basename(path)})`),
  );
  return line === undefined ? undefined : /\)\s*[:–—-]\s*(.{20,})$/u.exec(line)?.[1];
}

function statusIn(text: string, sections: readonly PaperSection[]): string | undefined {
  const said =
    /^[ \t]*(?:[-*+][ \t]+)?(?:\*\*|_)?status(?:\*\*|_)?[ \t]*:(?:\*\*|_)?[ \t]*(.+)$/imu.exec(text)?.[1] ??
    sections.find(({ path }) => /^(?:\d+\.\s+)?status$/iu.test(path.at(-1) ?? ''))?.blocks[0];
  const [line = ''] = (said ?? '').replaceAll(/[*_`]/gu, '').trim().split('\n');
  return line === '' ? undefined : line.slice(0, 60);
}
