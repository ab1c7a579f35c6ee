/** What one node sweeps for all. */
export const SWEEP = 'sweep';

const NOTE = 'note:';

/** What a node holds while it has the shared document of a room open. */
export const noteName = (room: string): string => NOTE + room;

/** The room whose shared document a name is held for; undefined where it is held for something else. */
export function roomOfNote(name: string): string | undefined {
  return name.startsWith(NOTE) ? name.slice(NOTE.length) : undefined;
}
