import type { AccountId } from '@reverie/shared/accounts/caller';
import type { Insight, InsightChange, InsightState } from '@reverie/shared/contract/dreams';
import type { Strategy } from '@reverie/shared/contract/dream-strategies';
import { Problem } from '@reverie/shared/contract/problems';
import type { Author } from '../../../db/change.ts';
import type { ReadDb, WriteDb } from '../../../db/open-store.ts';
import { carryOut, takeBack, type Undo } from './changes.ts';
import { valueDigest } from './fingerprint.ts';
import { insightEvent, memoryKeyOf } from './insight-event.ts';
import {
  bestInsights,
  type Decided,
  evidenceOf,
  findInsight,
  type InsightFilter,
  type InsightRow,
  newestInsights,
  saveDecision,
  saveDigest,
  toInsight,
} from './insights.store.ts';
import type { InsightDeps } from '../deps.ts';

export interface InsightPage {
  namespace?: string | undefined;
  status?: InsightState | undefined;
  job?: string | undefined;
  strategy?: Strategy | undefined;
  order: 'newest' | 'best';
  limit: number;
  cursor?: string | undefined;
}

/** A page of insights, newest or strongest first. */
export function listInsights(
  { store }: Pick<InsightDeps, 'store'>,
  account: AccountId,
  page: InsightPage,
): { insights: Insight[]; next: string | null } {
  return store.read((db) => {
    const filter: InsightFilter = {
      account,
      namespace: page.namespace ?? null,
      status: page.status ?? null,
      job: page.job ?? null,
      strategy: page.strategy ?? null,
      limit: page.limit,
    };
    const rows =
      page.order === 'newest'
        ? newestInsights(db, filter, page.cursor ?? null)
        : bestInsights(db, filter, page.cursor === undefined ? null : placeOf(page.cursor));
    const last = rows.length === page.limit ? rows.at(-1) : undefined;
    return {
      insights: rows.map((row) => shown(db, row)),
      next: last === undefined ? null : page.order === 'newest' ? last.id : `${last.score}_${last.id}`,
    };
  });
}

function placeOf(cursor: string): { score: number; id: string } {
  const at = cursor.indexOf('_');
  const score = Number(cursor.slice(0, at));
  if (at < 1 || Number.isNaN(score))
    throw new Problem('invalid_request', 'cursor: must be the `next` of a page before, of the same order', {
      errors: [{ path: 'cursor', message: 'must be the `next` of a page before, of the same order' }],
    });
  return { score, id: cursor.slice(at + 1) };
}

/** One insight. Throws `insight_not_found`. */
export function getInsight({ store }: Pick<InsightDeps, 'store'>, account: AccountId, id: string): Insight {
  return store.read((db) => shown(db, existing(db, account, id)));
}

function shown(db: ReadDb, row: InsightRow): Insight {
  return toInsight(row, evidenceOf(db, row.id));
}

function existing(db: ReadDb, account: AccountId, id: string): InsightRow {
  const row = findInsight(db, account, id);
  if (!row) throw new Problem('insight_not_found', `There is no insight ${JSON.stringify(id)}`);
  return row;
}

/** Keeps an insight as a memory and carries out what it proposes, in one transaction. Throws `conflict`. */
export function acceptInsight(deps: InsightDeps, author: Author, id: string): Insight {
  return deps.store.write((db) => {
    const row = existing(db, author.account, id);
    if (row.status === 'accepted') return shown(db, row);
    if (row.status === 'rejected')
      throw new Problem('conflict', 'The insight was rejected; undo that before you accept it');
    refuseChanged(db, deps, row);
    // From here on what is written counts as a change of an accepted insight's sources, not of a proposal's.
    decide(db, row, { status: 'accepted', undo: null, stale: '[]', decided_at: deps.clock.now() });
    const where = { memories: deps.memories, author, namespace: row.namespace };
    const undo = carryOut(db, where, changeOf(row));
    deps.memories.write(db, author, {
      namespace: row.namespace,
      key: memoryKeyOf(id),
      value: memoryText(row),
      metadata: memoryMetadata(db, row),
    });
    const decided = decide(db, row, {
      status: 'accepted',
      undo: JSON.stringify(undo),
      stale: '[]',
      decided_at: deps.clock.now(),
    });
    followSources(db, deps, decided);
    return tell(db, deps, { row: decided, before: row.status, type: 'insight.accepted', author });
  });
}

/** Refuses an insight for good. Throws `conflict` for an accepted one. */
export function rejectInsight(deps: InsightDeps, author: Author, id: string): Insight {
  return deps.store.write((db) => {
    const row = existing(db, author.account, id);
    if (row.status === 'rejected') return shown(db, row);
    if (row.status === 'accepted')
      throw new Problem('conflict', 'The insight was accepted; undo that before you reject it');
    const decided = decide(db, row, {
      status: 'rejected',
      undo: null,
      stale: row.stale,
      decided_at: deps.clock.now(),
    });
    return tell(db, deps, { row: decided, before: row.status, type: 'insight.rejected', author });
  });
}

