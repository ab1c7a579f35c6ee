import { createPrivateKey, createPublicKey, generateKeyPairSync, sign } from 'node:crypto';
import { proofText, type RelayClaim } from '@reverie/shared/protocol/relay-proof';
import { one, type Records, run } from './db/records.ts';

/** The key by which devices know a relay again, wherever it runs and whatever its log is called. */
export interface Identity {
  /** The public part: 32 bytes, base64url. */
  key: string;
  /** Signs what the relay says of itself, base64url. */
  prove(claim: RelayClaim): string;
}

/** Reads the identity of a relay from its database, made at its first start; nodes that start at once agree on one. */
export async function readIdentity(records: Records): Promise<Identity> {
  const made = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'der' });
  const kept = await records.write(function* () {
    yield* run(
      "INSERT INTO meta (name, value) VALUES ('identity', ?) ON CONFLICT (name) DO NOTHING",
      made.toString('base64'),
    );
    return yield* one<{ value: string }>("SELECT value FROM meta WHERE name = 'identity'");
  });
  if (!kept) throw new Error('the identity that was just kept is not there');
  const secret = createPrivateKey({ key: Buffer.from(kept.value, 'base64'), type: 'pkcs8', format: 'der' });
  const { x: key = '' } = createPublicKey(secret).export({ format: 'jwk' });
  return {
    key,
    prove: (claim) => sign(null, Buffer.from(proofText(claim)), secret).toString('base64url'),
  };
}
