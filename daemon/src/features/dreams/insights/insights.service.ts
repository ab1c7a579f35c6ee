import type { AccountId, Caller } from '@reverie/shared/accounts/caller';
import type * as contract from '@reverie/shared/contract/dreams/dreams';
import type {
  Insight,
  InsightChange,
  InsightState,
  Resolution,
} from '@reverie/shared/contract/dreams/dreams';
import type { Strategy } from '@reverie/shared/contract/dreams/dream-strategies';
import { Problem } from '@reverie/shared/contract/problems';
import type { Parsed } from '@reverie/shared/contract/route';
import type { Author } from '../../../db/change.ts';
import type { ReadDb, WriteDb } from '../../../db/open-store.ts';
import type { DreamMemories, InsightDeps } from '../deps.ts';
import { carryOut, takeBack } from './changes.ts';
import { disagreementOf, resolutionOf } from './disagreement.ts';
import { keysOf, valueDigest } from './fingerprint.ts';
import { insightEvent, memoryKeyOf } from './insight-event.ts';
import {
  countWaiting,
  type Decided,
  evidenceOf,
  type EvidenceRow,
  findInsight,
  type InsightRow,
  isPlace,
  listInsightRows,
  saveDecision,
  saveDigest,
} from './insights.store.ts';
import { headingOf } from './kinds.ts';

type ReadingDeps = Pick<InsightDeps, 'store' | 'memories'>;
type ListingDeps = ReadingDeps & { clock: Pick<InsightDeps['clock'], 'now'> };

type Asked = Parsed<typeof contract.listInsights>['query'];
export type InsightPage = Omit<Asked, 'strategy'> & { strategy?: Strategy | undefined };

/** A page of insights: the newest or strongest first, or by their kinds; and how many of these namespaces wait for a decision. */
export function listInsights(
  { store, clock, memories }: ListingDeps,
  { account, within }: Pick<Caller, 'account' | 'within'>,
  { order, cursor, limit, ...page }: InsightPage,
): { insights: Insight[]; next: string | null; waiting: number } {
  if (cursor !== undefined && !isPlace(order, cursor)) {
    const message = 'must be the `next` of a page before, of the same order';
    throw new Problem('invalid_request', `cursor: ${message}`, { errors: [{ path: 'cursor', message }] });
  }
  return store.read((db) => {
    const { namespace = null, status = null, job = null, strategy = null, waiting, decided_since } = page;
    const waits = waiting === undefined ? null : waiting === 'true';
    const decidedSince = decided_since === undefined ? null : Date.parse(decided_since);
    const waitingAt = clock.now();
    const of = { account, within, namespace, status, job, strategy, limit, waits, waitingAt, decidedSince };
    const rows = listInsightRows(db, of, { order, after: cursor ?? null });
    return {
      insights: rows.map((row) => shown(db, memories, row)),
      next: rows.length === limit ? (rows.at(-1)?.at ?? null) : null,
      waiting: countWaiting(db, { account, within, namespace, waitingAt }),
    };
  });
}

/** One insight. Throws `insight_not_found`. */
export function getInsight({ store, memories }: ReadingDeps, account: AccountId, id: string): Insight {
  return store.read((db) => shown(db, memories, existing(db, account, id)));
}

/** An insight as the contract shows it. */
function shown(db: ReadDb, memories: DreamMemories, row: InsightRow): Insight {
  const evidence = evidenceOf(db, row.id);
  const change = changeOf(db, memories, { row, evidence });
  return {
    id: row.id,
    namespace: row.namespace,
    job_id: row.job_id,
    strategy: row.strategy,
    heading: headingOf(row.strategy, change),
    title: row.title,
    body: row.body,
    evidence: keysOf(evidence),
    sources: evidence.map(({ key, sentence }) => ({ key, sentence })),
    confidence: row.confidence,
    score: row.score,
    winner: row.winner,
    status: row.status,
    change,
    resolution: row.status === 'accepted' ? resolutionOf(change, row.undo) : null,
    due_on: row.due_on === null ? null : new Date(row.due_on).toISOString().slice(0, 10),
    snoozed_until: row.snoozed_until === null ? null : new Date(row.snoozed_until).toISOString(),
    stale: [...row.stale],
    created_at: new Date(row.created_at).toISOString(),
    decided_at: row.decided_at === null ? null : new Date(row.decided_at).toISOString(),
  };
}

