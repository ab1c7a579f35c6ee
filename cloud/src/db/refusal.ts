/** Why the relay cannot start, in words for who runs it. */
export class Refusal extends Error {}
