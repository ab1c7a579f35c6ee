import { createPublicKey, randomBytes, verify } from 'node:crypto';
import { ApiError } from '@reverie/shared/client';
import { Problem } from '@reverie/shared/contract/problems';
import { proveIdentity } from '@reverie/shared/contract/relay/relay';
import { proofText } from '@reverie/shared/protocol/relay-proof';
import type { Store } from '../../db/open-store.ts';
import { findLink, type LinkRow, saveAddresses, saveRelay } from '../link.store.ts';
import type { RelayAt } from './relay-agent.ts';
import { isSafeAddress, relayClient, wasRefusedWith } from './relay-client.ts';

/** What a relay proved of itself. */
export interface RelayProof {
  /** Its public key, base64url. */
  key: string;
  log_id: string;
  addresses: readonly string[];
}

/** Another relay answers, or the same one with nothing that it had: it is sent nothing. */
export class AnotherRelay extends Problem {
  constructor(relay: string) {
    super('relay_refused', `Another relay, or an emptied one, answers at ${relay}: nothing is sent to it`);
    this.name = 'AnotherRelay';
  }
}

/** What answers did not prove that it is the relay of this machine; nobody can tell what it is. */
export class Unproven extends Problem {
  constructor(relay: string, cause?: unknown) {
    super(
      'relay_refused',
      `What answers at ${relay} did not prove which relay it is: nothing is sent to it`,
      { cause },
    );
    this.name = 'Unproven';
  }
}

/** Asks a relay to prove who it is; undefined of one that is too old to know how. Throws `Unproven` where the proof is false. */
export async function askProof(at: RelayAt): Promise<RelayProof | undefined> {
  const { relay } = at;
  const challenge = randomBytes(32).toString('base64url');
  try {
    const { key, log_id, addresses, signature } = await relayClient(at)(proveIdentity, {
      body: { challenge },
    });
    const publicKey = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: key }, format: 'jwk' });
    const text = Buffer.from(proofText({ challenge, log_id, addresses }));
    if (!verify(null, text, publicKey, Buffer.from(signature, 'base64url'))) throw new Unproven(relay);
    return { key, log_id, addresses: addresses.filter((one) => isSafeAddress(one)) };
  } catch (cause) {
    if (wasRefusedWith(cause, 'not_found')) return undefined;
    // Above 500 a proxy says that the relay is just away.
    const said = cause instanceof Problem && cause.cause instanceof ApiError ? cause.cause : undefined;
    throw said?.code === 'bad_reply' && said.status < 500 ? new Unproven(relay, cause) : cause;
  }
}

/** Keeps this device's key from whatever does not prove that it is the relay of this home. */
export interface RelayGate {
  /** The link, once what answers at its address proved who it is; at another address of the relay where it does not. Throws `AnotherRelay`, `Unproven`, or that nothing answers. */
  proven(): Promise<LinkRow | undefined>;
  /** What was proved last; undefined where nothing was, as by a relay that is too old. */
  proof(): RelayProof | undefined;
  /** The next one who asks has it proved anew. */
  forget(): void;
}

/** How long a proof is good, ms: a relay does not become another one while it is talked to. */
const GOOD_FOR = 60_000;

export function createRelayGate(store: Store): RelayGate {
  let last: { relay: string; key: string | null; proof: RelayProof | undefined; at: number } | undefined;
  let asking: { relay: string; key: string | null; done: Promise<void> } | undefined;

  function isGood(row: LinkRow): boolean {
    return last?.relay === row.relay && last.key === row.relay_key && performance.now() - last.at < GOOD_FOR;
  }

  async function at(row: LinkRow, relay: string): Promise<void> {
    const proof = await askProof({ relay, ca: row.ca });
    // Who never proved itself to this home may be too old for it.
    if (row.relay_key !== null && !proof) throw new Unproven(relay);
    if (row.relay_key !== null && proof?.key !== row.relay_key) throw new AnotherRelay(relay);
    store.write((db) => {
      if (findLink(db)?.relay_key !== row.relay_key) return;
      if (relay !== row.relay) saveRelay(db, relay);
      const addresses = JSON.stringify(proof?.addresses ?? []);
      if (proof && row.relay_key !== null && addresses !== row.addresses) saveAddresses(db, addresses);
    });
    last = { relay, key: row.relay_key, proof, at: performance.now() };
  }

  async function prove(row: LinkRow): Promise<void> {
    try {
      await at(row, row.relay);
    } catch (cause) {
      // Only who has its key may send this device elsewhere.
      const others = row.relay_key === null ? [] : addressesOf(row).filter((one) => one !== row.relay);
      if (!(await anyOf(row, others))) throw cause;
    }
  }

  /** Has a link proved, once for all who ask meanwhile. */
  function proving(row: LinkRow): Promise<void> {
    const { relay, relay_key: key } = row;
    if (asking?.relay !== relay || asking.key !== key) {
      const own = { relay, key, done: prove(row) };
      asking = own;
      const end = () => {
        if (asking === own) asking = undefined;
      };
      own.done.then(end, end);
    }
    return asking.done;
  }

  async function proven(): Promise<LinkRow | undefined> {
    const row = store.read(findLink);
    if (!row || isGood(row)) return row;
    await proving(row);
    // It may have been linked elsewhere meanwhile: that one has to prove itself, too.
    return proven();
  }

  async function anyOf(row: LinkRow, others: readonly string[]): Promise<boolean> {
    for (const other of others) {
      const isIt = await at(row, other).then(
        () => true,
        () => false,
      );
      if (isIt) return true;
    }
    return false;
  }

  return {
    proven,
    proof: () => last?.proof,
    forget() {
      last = undefined;
    },
  };
}

/** Where else the relay of a link is reached, as it said itself. */
export function addressesOf({ addresses }: LinkRow): string[] {
  const all: unknown = JSON.parse(addresses);
  return Array.isArray(all) ? all.filter((one) => typeof one === 'string') : [];
}
