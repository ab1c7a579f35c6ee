import type { AccountId } from '@reverie/shared/accounts/caller';
import type { LinkKind } from '@reverie/shared/contract/search/graph';
import type { ReadDb } from '../../db/open-store.ts';
import { nearMemories, type Vectors } from './near.ts';
import type { LinkTo } from './walk.ts';

/** The ids of a memory, its account and its namespace, as those need them who find its links. */
interface Standing {
  readonly account: AccountId;
  readonly namespaceId: number;
  readonly memoryId: number;
}

/** Says what a memory is linked to, for one reason. */
export interface FindLinks {
  readonly kind: LinkKind;
  find(db: ReadDb, at: Standing): readonly LinkTo[];
}

/** What other features know of links between memories. */
interface KnownLinks {
  /** Memories that one links to by the words `text`, or that link to it so. */
  links(
    db: ReadDb,
    at: Standing & { limit: number },
  ): readonly { id: number; text: string; isFrom: boolean }[];
  /** The memories right before and right after one in its session. */
  session(db: ReadDb, at: Standing): readonly { id: number }[];
  /** Memories that an insight of a dream names beside one. */
  insights(
    db: ReadDb,
    at: Standing & { limit: number },
  ): readonly { memory_id: number; title: string; confidence: number }[];
  /** Memories with facts about the same subject. */
  facts(db: ReadDb, at: Standing & { limit: number }): readonly { memory_id: number; quote: string }[];
  vectors(db: ReadDb, namespaceId: number): Vectors;
}

/** Links of one kind that a memory has at most. */
const EACH = 8;
/** Everything has nearest ones, so that more of them would hide what is said. */
const NEAREST = 4;
/** How strong a link is: what a person wrote, a session and a dream's insight are said, what is near is only likely. */
const NEAR = 0.6;
const WEIGHT = { link: 1, session: 0.9, fact: 0.7 } as const;

/** Finds the links of a memory, one kind after the other, and says how strong each is. */
export function linkFinders(known: KnownLinks): FindLinks[] {
  return [
    {
      kind: 'link',
      find: (db, at) =>
        known.links(db, { ...at, limit: EACH }).map(({ id, text, isFrom }) => ({
          to: id,
          kind: 'link',
          why: isFrom ? `it links there as “${text}”` : `links to it as “${text}”`,
          weight: WEIGHT.link,
        })),
    },
    {
      kind: 'session',
      find: (db, at) =>
        known.session(db, at).map(({ id }) => ({
          to: id,
          kind: 'session',
          why: 'next to it in the same conversation',
          weight: WEIGHT.session,
        })),
    },
    {
      kind: 'insight',
      find: (db, at) =>
        known.insights(db, { ...at, limit: EACH }).map(({ memory_id, title, confidence }) => ({
          to: memory_id,
          kind: 'insight',
          why: title,
          weight: confidence,
        })),
    },
    {
      kind: 'fact',
      find: (db, at) =>
        known.facts(db, { ...at, limit: EACH }).map(({ memory_id, quote }) => ({
          to: memory_id,
          kind: 'fact',
          why: `“${quote}”`,
          weight: WEIGHT.fact,
        })),
    },
    {
      kind: 'similar',
      find: (db, { namespaceId, memoryId }) =>
        nearMemories(db, known.vectors(db, namespaceId), { memoryId, limit: NEAREST }).map(
          ({ memoryId: to, cosine }) => ({
            to,
            kind: 'similar',
            why: 'close to it in meaning',
            weight: Math.min(1, Math.max(0, cosine)) * NEAR,
          }),
        ),
    },
  ];
}