/** What accepting does; a contradiction of before version 12 of the database says no sides, and has them all the same. */
function changeOf(
  db: ReadDb,
  memories: DreamMemories,
  { row, evidence }: { row: InsightRow; evidence: readonly EvidenceRow[] },
): InsightChange | null {
  if (row.change !== null) return row.change;
  if (row.strategy !== 'contradict') return null;
  return disagreementOf(db, memories, { ...row, keys: keysOf(evidence) });
}

function existing(db: ReadDb, account: AccountId, id: string): InsightRow {
  const row = findInsight(db, account, id);
  if (!row) throw notThere(id);
  return row;
}

function notThere(id: string): Problem {
  return new Problem('insight_not_found', `There is no insight ${JSON.stringify(id)}`);
}

/**
 * Carries out what an insight proposes, and keeps one that changes no memory as a memory of its own, in one transaction. Throws `conflict`, and
 * `invalid_request` for a resolution where nothing disagrees.
 */
export function acceptInsight(
  deps: InsightDeps,
  author: Author,
  { id, resolution }: { id: string; resolution?: Resolution | undefined },
): Insight {
  return deps.store.write((db) => {
    const row = existing(db, author.account, id);
    const before = shown(db, deps.memories, row);
    const { change } = before;
    if (resolution !== undefined && change?.kind !== 'disagree') {
      const message = 'is only for two memories that disagree';
      throw new Problem('invalid_request', `resolution ${message}`, {
        errors: [{ path: 'resolution', message }],
      });
    }
    if (row.status === 'accepted' && (resolution === undefined || resolution === before.resolution))
      return before;
    if (row.status !== 'proposed')
      throw new Problem('conflict', `The insight was ${row.status}; undo that before you accept it`);
    refuseChanged(db, deps, row);
    const decided_at = deps.clock.now();
    const accepted = { status: 'accepted', undo: null, stale: [], snoozed_until: null, decided_at } as const;
    // From here on what is written counts as a change of an accepted insight's sources, not of a proposal's.
    decide(db, row, accepted);
    const { memories } = deps;
    const undo = carryOut(db, { memories, author, namespace: row.namespace }, { change, resolution });
    if (change === null || change.kind === 'link')
      memories.write(db, author, {
        namespace: row.namespace,
        key: memoryKeyOf(id),
        value: memoryText(row),
        metadata: memoryMetadata(before),
      });
    const decided = decide(db, row, { ...accepted, undo });
    followSources(db, deps, decided);
    return tell(db, deps, { row: decided, before: row.status, type: 'insight.accepted', author });
  });
}

/** Refuses an insight for good. Throws `conflict` for an accepted one. */
export function rejectInsight(deps: InsightDeps, author: Author, id: string): Insight {
  return deps.store.write((db) => {
    const row = existing(db, author.account, id);
    if (row.status === 'rejected') return shown(db, deps.memories, row);
    if (row.status === 'accepted')
      throw new Problem('conflict', 'The insight was accepted; undo that before you reject it');
    const { stale } = row;
    const decided_at = deps.clock.now();
    const rejected = { status: 'rejected', undo: null, stale, snoozed_until: null, decided_at } as const;
    const decided = decide(db, row, rejected);
    return tell(db, deps, { row: decided, before: row.status, type: 'insight.rejected', author });
  });
}

/** Takes back a decision: memories are as they were before it, byte for byte, and the insight is proposed again. Throws `conflict`. */
export function undoInsight(deps: InsightDeps, author: Author, id: string): Insight {
  return deps.store.write((db) => {
    const row = existing(db, author.account, id);
    if (row.status === 'proposed') throw new Problem('conflict', 'Nobody decided on the insight yet');
    if (row.status === 'accepted') {
      const { undo } = row;
      if (!undo)
        throw new Problem(
          'conflict',
          'A memory that it changed was deleted since, and with it what it said before',
        );
      takeBack(db, { memories: deps.memories, author, namespace: row.namespace }, undo);
      removeMemory(db, deps, { author, row });
    }
    const { stale } = existing(db, author.account, id);
    const open = { status: 'proposed', undo: null, stale, snoozed_until: null, decided_at: null } as const;
    const decided = decide(db, row, open);
    followSources(db, deps, decided);
    return tell(db, deps, { row: decided, before: row.status, type: 'insight.generated', author });
  });
}

/**
 * Puts a proposal off until a time, null for no longer; until then it waits for nobody. Throws `conflict` where it is decided already, and
 * `invalid_request` for a time that is over. No event tells of it: nothing was generated, accepted or rejected, and nobody else is to act.
 */
