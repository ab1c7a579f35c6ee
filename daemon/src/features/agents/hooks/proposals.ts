import { createHash } from 'node:crypto';
import type { Caller } from '@reverie/shared/accounts/caller';
import { abilitiesOfKey } from '@reverie/shared/accounts/narrower-keys';
import type { Store } from '../../../db/open-store.ts';
import { createYielding } from '../../../platform/yielding.ts';
import { addCandidate, eraseCandidate, type HookSession, waitingCandidates } from './hooks.store.ts';
import { lastingInPieces, suggestedKey } from './lasting.ts';
import type { HooksWorld } from './ports.ts';

/** The kind of a message that asks a person to keep something as a memory: `{key, value, why, session}`. */
export const PROPOSAL = 'memory.proposal';

/** After so long without a word a session has ended, whether its agent said so or not: some say it at best. */
const ENDED_AFTER = 6 * 3_600_000;

interface ProposalDeps {
  store: Store;
  world: Pick<HooksWorld, 'propose'>;
}

/** Keeps of a prompt only the sentences that say what is to hold from then on, until the session ends. */
export async function keepLasting(
  { store }: Pick<ProposalDeps, 'store'>,
  session: HookSession,
  said: string,
): Promise<void> {
  const found = await lastingInPieces(said, createYielding());
  if (found.length === 0) return;
  store.write((db) => {
    for (const { sentence, by } of found) {
      const spelled = sentence.normalize('NFKC').toLowerCase().replaceAll(/\s+/gu, ' ').trim();
      const hash = createHash('sha256').update(spelled).digest().subarray(0, 16);
      addCandidate(db, session, { hash, sentence, why: by });
    }
  });
}

/**
 * Leaves a proposal in the inbox for each sentence that was kept in this session, or in one that has been silent for six hours; answers how
 * many.
 */
export function proposeLasting(
  { store, world }: ProposalDeps,
  caller: Caller,
  session: HookSession,
): { proposed: number } {
  const { account, namespace } = session;
  if (!mayPropose(caller, namespace)) return { proposed: 0 };
  const waiting = store.read((db) => waitingCandidates(db, session, session.now - ENDED_AFTER));
  for (const { hash, sentence, why, agent, session: from } of waiting) {
    const payload = {
      key: suggestedKey({ sentence, by: why }),
      value: sentence,
      why: `Said in a session of ${agent}: “${why}”`,
      session: from,
    };
    // Erased first, in a transaction of its own: a crash between the two loses a proposal, and never leaves two.
    store.write((db) => eraseCandidate(db, { account, namespace }, hash));
    world.propose(caller, { namespace, from: agent, kind: PROPOSAL, payload });
  }
  return { proposed: waiting.length };
}

/** Whether a key may leave something in the inbox of a namespace. */
export function mayPropose({ key, readable }: Caller, namespace: string): boolean {
  return readable(namespace) && abilitiesOfKey(key).includes('set');
}
