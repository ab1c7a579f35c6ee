import type { Caller } from '@reverie/shared/accounts/caller';
import type { grepMemory } from '@reverie/shared/contract/search/grep';
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
  const answer: Answer = {
    lines: [],
    left_out: 0,
    more: false,
    looked_at: 0,
    withheld: 0,
    stopped: false,
  };
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

/** Adds the lines of a page; false where no further one is looked at. Nothing that is counted tells what a secret says. */
async function gather(
  { matching, answer, context, limit }: Gathering,
  page: readonly GrepText[],
): Promise<boolean> {
  const most = () => limit - answer.lines.length;
  const stop = (): false => {
    answer.stopped = true;
    return false;
  };
  // Whether its session is looked through already is asked of a page before its texts are: it must not depend on them.
  const [first] = page;
  if (first?.clean) {
    const looked = await cleanText(matching, first.clean);
    if (looked.kind === 'late') return stop();
    if (looked.kind === 'withheld') {
      answer.withheld += page.length;
      return true;
    }
  }
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
    if (lines.kind === 'late') return stop();
    if (lines.kind === 'withheld') continue;
    answer.left_out += lines.matched.count - lines.matched.lines.length;
    answer.lines.push(...lines.matched.lines.map((line) => ({ ...there.at, ...line })));
    if (there.clean && most() === 0) {
      answer.more = true;
      return false;
    }
  }
  return true;
}

/** The lines that fit once the secrets are out, so that nobody finds a secret by its letters; late where the time was over before. */
async function cleanLines(
  matching: Matching,
  clean: () => Promise<string>,
  wanted: { context: number; most: number },
) {
  const looked = await cleanText(matching, clean);
  if (looked.kind !== 'clean') return looked;
  const found = await matching.match({ texts: [looked.text], ...wanted });
  if (!found) return { kind: 'late' as const };
  return { kind: 'clean' as const, matched: found[0]?.matched ?? { count: 0, lines: [] } };
}

/** A text without its secrets; late where the time was over before, withheld where it could not be looked through. */
function cleanText(matching: Matching, clean: () => Promise<string>) {
  const looked = clean().then(
    (text) => ({ kind: 'clean' as const, text }),
    () => ({ kind: 'withheld' as const }),
  );
  return matching.inTime(looked).then((one) => one ?? { kind: 'late' as const });
}
