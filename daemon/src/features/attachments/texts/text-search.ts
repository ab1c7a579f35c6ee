import type { AccountId, Readable } from '@reverie/shared/accounts/caller';
import type { FileHit } from '@reverie/shared/contract/search/file-hit';
import { EVERY_NAMESPACE } from '@reverie/shared/contract/fields';
import type { Passage } from '@reverie/shared/contract/search/passage';
import { turnOfOnesOwn } from '@reverie/shared/time/turns';
import type { ReadDb, Store } from '../../../db/open-store.ts';
import { narrowedMatch } from '../../../db/text-indexes.store.ts';
import type { PrepareTextQuery } from '../../../db/text-query.ts';
import { createYielding } from '../../../platform/yielding.ts';
import { attachmentsNamed, linksByName, placesOf } from '../attachments.store.ts';
import { fileNamed, resolveFile } from '../naming.ts';
import { bodyOf, fileTexts, matchPieces, type PieceHit } from './texts.store.ts';

export interface TextSearchDeps {
  store: Store;
  otherQuery: PrepareTextQuery;
}

/** What is looked for in the PDFs that memories name. */
export interface WantedFiles {
  account: AccountId;
  query: string;
  namespace: string;
  /** Namespaces that `*` stands for; all where this is missing. */
  readable: Readable | undefined;
  /** Memories that may be named by what is found; all where this is missing. */
  among: ReadonlySet<number> | undefined;
  /** Queries of FTS5: all of these, and none of those. */
  having: readonly string[];
  lacking: readonly string[];
  threshold: number;
  limit: number;
}

/** Pieces with words of the query that are looked at until so many are of files that may be found, and read. */
const LOOKED_AT = 600;
const CANDIDATES = 20;
/** Memories that are told of those that name a file. */
const MOST_KEYS = 10;

/** Finds what the PDFs say that memories name: of each file the page that fits best, by words. */
export async function searchFiles(deps: TextSearchDeps, wanted: WantedFiles): Promise<FileHit[]> {
  const { store } = deps;
  const { account, query, threshold, limit } = wanted;
  if (!store.read((db) => fileTexts.has(db, account))) return [];
  const yieldToOthers = createYielding();
  const { match, read } = deps.otherQuery({ account, text: query }, fileTexts.about(store, account));
  if (match === undefined) return [];
  // Of its own, for FTS5 is asked for all of them at once.
  await turnOfOnesOwn();
  const found = store.read((db) =>
    matchPieces(db, account, { match: narrowedMatch(match, wanted), limit: LOOKED_AT }),
  );
  const best = found[0]?.rank ?? 0;
  const hits = new Map<string, FileHit>();
  for await (const { n, page, rank, place } of ofNamedFiles(deps, wanted, found)) {
    await yieldToOthers();
    const body = store.read((db) => bodyOf(db, n));
    const fit = body === undefined ? undefined : await read(body, best < 0 ? rank / best : 0, yieldToOthers);
    if (!fit || fit.score < threshold) continue;
    const before = hits.get(place.hash);
    if (!before || before.score < fit.score)
      hits.set(place.hash, { ...place, page, score: fit.score, passage: fromItsBeginning(fit.passage) });
  }
  return [...hits.values()].sort((a, b) => b.score - a.score || a.path.localeCompare(b.path)).slice(0, limit);
}

type Place = Pick<FileHit, 'namespace' | 'path' | 'hash' | 'keys'>;

/** The first pieces that are of a file which a memory names that may be found, with where that is. */
async function* ofNamedFiles(
  { store }: Pick<TextSearchDeps, 'store'>,
  wanted: WantedFiles,
  found: readonly PieceHit[],
): AsyncGenerator<PieceHit & { place: Place }> {
  const yieldToOthers = createYielding();
  const places = new Map<string, Place | undefined>();
  let count = 0;
  for (const piece of found) {
    if (!places.has(piece.hash)) {
      await yieldToOthers();
      places.set(
        piece.hash,
        store.read((db) => placeOf(db, wanted, piece.hash)),
      );
    }
    const place = places.get(piece.hash);
    if (!place) continue;
    yield { ...piece, place };
    count += 1;
    if (count === CANDIDATES) return;
  }
}

/** Where a file is that may be found, and which memories name it there; undefined where none does. */
function placeOf(
  db: ReadDb,
  { account, namespace, readable = () => true, among }: WantedFiles,
  hash: string,
): Place | undefined {
  for (const place of placesOf(db, account, hash)) {
    if (namespace === EVERY_NAMESPACE ? !readable(place.namespace) : place.namespace !== namespace) continue;
    const at = { account, namespace: place.namespace };
    const find = (name: string) => attachmentsNamed(db, at, name).map(({ path }) => fileNamed(path));
    const keys = new Set<string>();
    for (const { id, key, from, ...link } of linksByName(db, at, place.name)) {
      if (keys.size === MOST_KEYS) break;
      if (among?.has(id) === false || keys.has(key)) continue;
      if (resolveFile(link, from, find) === place.path) keys.add(key);
    }
    if (keys.size > 0) return { namespace: place.namespace, path: place.path, hash, keys: [...keys] };
  }
  return undefined;
}

/** A passage whose places count from where it begins: what stands around it is shown to nobody. */
function fromItsBeginning({ text, start, marks }: Passage): Passage {
  return {
    text,
    start: 0,
    end: text.length,
    marks: marks.map(([from, to]) => [from - start, to - start] as const),
  };
}
