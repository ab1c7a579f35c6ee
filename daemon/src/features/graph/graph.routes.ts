import type { Caller } from '@reverie/shared/accounts/caller';
import { Metadata } from '@reverie/shared/contract/fields';
import { type GraphLink, type GraphNode, memoryGraph } from '@reverie/shared/contract/graph';
import { Problem } from '@reverie/shared/contract/problems';
import type { Mount } from '@reverie/shared/http/mount';
import type { Store } from '../../db/open-store.ts';
import { titleOf } from '../../language/title.ts';
import { findNamespace, findNode, newestNodes, type NodeRow, nodesById } from './graph.store.ts';
import type { FindLinks } from './links.ts';
import { type Link, walk } from './walk.ts';

export interface GraphDeps {
  store: Store;
  /** One for each kind of link. */
  finders: readonly FindLinks[];
}

const EXCERPT = 160;
/** Memories that are looked at for one to begin with. */
const BEGINNINGS = 12;

export function graphRoutes(mount: Mount<Caller>, { store, finders }: GraphDeps): void {
  mount(memoryGraph, ({ query, caller: { account } }) =>
    store.read((db) => {
      const nothing = { namespace: query.namespace, center: null, nodes: [], links: [] };
      const namespaceId = findNamespace(db, account, query.namespace);
      if (namespaceId === undefined && query.key === undefined) return nothing;
      const at = { account, namespaceId: namespaceId ?? 0 };
      const linksOf = (memoryId: number) => finders.flatMap((find) => find(db, { ...at, memoryId }));
      const center =
        query.key === undefined
          ? beginning(newestNodes(db, { ...at, limit: BEGINNINGS }), linksOf)
          : findNode(db, { ...at, key: query.key });
      if (!center) {
        if (query.key === undefined) return nothing;
        throw new Problem('memory_not_found', `No memory ${query.key} in ${query.namespace}`);
      }
      const { hops, links } = walk(center.id, query.limit, linksOf);
      const rows = nodesById(db, { ...at, ids: [...hops.keys()] });
      const key = (id: number) => rows.get(id)?.key;
      return {
        namespace: query.namespace,
        center: center.key,
        nodes: [...hops].flatMap(([id, distance]) => {
          const row = rows.get(id);
          return row ? [toNode(row, distance)] : [];
        }),
        links: links.flatMap(({ from, to, kind, why, weight }): GraphLink[] => {
          const [a, b] = [key(from), key(to)];
          return a === undefined || b === undefined ? [] : [{ from: a, to: b, kind, why, weight }];
        }),
      };
    }),
  );
}

/** The newest memory from which there is somewhere to go, else the newest. */
function beginning(
  newest: readonly NodeRow[],
  linksOf: (id: number) => readonly Link[],
): NodeRow | undefined {
  return newest.find(({ id }) => linksOf(id).length > 0) ?? newest[0];
}

function toNode(row: NodeRow, hops: number): GraphNode {
  const short = row.head.length > EXCERPT ? `${row.head.slice(0, EXCERPT - 1).trimEnd()}…` : row.head;
  return {
    key: row.key,
    title: titleOf(row.head, Metadata.parse(JSON.parse(row.metadata))),
    excerpt: short.toWellFormed(),
    class: row.class,
    created_at: new Date(row.created_at).toISOString(),
    hops,
  };
}
