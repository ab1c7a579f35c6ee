/** What kinds of things a repository tells, in the order in which they are shown. */
export const proposalKinds = ['project', 'command', 'convention', 'decision', 'gist'] as const;
export type ProposalKind = (typeof proposalKinds)[number];

/** Something of a repository that may be worth remembering. */
export interface Proposal {
  kind: ProposalKind;
  /** Names it among those of its kind, and never changes while its source stays: a path with a heading, a commit. */
  name: string;
  /** Words of which its key is made; they stay while its source does. */
  label: string;
  text: string;
  /** Where it stands: a path, or a commit. */
  source: string;
  /** What changes where its source does; the text where omitted. */
  hash?: string;
}
