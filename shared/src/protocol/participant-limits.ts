/**
 * What a participant may write into a session that somebody else shares: the relay, the session's host and the participant's own machine
 * hold to the same. A person does not come near; a program that has gone wild, or an enemy, is stopped while others write on.
 */
export const participantLimits = {
  /** Notes within an hour. */
  hourly: 600,
  /** Notes in all. */
  total: 10_000,
  /** Bytes that count as one note: a longer one counts as several. */
  noteBytes: 16 * 1024,
} as const;

/** As how many notes one of some bytes counts. */
export function noteWeight(bytes: number): number {
  return Math.max(1, Math.ceil(bytes / participantLimits.noteBytes));
}