export function snoozeInsight(
  deps: Pick<InsightDeps, 'store' | 'clock' | 'memories'>,
  account: AccountId,
  { id, until }: { id: string; until: string | null },
): Insight {
  const { store, clock, memories } = deps;
  return store.write((db) => {
    const row = existing(db, account, id);
    if (row.status !== 'proposed')
      throw new Problem('conflict', `The insight was ${row.status}; undo that before you put it off`);
    const snoozed_until = until === null ? null : Date.parse(until);
    if (snoozed_until !== null && snoozed_until <= clock.now()) {
      const message = 'must be in the future; null takes it back';
      throw new Problem('invalid_request', `until: ${message}`, { errors: [{ path: 'until', message }] });
    }
    return shown(db, memories, decide(db, row, { ...row, snoozed_until }));
  });
}

interface Group {
  insights: Insight[];
  refused: { id: string; code: string; message: string }[];
}

/**
 * Decides on several insights, in order, each in a transaction of its own, requests between two; those of namespaces that the caller does not
 * have are not there.
 */
export async function decideOnEach(
  { store }: Pick<InsightDeps, 'store'>,
  { account, readable }: Pick<Caller, 'account' | 'readable'>,
  { ids, decide: decideOn }: { ids: readonly string[]; decide: (id: string) => Insight },
): Promise<Group> {
  const group: Group = { insights: [], refused: [] };
  for (const id of ids) {
    try {
      const { namespace } = store.read((db) => existing(db, account, id));
      if (!readable(namespace)) throw notThere(id);
      group.insights.push(decideOn(id));
    } catch (cause) {
      if (!(cause instanceof Problem)) throw cause;
      group.refused.push({ id, code: cause.code, message: cause.message });
    }
    await new Promise((resolve) => setImmediate(resolve));
  }
  return group;
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

function memoryText({ title, body }: Pick<InsightRow, 'title' | 'body'>): string {
  return body === '' ? title : `${title}\n\n${body}`;
}

function memoryMetadata({ strategy, confidence, evidence, change }: Insight) {
  return {
    source: 'dream',
    strategy,
    confidence,
    // At most 64 KiB of metadata in all.
    evidence: evidence.slice(0, 100),
    ...(change?.kind === 'link' && { link: { from: change.from, to: change.to } }),
  };
}

function refuseChanged(db: ReadDb, { memories }: Pick<InsightDeps, 'memories'>, row: InsightRow): void {
  for (const { key, digest } of evidenceOf(db, row.id)) {
    const memory = memories.find(db, { ...row, key });
    if (
      row.stale.length > 0 ||
      !memory ||
      memory.hidden !== null ||
      !valueDigest(memory.value).equals(digest)
    )
      throw new Problem('conflict', `The memory ${key} is not as it was when this was proposed`);
  }
}

function decide(db: WriteDb, row: InsightRow, decided: Decided): InsightRow {
  saveDecision(db, row.id, decided);
  return { ...row, ...decided };
}

/** After a change of its own: the sources that still say what it rests on are its sources as they are now; the others are stale. */
function followSources(db: WriteDb, { memories }: Pick<InsightDeps, 'memories'>, row: InsightRow): void {
  const find = (key: string) => memories.find(db, { ...row, key });
  const { stale, change, status } = row;
  const gone = new Set(stale.filter((key) => !find(key)));
  for (const { memory_id, key, sentence } of evidenceOf(db, row.id)) {
    const memory = find(key);
    const isOwnUpdate = status === 'accepted' && change?.kind === 'update' && change.key === key;
    if (memory && (isOwnUpdate || memory.value.includes(sentence)))
      saveDigest(db, { insightId: row.id, memoryId: memory_id }, valueDigest(memory.value));
    else gone.add(key);
  }
  saveDecision(db, row.id, { ...row, stale: [...gone] });
}

interface Told {
  row: InsightRow;
  before: InsightState;
  type: 'insight.accepted' | 'insight.rejected' | 'insight.generated';
  author: Author;
}

function tell(db: WriteDb, { memories, record }: InsightDeps, { row, before, type, author }: Told): Insight {
  const evidence = evidenceOf(db, row.id);
  record(db, insightEvent(row, { type, author, before: { id: row.id, status: before }, evidence }));
  return shown(db, memories, existing(db, row.account, row.id));
}
