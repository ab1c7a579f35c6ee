import type { ReactNode } from 'react';

/** Another memory that a note links to; without a namespace it is of the note's own. */
export interface NoteTarget {
  key: string;
  namespace?: string;
}

/** How a note names a picture or a document. */
export interface Attaching {
  /** What it says in its place: a text, a width, or nothing. */
  label: string;
  /** It is to be shown here. */
  isEmbed: boolean;
}

/** Where a link leads, and whether that is there. */
export interface Leading {
  target: NoteTarget;
  isFound: boolean;
  /** What a block says, which is shown in place of its id. */
  says?: string | undefined;
}

/** What the page does with a link to another memory. */
export interface NoteLinks {
  /** The namespaces that there are: `team/plan` is `plan` of `team` where that is one, and else a key. */
  namespaces: readonly string[];
  /** Where a link leads by what stands in it; undefined where it is not known, or not yet. */
  leadsTo?: (written: string) => Leading | undefined;
  /** Draws a picture or document of the note, by what stands in its link; `otherwise` where it has none that is called so. */
  attached?: (written: string, as: Attaching, otherwise: ReactNode) => ReactNode;
  /** Draws another memory in the place of a link; left out where no memory is shown in another one. */
  embedded?: (target: NoteTarget) => ReactNode;
  /** The address, for a click that opens it in another tab. */
  hrefOf: (target: NoteTarget) => string;
  onOpen: (target: NoteTarget) => void;
}

/** Reads what stands in `[[…]]`. Keys and namespaces may both have slashes: the longest namespace that fits is meant. */
export function noteTarget(written: string, namespaces: readonly string[]): NoteTarget {
  const [namespace] = namespaces
    .filter((name) => written.startsWith(`${name}/`) && written.length > name.length + 1)
    .sort((a, b) => b.length - a.length);
  return namespace === undefined ? { key: written } : { namespace, key: written.slice(namespace.length + 1) };
}

const FILE = /\.(?:png|jpe?g|gif|webp|avif|svg|bmp|pdf|mp[34]|m4a|wav|ogg|webm|mov)(?:$|[#?])/iu;

/** Whether what stands in a link is the name of a picture or another file that is no note. */
export function namesFile(written: string): boolean {
  return FILE.test(written);
}
