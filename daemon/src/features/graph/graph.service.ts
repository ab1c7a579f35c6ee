import type { AccountId } from '@reverie/shared/accounts/caller';
import { Metadata } from '@reverie/shared/contract/fields';
import type { GraphLink, GraphNode, memoryGraph } from '@reverie/shared/contract/search/graph';
import { Problem } from '@reverie/shared/contract/problems';
import type { Parsed, Reply } from '@reverie/shared/contract/route';
import { z } from 'zod';
import type { Store } from '../../db/open-store.ts';
import { isoDay } from '../../language/notes/noted-day.ts';
import { titleOf } from '../../language/notes/title.ts';
import { findNamespace, findNode, newestNodes, type GraphNodeRow, nodesById } from './graph.store.ts';
import type { FindLinks } from './links.ts';
import { type LinkTo, walk } from './walk.ts';

export interface GraphDeps {
  store: Store;
  /** One for each kind of link. */
  finders: readonly FindLinks[];
}

const Tags = z.array(z.string());

const EXCERPT = 160;
/** Memories that are looked at for one to begin with. */
const BEGINNINGS = 12;

/**
 * The memories around one, or around one to begin with where none is named, and what links them. Empty where a namespace
 * has none. Throws `memory_not_found` for a key that is not there.
 */
export function graphAround(
  { store, finders }: GraphDeps,
  account: AccountId,
  asked: Parsed<typeof memoryGraph>['query'],
): Reply<typeof memoryGraph> {
  const { namespace, key, kinds, limit } = asked;
  return store.read((db) => {
    const nothing = { namespace, center: null, nodes: [], links: [] };
    const namespaceId = findNamespace(db, account, namespace);
    if (namespaceId === undefined && key === undefined) return nothing;
    const at = { account, namespaceId: namespaceId ?? 0 };
    const wanted = finders.filter(({ kind }) => kinds?.includes(kind) ?? true);
    const linksOf = (memoryId: number) => wanted.flatMap(({ find }) => find(db, { ...at, memoryId }));
    const newest = key === undefined ? newestNodes(db, { ...at, limit }) : [];
    const center = key === undefined ? beginning(newest, linksOf) : findNode(db, { ...at, key });
    if (!center) {
      if (key === undefined) return nothing;
      throw new Problem('memory_not_found', `No memory ${key} in ${namespace}`);
    }
    const { hops, links } = walk([center.id, ...newest.map(({ id }) => id)], limit, linksOf);
    const rows = nodesById(db, { ...at, ids: [...hops.keys()] });
    const keyOf = (id: number) => rows.get(id)?.key;
    return {
      namespace,
      center: center.key,
      nodes: [...hops].flatMap(([id, distance]) => {
        const row = rows.get(id);
        return row ? [toNode(row, distance)] : [];
      }),
      links: links.flatMap(({ from, to, kind, why, weight }): GraphLink[] => {
        const [a, b] = [keyOf(from), keyOf(to)];
        return a === undefined || b === undefined ? [] : [{ from: a, to: b, kind, why, weight }];
      }),
    };
  });
}

/** The newest memory from which there is somewhere to go, else the newest. */
function beginning(
  newest: readonly GraphNodeRow[],
  linksOf: (id: number) => readonly LinkTo[],
): GraphNodeRow | undefined {
  return newest.slice(0, BEGINNINGS).find(({ id }) => linksOf(id).length > 0) ?? newest[0];
}

function toNode(row: GraphNodeRow, hops: number | undefined): GraphNode {
  const short = row.head.length > EXCERPT ? `${row.head.slice(0, EXCERPT - 1).trimEnd()}…` : row.head;
  return {
    key: row.key,
    title: titleOf(row.head, Metadata.parse(JSON.parse(row.metadata))),
    excerpt: short.toWellFormed(),
    class: row.class,
    created_at: new Date(row.created_at).toISOString(),
    ...(row.noted_at !== null && { noted_at: isoDay(row.noted_at) }),
    tags: Tags.parse(JSON.parse(row.tags)),
    ...(hops !== undefined && { hops }),
  };
}
