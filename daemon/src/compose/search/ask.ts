import type { AccountId } from '@reverie/shared/accounts/caller';
import { askLimits } from '@reverie/shared/contract/search/ask';
import { EVERY_NAMESPACE } from '@reverie/shared/contract/fields';
import type { ReadDb, Store } from '../../db/open-store.ts';
import {
  type AskedRow,
  changedAfter,
  findAsked,
  findAskedAt,
  madeUntil,
  newestAsked,
  turnsAround,
} from '../../features/ask/ask.store.ts';
import { askRoutes } from '../../features/ask/ask.routes.ts';
import type { AskDeps } from '../../features/ask/ask.service.ts';
import type {
  AskFacts,
  AskHit,
  AskMemories,
  AskMemory,
  AskSearch,
  AskSessions,
  AskScope,
  ReadText,
} from '../../features/ask/ports.ts';
import { namespacesOf } from '../../features/memories/reading/narrowing.ts';
import { visibleTo, whyKept } from '../../features/memories/namespaces/privacy.ts';
import { elsewhere } from '../../features/search/everywhere/elsewhere.ts';
import { loadVectors, searchedIn } from '../../features/search/everywhere/searched.ts';
import type { AskNamespace } from '../../features/dreams/jobs/run-deps.ts';
import { withDatesWritten } from '../../features/search/query/expand.ts';
import { createReading } from '../../features/search/hits/passage.ts';
import { prepareQuery, type RankingDeps } from '../../features/search/query/query.ts';
import { gather, hitsOfMemory, rank } from '../../features/search/ranking/rank.ts';
import { respelledQuestion } from '../../features/search/spelling/respelled-question.ts';
import { type StreamHit, vectorStream, wordsStream } from '../../features/search/vectors/streams.ts';
import { languageOf } from '../../features/search/query/query-language.ts';
import { queryTerms } from '../../features/search/query/terms.ts';
import { notedDay } from '../../language/notes/noted-day.ts';
import { loadOrdinaryWords } from '../../language/words/ordinary-words.ts';
import { loadTagWords } from '../../language/words/parts-of-speech.ts';
import type { LanguageModel } from '../../models/language-model.ts';
import type { OnBehalf } from '../models/models.ts';
import type { PrepareQueries } from '../../features/search/ports.ts';
import type { Clock } from '../../platform/clock.ts';
import type { TellAnchors } from '../../platform/tell-anchors.ts';
import type { Part } from '../parts.ts';

/** Turns after and before one that are read with it. */
const TURNS = { after: 2, before: 1 } as const;

/** The memories as ask reads them. */
export function askMemories({ store }: { store: Store }): AskMemories {
  const place = (db: ReadDb, scope: Omit<AskScope, 'among'>) => ({
    namespaces: namespacesOf(db, scope.account, scope).map(({ id }) => id),
    at: scope.asOf ?? Number.MAX_SAFE_INTEGER,
  });
  const wanted = (db: ReadDb, scope: Omit<AskScope, 'among'>, limit: number) => ({
    ...place(db, scope),
    limit,
  });
  return {
    byId({ account, asOf }, ids) {
      const rows = store.read((db) =>
        asOf === undefined ? findAsked(db, account, ids) : findAskedAt(db, account, { ids, at: asOf }),
      );
      return new Map(rows.map((row) => [row.id, toAsked(row)]));
    },
    newest: (scope, limit) => store.read((db) => newestAsked(db, scope.account, wanted(db, scope, limit))),
    existing(scope) {
      const ids = store.read((db) => madeUntil(db, scope.account, place(db, scope)));
      return ids && new Set(ids);
    },
    changedSince: (scope, limit) =>
      store.read((db) => changedAfter(db, scope.account, wanted(db, scope, limit))),
    around: ({ account }, ids) =>
      store.read((db) => [...new Set(ids.flatMap((id) => turnsAround(db, account, { id, ...TURNS })))]),
  };
}

function toAsked(row: AskedRow): AskMemory {
  const metadata = JSON.parse(row.metadata) as AskMemory['metadata'];
  return {
    ...row,
    metadata,
    noted: notedDay({ ...row, metadata }),
    created_at: new Date(row.created_at).toISOString(),
    updated_at: new Date(row.updated_at).toISOString(),
  };
}