/** Takes back a decision: memories are as they were before it, byte for byte, and the insight is proposed again. Throws `conflict`. */
export function undoInsight(deps: InsightDeps, author: Author, id: string): Insight {
  return deps.store.write((db) => {
    const row = existing(db, author.account, id);
    if (row.status === 'proposed') throw new Problem('conflict', 'Nobody decided on the insight yet');
    if (row.status === 'accepted') {
      takeBack(db, { memories: deps.memories, author, namespace: row.namespace }, undoOf(row));
      removeMemory(db, deps, { author, row });
    }
    const { stale } = findInsight(db, author.account, id) ?? row;
    const decided = decide(db, row, { status: 'proposed', undo: null, stale, decided_at: null });
    followSources(db, deps, decided);
    return tell(db, deps, {
      row: existing(db, author.account, id),
      before: row.status,
      type: 'insight.generated',
      author,
    });
  });
}

/** The memory of an insight goes with its acceptance; one that a person went on writing is theirs. */
function removeMemory(
  db: WriteDb,
  { memories }: Pick<InsightDeps, 'memories'>,
  { author, row }: { author: Author; row: InsightRow },
): void {
  const at = { account: author.account, namespace: row.namespace, key: memoryKeyOf(row.id) };
  if (memories.find(db, at)?.value === memoryText(row)) memories.remove(db, author, at);
}

function changeOf(row: InsightRow): InsightChange | null {
  return row.change === null ? null : (JSON.parse(row.change) as InsightChange);
}

function undoOf(row: InsightRow): Undo {
  if (row.undo === null)
    throw new Problem(
      'conflict',
      'A memory that it changed was deleted since, and with it what it said before',
    );
  return JSON.parse(row.undo) as Undo;
}

function memoryText({ title, body }: Pick<InsightRow, 'title' | 'body'>): string {
  return body === '' ? title : `${title}\n\n${body}`;
}

function memoryMetadata(db: ReadDb, row: InsightRow) {
  const keys = [...new Set(evidenceOf(db, row.id).map(({ key }) => key))];
  const change = changeOf(row);
  return {
    source: 'dream',
    strategy: row.strategy,
    confidence: row.confidence,
    // At most 64 KiB of metadata in all.
    evidence: keys.slice(0, 100),
    ...(change?.kind === 'link' && { link: { from: change.from, to: change.to } }),
  };
}

function refuseChanged(db: ReadDb, { memories }: Pick<InsightDeps, 'memories'>, row: InsightRow): void {
  const isStale = row.stale !== '[]';
  for (const { key, digest } of evidenceOf(db, row.id)) {
    const memory = memories.find(db, { account: row.account, namespace: row.namespace, key });
    if (isStale || !memory || memory.hidden !== null || !valueDigest(memory.value).equals(digest))
      throw new Problem('conflict', `The memory ${key} is not as it was when this was proposed`);
  }
}

function decide(db: WriteDb, row: InsightRow, decided: Decided): InsightRow {
  saveDecision(db, row.id, decided);
  return { ...row, ...decided };
}

/** After a change of its own: the sources that still say what it rests on are its sources as they are now; the others are stale. */
function followSources(db: WriteDb, { memories }: Pick<InsightDeps, 'memories'>, row: InsightRow): void {
  const stale = new Set<string>();
  const change = changeOf(row);
  for (const { memory_id, key, sentence } of evidenceOf(db, row.id)) {
    const memory = memories.find(db, { account: row.account, namespace: row.namespace, key });
    const isOwnUpdate = row.status === 'accepted' && change?.kind === 'update' && change.key === key;
    if (memory && (isOwnUpdate || memory.value.includes(sentence)))
      saveDigest(db, { insightId: row.id, memoryId: memory_id }, valueDigest(memory.value));
    else stale.add(key);
  }
  const gone = (JSON.parse(row.stale) as string[]).filter(
    (key) => !memories.find(db, { account: row.account, namespace: row.namespace, key }),
  );
  saveDecision(db, row.id, { ...row, stale: JSON.stringify([...new Set([...gone, ...stale])]) });
}

interface Told {
  row: InsightRow;
  before: InsightState;
  type: 'insight.accepted' | 'insight.rejected' | 'insight.generated';
  author: Author;
}

function tell(
  db: WriteDb,
  { record }: Pick<InsightDeps, 'record'>,
  { row, before, type, author }: Told,
): Insight {
  const evidence = evidenceOf(db, row.id);
  record(db, insightEvent(row, { type, author, before: { id: row.id, status: before }, evidence }));
  return toInsight(findInsight(db, row.account, row.id) ?? row, evidence);
}
