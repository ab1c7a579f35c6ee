import {
  eventPatterns,
  registerWebhook,
  updateWebhook,
  type EventPattern,
  type Webhook,
} from '@reverie/shared/contract/events/webhooks';
import { ApiError } from '@reverie/shared/client';
import { z } from 'zod';

/** A webhook as it stands in the form. */
export interface WebhookDraft {
  url: string;
  events: readonly EventPattern[];
  /** Empty in the form of one that is there: then its secret stays. */
  secret: string;
  description: string;
  ordered: boolean;
  origins: 'local' | 'all';
  rate: string;
  privateNetwork: boolean;
}

export type Registration = z.input<typeof registerWebhook.body>;
export type Update = z.input<typeof updateWebhook.body>;
/** What is wrong, by the field that it is about. */
export type Faults = Readonly<Record<string, string>>;

/** A draft read as something to send, or what is wrong with it. */
export type ReadDraft<T> = { ok: true; body: T } | { ok: false; faults: Faults };

/** A new secret as Standard Webhooks wants it: `whsec_` and the base64 of 32 random bytes. */
export function newSecret(random: (bytes: Uint8Array<ArrayBuffer>) => Uint8Array<ArrayBuffer>): string {
  return `whsec_${btoa(String.fromCharCode(...random(new Uint8Array(32))))}`;
}

export function emptyDraft(secret: string): WebhookDraft {
  return {
    url: '',
    events: ['memory.*'],
    secret,
    description: '',
    ordered: false,
    origins: 'local',
    rate: '50',
    privateNetwork: false,
  };
}

export function draftOf(webhook: Webhook): WebhookDraft {
  return {
    url: webhook.url,
    events: webhook.events,
    secret: '',
    description: webhook.description,
    ordered: webhook.ordered,
    origins: webhook.origins,
    rate: String(webhook.rate_per_s),
    privateNetwork: webhook.allow_private_network,
  };
}

/** Everything in the draft, by the names of the interface. */
function fieldsOf({ rate, privateNetwork, events, url, ...same }: WebhookDraft) {
  return {
    ...same,
    url: url.trim(),
    events: [...events],
    rate_per_s: /^\d+$/.test(rate.trim()) ? Number(rate) : Number.NaN,
    allow_private_network: privateNetwork,
  };
}

export function readRegistration(draft: WebhookDraft): ReadDraft<Registration> {
  const body = fieldsOf(draft);
  const read = registerWebhook.body.safeParse(body);
  return read.success ? { ok: true, body } : { ok: false, faults: faultsOf(read.error.issues) };
}

/** Only what differs from `webhook`; `undefined` as the body where nothing does. */
export function readUpdate(draft: WebhookDraft, webhook: Webhook): ReadDraft<Update | undefined> {
  const now = fieldsOf(draft);
  const before = fieldsOf(draftOf(webhook));
  const body = Object.fromEntries(
    Object.entries(now).filter(([name, value]) => {
      const old: unknown = Object.entries(before).find(([other]) => other === name)?.[1];
      return JSON.stringify(value) !== JSON.stringify(old);
    }),
  );
  if (Object.keys(body).length === 0) return { ok: true, body: undefined };
  const read = updateWebhook.body.safeParse(body);
  return read.success ? { ok: true, body } : { ok: false, faults: faultsOf(read.error.issues) };
}

/** What the daemon found wrong, by field; undefined where it is about no field. */
export function faultsOfError(error: unknown): Faults | undefined {
  if (!(error instanceof ApiError) || error.errors.length === 0) return undefined;
  return Object.fromEntries(error.errors.map(({ path, message }) => [path, message]));
}

function faultsOf(issues: readonly { path: PropertyKey[]; message: string }[]): Faults {
  return Object.fromEntries(issues.map(({ path, message }) => [String(path[0] ?? ''), message]));
}

/** The chosen patterns after one was ticked or unticked; ticking one drops those that it covers. */
export function withPattern(
  patterns: readonly EventPattern[],
  pattern: EventPattern,
  isOn: boolean,
): EventPattern[] {
  const rest = patterns.filter((one) => one !== pattern && !(isOn && covers(pattern, one)));
  const chosen = isOn ? [...rest, pattern] : rest;
  return eventPatterns.filter((one) => chosen.includes(one));
}

/** Whether a pattern takes in everything that another does. */
export function covers(wide: EventPattern, narrow: EventPattern): boolean {
  if (wide === narrow) return false;
  return wide === '*' || (wide.endsWith('.*') && narrow.startsWith(wide.slice(0, -1)));
}
