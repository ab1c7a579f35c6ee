/** What a relay says of itself beside its public key. */
export interface RelayClaim {
  /** What the device made up for this proof alone, base64url. */
  challenge: string;
  log_id: string;
  /** Where else it is reached. */
  addresses: readonly string[];
}

const PREFIX = 'reverie relay identity 1';

/** The text that a relay signs with its key; neither part can be mistaken for another one. */
export function proofText({ challenge, log_id, addresses }: RelayClaim): string {
  return JSON.stringify([PREFIX, challenge, log_id, addresses]);
}
