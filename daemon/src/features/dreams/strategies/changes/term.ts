/** A word that says something, with how much it tells memories apart. */
export interface Term {
  readonly term: string;
  readonly text: string;
  readonly weight: number;
  readonly isName: boolean;
  readonly isNumber: boolean;
  /** A name of a thing, written as code or in capitals, rather than one of somebody. */
  readonly isCode: boolean;
  readonly start: number;
  /** Whether it is (part of) a value that another memory could give otherwise. */
  readonly isValue: boolean;
  /** Whether it is (part of) a member of a class: where both memories name it, it is a word as any other. */
  readonly isMember: boolean;
}
