import type { AccountId } from '@reverie/shared/accounts/caller';
import type { listFacts } from '@reverie/shared/contract/search/knowledge';
import type { Parsed, Reply } from '@reverie/shared/contract/route';
import type { ReadDb, Store } from '../../db/open-store.ts';
import { stem } from '../../language/words/porter.ts';
import { foldLine, foldText, WORD } from '../../language/words/words.ts';
import { type FactRow, factsOfMemories, listFactRows } from './knowledge.store.ts';

/** A page of the facts of a namespace, newest kept first. `next` is the cursor of the page after it; null on the last. */
export function pageOfFacts(
  { store }: { store: Store },
  account: AccountId,
  query: Parsed<typeof listFacts>['query'],
): Reply<typeof listFacts> {
  const { namespace, subject, predicate, key, as_of, limit, cursor } = query;
  const page = store.read((db) =>
    listFactRows(db, {
      account,
      namespace,
      limit,
      key: key ?? null,
      subject: subject === undefined ? null : foldLine(subject),
      predicate: predicate === undefined ? null : foldLine(predicate),
      asOf: as_of === undefined ? null : Date.parse(as_of),
      before: cursor === undefined ? null : Number(cursor.slice(2)),
    }),
  );
  const last = page.at(-1);
  return {
    facts: page.map((fact) => ({
      id: `fact_${fact.id}`,
      namespace,
      key: fact.key,
      path: [...fact.path],
      subject: subjectOf(fact),
      predicate: fact.predicate,
      said: fact.label,
      object: fact.value,
      sentence: fact.quote,
      origin: fact.origin,
      observed_at: new Date(fact.observedAt).toISOString(),
    })),
    next: page.length === limit && last ? `f.${last.id}` : null,
  };
}

/** What a fact is of: what it stands under, else its memory. */
export function subjectOf({ path, key }: { path: readonly string[]; key: string }): string {
  return path.at(-1) ?? key;
}

/** Facts that are answered at most of each memory. */
const MOST = 5;
/** Of a question with more words a fact has to have two. */
const ENOUGH = 2;

/**
 * Facts of memories that have words of a question in their path, label or value; of each memory those with the most of them first, of
 * several the newest.
 */
export function lookup(
  db: ReadDb,
  account: AccountId,
  { words, ...of }: { ids: readonly number[]; words: readonly string[]; asOf: number | undefined },
): (FactRow & { key: string })[] {
  const wanted = new Set(words.flatMap(stemsOf));
  // The last letter of a stem may be another one in the word.
  const beginnings = [...wanted].map((word) => (word.length > 3 ? word.slice(0, -1) : word));
  const fitting = factsOfMemories(db, account, of)
    .filter(({ origin }) => origin !== 'metadata')
    .map((fact) => {
      const text = foldText(`${fact.path.join(' ')} ${fact.label} ${fact.value}`).toLowerCase();
      const isAsked = beginnings.some((beginning) => text.includes(beginning));
      return { fact, points: isAsked ? wanted.intersection(new Set(stemsOf(text))).size : 0 };
    })
    .filter(({ points }) => points > 0 && points >= Math.min(ENOUGH, wanted.size))
    .sort((a, b) => b.points - a.points);
  return [...Map.groupBy(fitting, ({ fact }) => fact.memoryId).values()].flatMap((facts) =>
    facts.slice(0, MOST).map(({ fact }) => fact),
  );
}

function stemsOf(text: string): string[] {
  return (foldText(text).toLowerCase().match(WORD) ?? []).map(stem);
}
