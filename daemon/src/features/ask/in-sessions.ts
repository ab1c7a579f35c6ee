import type { Caller } from '@reverie/shared/accounts/caller';
import type { askMemory, Certainty, Citation } from '@reverie/shared/contract/ask';
import type { Parsed, Reply } from '@reverie/shared/contract/route';
import { passageAt } from '../../language/passage-at.ts';
import { createYielding, type YieldToOthers } from '../../platform/yielding.ts';
import { dayOf, quoteFrom } from './answer.ts';
import { ask, type AskDeps } from './ask.service.ts';
import type { AskEntry, AskSessions } from './ports.ts';
import { MOST_READ, pointOf, spoken } from './question/phrasing.ts';
import { type Question, understand } from './question/question.ts';
import { type EvidenceDeps, evidenceIn } from './reading/evidence.ts';
import { readMemory } from './reading/passages.ts';
import { type Answering, scoreBy } from './reading/reranking.ts';
import { judge } from './without-model/certainty.ts';

/** Entries that are read sentence by sentence, and characters of each. */
const READ = 8;
const CHARACTERS = 6_000;

/** What a session says to a question. */
interface SaidInSession {
  /** Never more than `likely`: what was said on the way need not be what holds. */
  readonly certainty: Exclude<Certainty, 'sure' | 'none'>;
  readonly citation: Citation;
}

export interface AskSessionsDeps extends AskDeps {
  sessions: AskSessions;
}

type Asked = Parsed<typeof askMemory>['body'];
type Answered = Reply<typeof askMemory>;

/**
 * Answers from memories as `ask` does, where they are among the sources; where that is not sure, also from what was said in sessions
 * (docs/decisions/0050). Sessions are quoted by rules alone: no model is shown them.
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
    : { answer: NOTHING, citations: [], latency_ms: 0, found: false, certainty: 'none', model: null };
  if (reply.certainty === 'sure' || !asked.sources.includes('sessions') || gone.aborted) return reply;
  const asOf = asked.as_of === undefined ? undefined : Date.parse(asked.as_of);
  const scope = { account, namespace: asked.namespace, readable, asOf, among: undefined };
  const tagWords = await deps.tagger();
  const question = understand(
    {
      text: pointOf(spoken(asked.question.slice(0, MOST_READ).toWellFormed())),
      isPast: asOf !== undefined,
      now: new Date(asked.now === undefined ? (asOf ?? deps.now()) : Date.parse(asked.now)),
    },
    {
      rarity: (words) => deps.search.rarity(scope, words),
      ...{ tagWords, nameConcepts: deps.nameConcepts },
    },
  );
  const yieldToOthers = createYielding(deps.elapsed);
  const wanted = { caller, namespace: asked.namespace, asOf, explain: asked.explain };
  const said = await saidInSessions({ ...deps, yieldToOthers }, question, wanted);
  const { answer, certainty, citations } = withSession(reply, said);
  const { elsewhere, understood, ...rest } = reply;
  const found = certainty !== 'none';
  return {
    ...rest,
    ...{ answer, certainty, found, citations: [...citations] },
    latency_ms: Math.round(deps.elapsed() - from),
    ...(elsewhere && certainty !== 'sure' && certainty !== 'likely' && { elsewhere }),
    ...(understood && { understood: found ? answeredAfterAll(understood) : understood }),
  };
}

/** How a question was understood, without why memory alone does not answer it. */
function answeredAfterAll({ abstained: _, ...understood }: NonNullable<Answered['understood']>) {
  return understood;
}

const NOTHING = 'Nothing that was said in sessions answers this.';

interface SessionsDeps extends EvidenceDeps {
  sessions: AskSessions;
  yieldToOthers: YieldToOthers;
}

/** What is asked of sessions. */
interface AskedOfSessions {
  readonly caller: Pick<Caller, 'account' | 'within' | 'readable'>;
  readonly namespace: string;
  readonly asOf: number | undefined;
  readonly explain: boolean;
}

