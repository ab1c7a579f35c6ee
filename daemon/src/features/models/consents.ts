import { agentAddress, type AgentKind, type ModelConsent } from '@reverie/shared/contract/system/models';
import { Problem } from '@reverie/shared/contract/problems';
import { readMeta, saveMeta } from '../../db/meta.store.ts';
import type { Store } from '../../db/open-store.ts';
import { adapters } from '../../models/agents/adapters.ts';
import type { Clock } from '../../platform/clock.ts';

/** To which agents' commands a person agreed, and when; it outlives the process. */
export interface Consents {
  of(kind: AgentKind): ModelConsent;
  give(kind: AgentKind): void;
  withdraw(kind: AgentKind): void;
}

export function createConsents({ store, clock }: { store: Store; clock: Pick<Clock, 'now'> }): Consents {
  const nameOf = (kind: AgentKind) => `consent to ${agentAddress(kind)}`;
  return {
    of(kind) {
      const at = store.read((db) => readMeta(db, nameOf(kind))) ?? '';
      return { vendor: adapters[kind].vendor, text: whatIsSent(kind), given_at: at === '' ? null : at };
    },
    give(kind) {
      store.write((db) => saveMeta(db, nameOf(kind), new Date(clock.now()).toISOString()));
    },
    withdraw(kind) {
      store.write((db) => saveMeta(db, nameOf(kind), ''));
    },
  };
}

/** What is sent to whom when an agent's command is asked, in two sentences. */
export function whatIsSent(kind: AgentKind): string {
  const { title, vendor } = adapters[kind];
  return `The notes that fit your question, or that a dream compares (some thousands of tokens each time), are sent to ${vendor} through your own ${title} login. Reverie sends nothing else, and you can turn it off at any time.`;
}

/** Throws `consent_needed` where a person has not agreed to what is sent. */
export function refuseWithoutConsent(kind: AgentKind, agreed: boolean): void {
  if (agreed) return;
  throw new Problem(
    'consent_needed',
    `${whatIsSent(kind)} Where you agree, send the same with "consent": true; nothing was changed.`,
  );
}
