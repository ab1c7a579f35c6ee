import type { AccountId } from '@reverie/shared/accounts/caller';
import { MAX_TOLD_CONFLICTS } from '@reverie/shared/contract/accounts/accounts';
import type { Memory } from '@reverie/shared/contract/memories/memories';
import { byteLength, limits } from '@reverie/shared/contract/fields';
import type { Actor } from '@reverie/shared/contract/events/events';
import { isDeepStrictEqual } from 'node:util';
import type { ReadDb, Store, WriteDb } from '../../db/open-store.ts';
import type { Account } from './accounts.store.ts';

/** A memory as it is copied; its title follows from the rest. */
type AdoptedMemory = Omit<Memory, 'title'>;

/** What adopting needs of memories: it writes through their one writer. */
export interface AdoptedMemories {
  every(account: AccountId, wanted: { namespace?: string | undefined }): AsyncIterable<AdoptedMemory>;
  find(db: ReadDb, at: { account: AccountId; namespace: string; key: string }): AdoptedMemory | undefined;
  /** Writes a memory as the event `memory.merge`. */
  merge(
    db: WriteDb,
    merged: {
      into: AccountId;
      from: AdoptedMemory & { account: string };
      memory: AdoptedMemory;
      actor: Actor;
    },
  ): void;
}

export interface AdoptDeps {
  store: Store;
  memories: AdoptedMemories;
}

export interface Adoption {
  from: Account;
  into: AccountId;
  actor: Actor;
  wanted: {
    namespace?: string | undefined;
    into?: string | undefined;
    on_conflict: 'skip' | 'suffix';
    dry_run: boolean;
  };
}

export interface Adopted {
  adopted: number;
  unchanged: number;
  conflicts: number;
  named: { namespace: string; key: string; stored_as: string | null }[];
}

/** Memories that one transaction carries over; other requests get their turn between two. */
const STEP = 100;
const MOST_SUFFIXES = 100;

/**
 * Copies an account's memories into another one, some at a time, and overwrites nothing: a memory that is there already is left alone, and
 * one whose key holds another value there is skipped or stored under a key with a suffix. Answers what was, or would be, done.
 */
export async function adoptMemories(deps: AdoptDeps, adoption: Adoption): Promise<Adopted> {
  const done: Adopted = { adopted: 0, unchanged: 0, conflicts: 0, named: [] };
  // In a preview nothing is written, so what it would store is remembered to see conflicts among theirs.
  const planned = new Map<string, AdoptedMemory>();
  let step: AdoptedMemory[] = [];
  const carry = () => {
    const memories = step;
    step = [];
    if (adoption.wanted.dry_run)
      deps.store.read((db) => {
        for (const memory of memories) decide(db, deps, { adoption, memory, done, planned });
      });
    else
      deps.store.write((db) => {
        for (const memory of memories) {
          const target = decide(db, deps, { adoption, memory, done, planned });
          if (target)
            deps.memories.merge(db, {
              into: adoption.into,
              from: { ...memory, account: adoption.from.public_id },
              memory: target,
              actor: adoption.actor,
            });
        }
      });
  };
  for await (const memory of deps.memories.every(adoption.from.id, adoption.wanted)) {
    step.push(memory);
    if (step.length >= STEP) {
      carry();
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
  if (step.length > 0) carry();
  return done;
}

interface Deciding {
  adoption: Adoption;
  memory: AdoptedMemory;
  done: Adopted;
  planned: Map<string, AdoptedMemory>;
}

/** What is to be stored for a memory, or undefined; counts what it decides. */
function decide(db: ReadDb, { memories }: AdoptDeps, deciding: Deciding): AdoptedMemory | undefined {
  const { adoption, memory, done, planned } = deciding;
  const { wanted, into: account, from } = adoption;
  const namespace = wanted.into ?? memory.namespace;
  const at = (key: string) =>
    planned.get(JSON.stringify([namespace, key])) ?? memories.find(db, { account, namespace, key });
  const take = (key: string) => {
    const target = { ...memory, namespace, key };
    if (wanted.dry_run) planned.set(JSON.stringify([namespace, key]), target);
    done.adopted += 1;
    return target;
  };
  const here = at(memory.key);
  if (!here) return take(memory.key);
  if (saysTheSame(here, memory)) {
    done.unchanged += 1;
    return undefined;
  }
  const suffixed = wanted.on_conflict === 'suffix' ? suffixedKey(memory, from.public_id, at) : undefined;
  if (suffixed?.isThere) {
    done.unchanged += 1;
    return undefined;
  }
  done.conflicts += 1;
  if (done.named.length < MAX_TOLD_CONFLICTS)
    done.named.push({ namespace, key: memory.key, stored_as: suffixed?.key ?? null });
  return suffixed && take(suffixed.key);
}

function saysTheSame(one: AdoptedMemory, other: AdoptedMemory): boolean {
  return one.value === other.value && isDeepStrictEqual(one.metadata, other.metadata);
}

/** A free key that names the account after a memory's own, or the one where it stands already; undefined where none fits. */
function suffixedKey(
  memory: AdoptedMemory,
  publicId: string,
  at: (key: string) => AdoptedMemory | undefined,
): { key: string; isThere: boolean } | undefined {
  for (let number = 1; number <= MOST_SUFFIXES; number += 1) {
    const key = `${memory.key}@${publicId}${number === 1 ? '' : `-${number}`}`;
    if (byteLength(key) > limits.keyBytes) return undefined;
    const there = at(key);
    if (!there) return { key, isThere: false };
    if (saysTheSame(there, memory)) return { key, isThere: true };
  }
  return undefined;
}
