import type { Caller } from '@reverie/shared/accounts/caller';
import type { askMemory, Citation } from '@reverie/shared/contract/search/ask';
import type { Parsed, Reply } from '@reverie/shared/contract/route';
import { WEAKER } from '@reverie/shared/contract/search/search';
import { languageAbroad } from '../../language/abroad/in-english.ts';
import { createYielding } from '../../platform/yielding.ts';
import { ask, type AskDeps, MOST_READ } from './ask.service.ts';
import { frameOf } from './frames.ts';
import { dayOf } from './notes.ts';
import { type QuotedText, quotedFrom } from './look.ts';
import type { AskEntry, AskSessions } from './ports.ts';

/** Entries that are looked at. */
const READ = 8;

export interface AskSessionsDeps extends AskDeps {
  sessions: AskSessions;
}

type Asked = Parsed<typeof askMemory>['body'];
type Answered = Reply<typeof askMemory>;

/**
 * Answers from memories as `ask` does, where they are among the sources; where that is not sure, what was said in sessions and is closest
 * is quoted behind it (docs/decisions/0051). No model is shown sessions.
 */
export async function askSources(
  deps: AskSessionsDeps,
  { caller, gone }: { caller: Caller; gone: AbortSignal },
  asked: Asked,
): Promise<Answered> {
  const { account, key, readable } = caller;
  const from = deps.elapsed();
  const reply: Answered = asked.sources.includes('memories')
    ? await ask(deps, { account, payer: key.account, readable, gone }, asked)
    : { answer: '', citations: [], latency_ms: 0, found: false, certainty: 'none', model: null };
  if (reply.certainty === 'sure' || !asked.sources.includes('sessions') || gone.aborted) return reply;
  const text = asked.question.slice(0, MOST_READ).toWellFormed();
  const frame = frameOf(languageAbroad(text));
  const said = await saidInSessions(deps, caller, { ...asked, text });
  const latency_ms = Math.round(deps.elapsed() - from);
  if (!said) return { ...reply, latency_ms, answer: reply.answer || NOTHING };
  const line = `${frame.inSessions}\n"${said.quote}" — ${said.title}, ${dayOf(said.created_at, frame.locale)}`;
  const { understood, ...rest } = reply;
  if (reply.found)
    return {
      ...reply,
      latency_ms,
      answer: `${reply.answer}\n${line}`,
      citations: [...reply.citations, said],
    };
  return {
    ...rest,
    latency_ms,
    found: true,
    certainty: 'unsure',
    citations: [said],
    answer: `${frame.notSure}\n${line}`,
    ...(understood && { understood: withoutReason(understood) }),
  };
}

/** What is said of memories does not hold of sessions: that nothing answers. */
function withoutReason({
  abstained: _,
  ...rest
}: NonNullable<Answered['understood']>): Answered['understood'] {
  return rest;
}

const NOTHING = 'Nothing that was said in sessions answers this.';

/** What was said in a session and is closest to the question; undefined where nothing is near. */
async function saidInSessions(
  deps: AskSessionsDeps,
  caller: Pick<Caller, 'account' | 'within' | 'readable'>,
  { text, namespace, as_of, explain }: Pick<Asked, 'namespace' | 'as_of' | 'explain'> & { text: string },
): Promise<Citation | undefined> {
  const asOf = as_of === undefined ? undefined : Date.parse(as_of);
  const { account, readable } = caller;
  const scope = { account, namespace, readable, asOf, among: undefined };
  const found = await deps.sessions(caller, {
    question: text,
    namespace,
    limit: READ,
    until: asOf === undefined ? undefined : asOf + 1,
  });
  const [best] = [...found].sort((a, b) => b.score - a.score || b.at.localeCompare(a.at));
  if (!best || best.score < WEAKER) return undefined;
  const yieldToOthers = createYielding(deps.elapsed);
  const read = (
    await deps.search.read(scope, text, { texts: [{ id: 0, value: best.text }], yieldToOthers })
  ).get(0);
  return citationOf(best, read && quotedFrom(best.text, read), explain);
}

function citationOf(
  { session, entry, at, text, score }: AskEntry,
  read: QuotedText | undefined,
  explain: boolean,
): Citation {
  return {
    key: entry,
    title: session.title,
    value: text,
    score,
    namespace: session.namespace,
    metadata: {},
    created_at: at,
    updated_at: at,
    date: at,
    quote: read?.quote ?? text.slice(0, 600).toWellFormed(),
    ...(read && { passage: read.passage }),
    session: { id: session.id, title: session.title, entry },
    ...(explain && { why: { streams: [], boosts: [] } }),
  };
}
