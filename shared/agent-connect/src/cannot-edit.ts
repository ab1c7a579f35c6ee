/** A file of an agent cannot be edited; the sentence says why, where, and what to do. */
export class CannotEdit extends Error {}

/** The refusal where something of somebody else stands in the place of an entry; `instead` is what else can be done. */
export function takenPlace(place: string, instead = 'connect nothing'): CannotEdit {
  return new CannotEdit(
    `it has ${place} already, and this did not write it. Take that out first, or keep it and ${instead}`,
  );
}