/** The indexes as ask uses them. */
export function askSearch({
  store,
  prepare,
  ...deps
}: RankingDeps & { store: Store; prepare?: AskParts['prepare'] }): AskSearch {
  const place = ({ account, namespace, readable, among }: AskScope) => ({
    account,
    namespace,
    readable,
    among,
  });
  return {
    expand: withDatesWritten,
    async prepare(scope, queries) {
      await prepare?.(queries, scope);
      await loadVectors({ store, ...deps }, scope);
    },
    respell: (scope, text) => respelledQuestion({ store, spelling: deps.spelling }, text, scope),
    async vectors(scope, queries, { limit, yieldToOthers }) {
      const streaming = { ...deps, store, yieldToOthers };
      return (await vectorStream(streaming, { ...place(scope), queries, limit })).map(toHit);
    },
    async words(scope, queries, { all, limit, yieldToOthers }) {
      const streaming = { ...deps, store, yieldToOthers };
      return (await wordsStream(streaming, { ...place(scope), queries, all, limit })).map(toHit);
    },
    async rank(scope, text, { found, limit, yieldToOthers }) {
      const streams = store.read((db) =>
        found.map(({ name, hits }) => ({
          name,
          hits: hits.flatMap(({ id: memoryId, chunk: chunkId, score }) =>
            hitsOfMemory(db, { memoryId, chunkId, score }),
          ),
        })),
      );
      const ranking = { ...place(scope), query: text, candidates: gather(streams), limit };
      const ranked = await rank({ ...deps, store, yieldToOthers }, ranking);
      return ranked.map(({ memoryId: id, score, why: { boosts } }) => ({ id, score, boosts }));
    },
    async read(scope, text, { texts, yieldToOthers }) {
      const { meanings } = deps;
      const query = store.read((db) => prepareQuery(db, deps, { ...place(scope), text }));
      const found = new Map<number, ReadText>();
      if (!query) return found;
      const read = createReading(query, meanings);
      for (const { id, value } of texts) {
        await yieldToOthers();
        const said = read(value, () => []);
        if (!said) continue;
        const { shown, chosen, fit } = said;
        found.set(id, { passage: shown, row: chosen?.kind === 'row' ? chosen.text : undefined, fit });
      }
      return found;
    },
    wordsOf: (scope, text) =>
      store.read((db) => {
        const { account } = scope;
        const { stopWords } = languageOf(text);
        const terms = queryTerms(text).filter(({ token }) => !stopWords.has(token));
        const all = terms.map(({ token }) => token);
        const searched = searchedIn(db, scope);
        const df = searched && deps.frequencies.of(db, account, searched);
        return { all, unknown: terms.flatMap((term) => (df && df(term) > 0 ? [] : [term.token])) };
      }),
  };
}

const toHit = ({ memoryId: id, chunkId: chunk, score }: StreamHit): AskHit => ({ id, chunk, score });

export interface AskParts extends RankingDeps {
  store: Store;
  clock: Clock;
  facts: AskFacts | undefined;
  /** The language model that is configured, if one is, for whoever asks. */
  model: (who: OnBehalf) => LanguageModel | undefined;
  /** How long it may take for one answer, in ms. */
  timeoutMs: () => number;
  mayUseModel: (account: AccountId) => boolean;
  /** Told which memories a question recalled. */
  recalled: AskDeps['recalled'];
  /** Has a server make the vectors of texts before they are looked for. */
  prepare?: PrepareQueries | undefined;
}

/** The first question would wait for its service: it is loaded once the start, which does not need it, is over. */
async function warm(): Promise<void> {
  await import('../../features/ask/in-sessions.ts');
}

/** Milliseconds after the start when what the first question needs is loaded. */
const WARM_AFTER_MS = 2_000;

const WITHHELD = 'it answers the owner of this machine only (setting llm.for_signed_up)';

/** What ask needs, made of what the daemon has. */
export function askDeps({
  store,
  clock,
  facts,
  model,
  timeoutMs,
  mayUseModel,
  recalled,
  ...indexes
}: AskParts): AskDeps {
  return {
    memories: askMemories({ store }),
    search: askSearch({ store, ...indexes }),
    facts,
    tagger: loadTagWords,
    elsewhere: ({ account, namespace, readable }, { query, here, yieldToOthers }) =>
      elsewhere({ store, ...indexes, yieldToOthers }, { account, namespace, readable, query, here }),
    elapsed: () => performance.now(),
    now: clock.now,
    model(payer, { account, namespace }) {
      const configured = model({ payer, account });
      if (!configured) return undefined;
      if (!mayUseModel(payer)) return { withheld: WITHHELD };
      const { reach = 'beyond' } = configured;
      // Of all at once, what it may not see is left out.
      const withheld =
        namespace === EVERY_NAMESPACE
          ? undefined
          : store.read((db) => whyKept(db, account, { namespace, reach }));
      return withheld === undefined ? { model: configured } : { withheld };
    },
    visibleTo: (account, { reach = 'beyond' }) => store.read((db) => visibleTo(db, account, reach)),
    get timeoutMs() {
      return timeoutMs();
    },
    recalled,
  };
}

/** Joins the parts of ask; the composition root holds it. */
export function createAsk(
  asking: AskParts & {
    sessions: AskSessions;
    tellAnchors: TellAnchors;
    /** What is loaded before the first question, where a model is configured. */
    configured: () => Pick<LanguageModel, 'ready'> | undefined;
  },
): Part & {
  /** Answers a question without the language model: for dreams, which have a budget of their own. */
  ask: AskNamespace;
} {
  const { clock, configured } = asking;
  const deps = askDeps(asking);
  return {
    // A copy would keep the time limit of the start.
    serve: ({ mount }) =>
      askRoutes(mount, Object.assign(askDeps(asking), { sessions: asking.sessions }), asking.tellAnchors),
    start() {
      const warming = clock.every(WARM_AFTER_MS, () => {
        warming.stop();
        // Where something cannot be loaded, the question that needs it says so.
        warm().catch(() => undefined);
        // The same holds for a model, and for what its names are told by.
        const model = configured();
        if (!model) return;
        loadOrdinaryWords();
        loadTagWords().catch(() => undefined);
        model.ready?.().catch(() => undefined);
      });
      return () => warming.stop();
    },
    async ask(account, asked) {
      const { ask } = await import('../../features/ask/ask.service.ts');
      return ask(
        { ...deps, model: () => undefined, recalled: () => undefined },
        { account, payer: account },
        { ...asked, limit: askLimits.citationsMax, explain: false },
      );
    },
  };
}
