import { WORDING_WORTH } from '@reverie/shared/contract/fields';
import {
  type PiecewiseDeps,
  prepareQuery,
  type PreparedQueries,
  type Query,
  type SearchScope,
} from './query.ts';
import { sharedOut } from './terms.ts';

/** One way to say what is looked for. */
export interface Wording {
  readonly text: string;
  /** The query itself, as it was typed: what is misspelt is corrected in it alone. */
  readonly isOwn: boolean;
  /** What its scores are multiplied by. */
  readonly worth: number;
}

/** The query and its further wordings, each once, without blank ones; the query alone where nothing else is left. */
export function wordingsOf(query: string, queries: readonly string[] = []): readonly Wording[] {
  const own: Wording = { text: query, isOwn: true, worth: 1 };
  const texts = new Map(queries.map((text) => [text.trim(), text]));
  texts.delete('');
  texts.delete(query.trim());
  const others = [...texts.values()].map((text): Wording => ({ text, isOwn: false, worth: WORDING_WORTH }));
  return query.trim() === '' && others.length > 0 ? others : [own, ...others];
}

/** The score that a wording gives a memory that it alone would give `score`. */
export function worthOf(score: number, { worth }: Wording): number {
  return Math.round(score * worth * 1e6) / 1e6;
}

/** A wording that was read, and where it is looked for. */
export interface PreparedWording extends Wording {
  readonly query: Query;
  readonly scope: SearchScope & { readonly prepared: PreparedQueries };
}

/**
 * Reads all wordings of one search, which together look for no more than one query may; none where there is no such namespace.
 */
export async function prepareWordings(
  deps: PiecewiseDeps,
  scope: SearchScope & { readonly prepared: PreparedQueries },
  wordings: readonly Wording[],
): Promise<readonly PreparedWording[]> {
  const { read } = deps.store;
  const prepared: PreparedWording[] = [];
  for (const wording of wordings) {
    await deps.yieldToOthers();
    const place = wording.isOwn ? scope : { ...scope, corrections: [] };
    const query = read((db) => prepareQuery(db, deps, { ...place, text: wording.text }));
    if (query) prepared.push({ ...wording, query, scope: place });
  }
  if (prepared.length < 2) return prepared;
  const [{ query: first }] = prepared as [PreparedWording];
  await deps.yieldToOthers();
  const terms = read(() =>
    sharedOut(
      prepared.map(({ query }) => query.terms),
      first.costOf,
    ),
  );
  return prepared.map((wording, at) => {
    const kept = terms[at] ?? [];
    const of = wording.query.cut?.of ?? wording.query.terms.length;
    const cut = kept.length < of ? { terms: kept.length, of } : undefined;
    const query = { ...wording.query, terms: kept, cut };
    scope.prepared.set(wording.text, query);
    return { ...wording, query };
  });
}
