import os from 'node:os';
import { Problem } from '@reverie/shared/contract/problems';
import * as relay from '@reverie/shared/contract/relay/relay';
import { z } from 'zod';
import type { Store } from '../../db/open-store.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Secrets } from '../../platform/secrets/secrets.ts';
import { findLink } from '../link.store.ts';
import type { RelayAt } from '../relay/relay-agent.ts';
import { refusePlainHttp, relayClient, wasRefusedWith } from '../relay/relay-client.ts';
import { addressesOf, AnotherRelay, askProof, Unproven } from '../relay/relay-proof.ts';

/** What this machine keeps of a recovery that it asked for, until its code is typed. */
const Asked = z.object({
  relay: z.string(),
  email: z.string(),
  secret: z.string(),
  at: z.number(),
  expires_at: z.string(),
  /** What the relay proved when it was asked; null of one that is too old to know how. */
  key: z.string().nullable().default(null),
});

/** Asked again within this time, no other code is sent, ms. */
const STANDS = 600_000;

interface RecoveringDeps {
  store: Store;
  clock: Clock;
  secrets: Pick<Secrets, 'get' | 'set' | 'delete'>;
}

async function askedBefore({ secrets }: RecoveringDeps, at: { relay: string; email: string }) {
  const kept = await secrets.get('recovery');
  const asked = kept === undefined ? undefined : Asked.parse(JSON.parse(kept));
  return asked?.relay === at.relay && asked.email === at.email ? asked : undefined;
}

/** Has what answers prove that it is the relay that is meant, where its key is known, before anything is sent there. Answers the key that it has. */
async function proveFirst(at: RelayAt, meant: string | null): Promise<string | null> {
  const proof = await askProof(at);
  if (meant !== null && !proof) throw new Unproven(at.relay);
  if (meant !== null && proof?.key !== meant) throw new AnotherRelay(at.relay);
  return proof?.key ?? null;
}

/** The key that this machine keeps of a relay that it is still linked to. */
function keptKey({ store }: RecoveringDeps, relay: string): string | null {
  const link = store.read(findLink);
  return link && [link.relay, ...addressesOf(link)].includes(relay) ? link.relay_key : null;
}

/** Has a relay mail a code to the address of an account, once it proved the key that is given, or kept of it. */
export async function askToRecover(
  deps: RecoveringDeps,
  {
    relay: origin,
    ca,
    email,
    name,
    relay_key,
  }: RelayAt & { email: string; name?: string | undefined; relay_key?: string | undefined },
): Promise<{ expires_at: string; relay_key: string | null; relay_known: boolean }> {
  const { clock, secrets } = deps;
  refusePlainHttp(origin);
  const meant = relay_key ?? keptKey(deps, origin);
  const before = await askedBefore(deps, { relay: origin, email });
  const relay_known = meant !== null;
  if (before && clock.now() - before.at < STANDS && (!relay_known || before.key === meant))
    return { expires_at: before.expires_at, relay_key: before.key, relay_known };
  const key = await proveFirst({ relay: origin, ca }, meant);
  const { secret, expires_at } = await relayClient({ relay: origin, ca })(relay.askRecovery, {
    body: { email, name: name ?? (os.hostname() || 'a machine') },
  });
  await secrets.set(
    'recovery',
    JSON.stringify({ relay: origin, email, secret, at: clock.now(), expires_at, key }),
  );
  return { expires_at, relay_key: key, relay_known };
}

/** Enters an account by the code of a mail that this machine asked for. */
export async function enterAgain(
  deps: RecoveringDeps,
  { relay: origin, ca, email, code, name }: RelayAt & { email: string; code: string; name: string },
): Promise<relay.LinkedDevice> {
  const asked = await askedBefore(deps, { relay: origin, email });
  if (!asked)
    throw new Problem(
      'pairing_failed',
      `This machine has not asked ${origin} for a code for ${email}: \`reverie link ${origin} --email ${email} --recover\` does`,
    );
  await proveFirst({ relay: origin, ca }, asked.key);
  try {
    const body = { email, secret: asked.secret, code, name };
    const linked = await relayClient({ relay: origin, ca })(relay.claimRecovery, { body });
    await deps.secrets.delete('recovery');
    return linked;
  } catch (cause) {
    if (wasRefusedWith(cause, 'gone', 'invalid_request'))
      throw new Problem(
        'pairing_failed',
        'The code is wrong, used up, or older than an hour: type that of the newest mail; after five wrong ones, ask again',
        { cause },
      );
    throw cause;
  }
}
