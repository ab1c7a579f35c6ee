import { createContext, use } from 'react';

/** What can be done from within an entry. */
export interface ReaderActs {
  /** The session that is read. */
  session: string;
  /** The folder that it works in; null where that is of another machine. */
  folder: string | null;
  canNote: boolean;
  isOpen: (key: string) => boolean;
  toggle: (key: string) => void;
  /** Fetches the whole text of an entry that came cut. */
  whole: (entry: string) => void;
  /** Goes to another entry. */
  jump: (entry: string) => void;
  /** The entry that a note is being written about. */
  noting: string | undefined;
  note: (entry: string | undefined) => void;
  /** Notes were written: what came is asked for. */
  noted: () => void;
  /** What was looked for in the entry that was found. */
  marks: (entry: string) => readonly (readonly [number, number])[];
}

const Acts = createContext<ReaderActs | undefined>(undefined);

export const ReaderActsProvider = Acts.Provider;

/** What the reader around an entry offers. */
export function useActs(): ReaderActs {
  const acts = use(Acts);
  if (!acts) throw new Error('An entry is drawn only within a reader');
  return acts;
}
