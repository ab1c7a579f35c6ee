import type { Caller } from '@reverie/shared/accounts/caller';
import type { grepMemory } from '@reverie/shared/contract/grep';
import { Problem } from '@reverie/shared/contract/problems';
import type { Reply } from '@reverie/shared/contract/route';
import { compile, type LinePattern } from './line-match.ts';
import type { Matchers, Matching } from './matching.ts';
import type { GrepText, GrepTexts, GrepWanted } from './ports.ts';

export interface GrepDeps {
  matchers: Matchers;
  texts: Readonly<Record<GrepWanted['source'], GrepTexts>>;
}

type Answer = Reply<typeof grepMemory>;

/** Finds the lines that have a pattern, of the newest text first, within the time of a call. Throws `invalid_request` for a pattern that is none. */
export async function grep(
  { matchers, texts }: GrepDeps,
  { caller, gone }: { caller: Caller; gone: AbortSignal },
  wanted: GrepWanted,
): Promise<Answer> {
  const { pattern, regex, ignore_case, context, limit, source } = wanted;
  const linePattern = { pattern, regex: regex === 'true', ignoreCase: ignore_case === 'true' };
  refuseWrong(linePattern);
  const matching = await matchers.begin(caller.account, linePattern);
  const answer: Answer = { lines: [], left_out: 0, looked_at: 0, withheld: 0, stopped: false };
  const gathering = { matching, answer, context, limit };
  try {
    for await (const page of texts[source](caller, wanted)) {
      if (gone.aborted || !(await gather(gathering, page))) break;
    }
  } finally {
    matching.end();
  }
  return answer;
}

function refuseWrong(pattern: LinePattern): void {
  try {
    compile(pattern);
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause;
    const message = `${JSON.stringify(pattern.pattern)} is no regular expression of JavaScript (${cause.message}); without \`regex\` it is looked for as it stands`;
    throw new Problem('invalid_request', `pattern: ${message}`, { errors: [{ path: 'pattern', message }] });
  }
}

interface Gathering {
  matching: Matching;
  answer: Answer;
  context: number;
  limit: number;
}

/** Adds the lines of a page; false where the time is over. */
async function gather(
  { matching, answer, context, limit }: Gathering,
  page: readonly GrepText[],
): Promise<boolean> {
  const most = () => limit - answer.lines.length;
  const stop = (): false => {
    answer.stopped = true;
    return false;
  };
  const found = await matching.match({ texts: page.map(({ text }) => text), context, most: most() });
  if (!found) return stop();
  answer.looked_at += page.length;
  for (const { text, matched } of found) {
    const there = page[text];
    if (!there) throw new Error('a thread found lines of a text that it was not given');
    if (most() === 0) {
      answer.left_out += matched.count;
      continue;
    }
    const lines = there.clean
      ? await cleanLines(matching, there.clean, { context, most: most() })
      : { kind: 'clean' as const, matched };
    if (lines.kind !== 'clean') {
      answer.withheld += matched.count;
      if (lines.kind === 'late') return stop();
      continue;
    }
    answer.left_out += lines.matched.count - lines.matched.lines.length;
    answer.lines.push(...lines.matched.lines.map((line) => ({ ...there.at, ...line })));
  }
  return true;
}

/** The lines that fit once the secrets are out, so that nobody finds a secret by its letters; late where the time was over before. */
async function cleanLines(
  matching: Matching,
  clean: () => Promise<string>,
  wanted: { context: number; most: number },
) {
  const looked = await matching.inTime(
    clean().then(
      (text) => ({ text }),
      // What could not be looked through is not answered, and counted as withheld.
      () => ({ text: undefined }),
    ),
  );
  if (looked === undefined) return { kind: 'late' as const };
  if (looked.text === undefined) return { kind: 'withheld' as const };
  const found = await matching.match({ texts: [looked.text], ...wanted });
  if (!found) return { kind: 'late' as const };
  return { kind: 'clean' as const, matched: found[0]?.matched ?? { count: 0, lines: [] } };
}
