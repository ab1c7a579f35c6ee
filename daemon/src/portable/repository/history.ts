import type { Commit, Tag } from './git.ts';
import { excerpt, isCode, isList } from './paper.ts';
import type { Proposal } from './proposal.ts';

/** What is told of each kind at most, and characters of one. */
const MOST = { breaking: 3, revert: 3, reason: 3 } as const;
const LONGEST = 450;
/** Prose that explains something takes more than a line or two. */
const EXPLAINS = 200;
/** A paragraph of fewer letters only refers to something. */
const SAYS = 40;
/** Fewer changed lines make a reason no better. */
const LEAST_LINES = 10;
/** Of longer prose no more counts than this. */
const COUNTS = 800;
/** A line such as `Signed-off-by: …`, by which programs end a message; see git-interpret-trailers(1). */
const TRAILER = /^[A-Za-z][A-Za-z-]*: \S.*$|^\(cherry picked from commit .*\)$/u;
const REVERTED = /^This reverts commit ([0-9a-f]{7,40})/mu;

interface Message extends Commit {
  /** Paragraphs that explain, without trailers, lists and what Git wrote. */
  prose: string[];
  breaking: string | undefined;
  reverts: string | undefined;
}

function messageOf(commit: Commit): Message {
  const paragraphs = commit.body
    .replaceAll('\r\n', '\n')
    .replaceAll(/^[-=]{3,}$/gmu, '')
    .split(/\n{2,}/u);
  const breaking = /^BREAKING[ -]CHANGE: ([\s\S]+)$/mu.exec(commit.body)?.[1];
  const prose = paragraphs.filter(
    (one) =>
      !one.split('\n').every((line) => TRAILER.test(line)) &&
      !isList(one) &&
      !isCode(one) &&
      !REVERTED.test(one) &&
      !/^[-*#<>|=]/u.test(one) &&
      one.length >= SAYS,
  );
  return { ...commit, prose, breaking, reverts: REVERTED.exec(commit.body)?.[1] };
}

/**
 * What the history tells: what was taken back and why, what broke for users, and why things were done: where a commit explains much and
 * changes few lines, what it says is a reason, and no list of what is new. `changed` has the lines of the last commits alone, for what was
 * said long ago holds less often.
 */
export function historyIn(commits: readonly Commit[], changed: ReadonlyMap<string, number>): Proposal[] {
  // Programs write long messages, too; GitHub marks their names.
  const messages = commits.filter(({ author }) => !author.endsWith('[bot]')).map(messageOf);
  const takenBack = new Set(
    messages.flatMap(({ reverts }) => (reverts === undefined ? [] : [reverts.slice(0, 12)])),
  );
  const holding = messages.filter(({ hash }) => !takenBack.has(hash.slice(0, 12)));
  const lengthOf = ({ prose }: Message) => Math.min(COUNTS, prose.join(' ').length);
  const density = (one: Message) => lengthOf(one) / Math.max(LEAST_LINES, changed.get(one.hash) ?? 0);
  const reverts = holding.filter((one) => one.reverts !== undefined && one.prose.length > 0);
  const breaking = holding.filter((one) => one.reverts === undefined && (one.breaking ?? '') !== '');
  const reasons = holding
    .filter(({ hash }) => changed.has(hash))
    .filter((one) => one.reverts === undefined && one.breaking === undefined && lengthOf(one) >= EXPLAINS)
    .sort((a, b) => density(b) - density(a))
    .slice(0, MOST.reason);
  return [
    ...breaking.slice(0, MOST.breaking).map((one) => toldOf('breaking', one, [one.breaking ?? ''])),
    ...reverts.slice(0, MOST.revert).map((one) => toldOf('revert', one, one.prose)),
    ...reasons.map((one) => toldOf('reason', one, one.prose)),
  ];
}

function toldOf(
  kind: Proposal['kind'],
  { hash, at, subject }: Message,
  paragraphs: readonly string[],
): Proposal {
  const text = `${subject.replace(/[.:]$/u, '')}: ${excerpt(paragraphs, LONGEST)}`;
  return { kind, name: hash, label: subject, text, source: `commit ${hash}`, at };
}

/** What the last release says of itself, where its tag does. */
export function releaseIn([last]: readonly Tag[]): Proposal[] {
  if (!last || last.text.length < EXPLAINS) return [];
  const text = `Release ${last.name}: ${excerpt(last.text.split(/\n{2,}/u), LONGEST)}`;
  return [{ kind: 'release', name: 'release', label: 'last', text, source: `tag ${last.name}`, at: last.at }];
}
