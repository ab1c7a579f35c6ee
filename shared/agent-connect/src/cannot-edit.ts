/** A file of an agent cannot be edited; the sentence says why, where, and what to do. */
export class CannotEdit extends Error {}