/** The sentence of a session that answers best, judged as those of memories are; undefined where none is near. */
async function saidInSessions(
  deps: SessionsDeps,
  question: Question,
  { caller, namespace, asOf, explain }: AskedOfSessions,
): Promise<SaidInSession | undefined> {
  if (question.words.length === 0) return undefined;
  const found = await deps.sessions(caller, {
    ...{ question: question.asked, namespace, limit: READ },
    until: asOf === undefined ? undefined : asOf + 1,
  });
  const anchors = [...question.words].sort((a, b) => b.weight - a.weight).map(({ text }) => text);
  const { nameConcepts } = deps;
  const ranked: (Answering & { readonly entry: AskEntry })[] = [];
  for (const [at, entry] of found.entries()) {
    await deps.yieldToOthers();
    const memory = asMemory(entry, at);
    const read = readMemory(memory, { anchors, nameConcepts, characters: CHARACTERS });
    const seen = { base: entry.score, place: at + 1, evidence: evidenceIn(deps, question, read) };
    ranked.push({ memory, entry, ...seen, ...scoreBy(seen) });
  }
  ranked.sort((a, b) => b.score - a.score || b.entry.at.localeCompare(a.entry.at));
  const [best] = ranked;
  const { certainty } = judge(question, ranked);
  if (!best || certainty === 'none') return undefined;
  return {
    certainty: certainty === 'sure' ? 'likely' : certainty,
    citation: citationOf(best, question, explain),
  };
}

/** An entry as what judges memories reads it: called as its session is, and said when it was said. */
function asMemory({ session, at, text }: AskEntry, place: number): Answering['memory'] {
  return {
    ...{ id: -1 - place, key: session.title, value: text, namespace: session.namespace },
    ...{ metadata: { timestamp: at }, created_at: at, updated_at: at },
  };
}

function citationOf(
  { entry: { session, entry, at, text }, score, evidence, boosts }: Answering & { readonly entry: AskEntry },
  question: Question,
  explain: boolean,
): Citation {
  const sought = question.words.flatMap(({ role, stem }) => (role === 'scaffold' ? [] : [[stem]]));
  const place = evidence.quote ?? evidence.passage;
  return {
    ...{ key: entry, title: session.title, value: text, score, namespace: session.namespace },
    ...{ metadata: {}, created_at: at, updated_at: at, date: at },
    quote: quoteFrom({ evidence }) ?? text.slice(0, 600).toWellFormed(),
    ...(place && { passage: passageAt(text, place, sought) }),
    session: { id: session.id, title: session.title, entry },
    ...(explain && { why: { streams: [], boosts: [...boosts] } }),
  };
}

/** An answer with its certainty and what it cites. */
type Answer = Pick<Answered, 'answer' | 'certainty'> & { readonly citations: readonly Citation[] };

const ORDER: readonly Certainty[] = ['none', 'unsure', 'likely', 'sure'];
const CLOSEST = 'Not sure. The closest in sessions:';

/**
 * Joins what memory answers with what a session says: where the session is surer, it is the answer and memory is only cited; where both are
 * as sure, it is added behind; where it is less sure, it is left out.
 */
export function withSession(memory: Answer, said: SaidInSession | undefined): Answer {
  if (!said || ORDER.indexOf(said.certainty) < ORDER.indexOf(memory.certainty)) return memory;
  const { citation, certainty } = said;
  const line = `"${citation.quote}" — ${citation.title}, ${dayOf(citation.created_at)}`;
  if (said.certainty !== memory.certainty) {
    const head = certainty === 'unsure' ? CLOSEST : 'In sessions:';
    return { answer: `${head}\n${line}`, certainty, citations: [citation, ...memory.citations] };
  }
  return {
    answer: `${memory.answer}\nIn sessions:\n${line}`,
    certainty,
    citations: [...memory.citations, citation],
  };
}
