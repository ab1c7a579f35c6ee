import os from 'node:os';
import { Problem } from '@reverie/shared/contract/problems';
import * as relay from '@reverie/shared/contract/relay';
import { z } from 'zod';
import type { Clock } from '../platform/clock.ts';
import type { Secrets } from '../platform/secrets.ts';
import type { RelayAt } from './relay-agent.ts';
import { refusePlainHttp, relayClient, wasRefusedWith } from './relay-client.ts';

/** What this machine keeps of a recovery that it asked for, until its code is typed. */
const Asked = z.object({
  relay: z.string(),
  email: z.string(),
  secret: z.string(),
  at: z.number(),
  expires_at: z.string(),
});

/** Asked again within this time, no other code is sent, ms. */
const STANDS = 600_000;

interface RecoveringDeps {
  clock: Clock;
  secrets: Pick<Secrets, 'get' | 'set' | 'delete'>;
}

async function askedBefore({ secrets }: RecoveringDeps, at: { relay: string; email: string }) {
  const kept = await secrets.get('recovery');
  const asked = kept === undefined ? undefined : Asked.parse(JSON.parse(kept));
  return asked?.relay === at.relay && asked.email === at.email ? asked : undefined;
}

/** Has a relay mail a code to the address of an account. */
export async function askToRecover(
  deps: RecoveringDeps,
  { relay: origin, ca, email, name }: RelayAt & { email: string; name?: string | undefined },
): Promise<{ expires_at: string }> {
  const { clock, secrets } = deps;
  refusePlainHttp(origin);
  const before = await askedBefore(deps, { relay: origin, email });
  if (before && clock.now() - before.at < STANDS) return { expires_at: before.expires_at };
  const { secret, expires_at } = await relayClient({ relay: origin, ca })(relay.askRecovery, {
    body: { email, name: name ?? (os.hostname() || 'a machine') },
  });
  await secrets.set(
    'recovery',
    JSON.stringify({ relay: origin, email, secret, at: clock.now(), expires_at }),
  );
  return { expires_at };
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
  try {
    const body = { email, secret: asked.secret, code, name };
    const linked = await relayClient({ relay: origin, ca })(relay.claimRecovery, { body });
    await deps.secrets.delete('recovery');
    return linked;
  } catch (cause) {
    if (wasRefusedWith(cause, 'gone', 'invalid_request'))
      throw new Problem(
        'pairing_failed',
        'The code is wrong, used up, older than an hour, or of another device; after five wrong ones, ask for another',
        { cause },
      );
    throw cause;
  }
}
