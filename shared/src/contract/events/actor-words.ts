import { agentTitle } from '../sessions/coding-agents.ts';
import { authorSubject, type Author } from '../author.ts';
import type { Actor } from './events.ts';

/** Names of keys and devices by their ids, as far as this session may know them. */
export type Names = ReadonlyMap<string, string>;

/** The keys of the machine itself, by the names that the first start gives them. */
const OWN: Readonly<Record<string, string>> = { Page: 'You', 'owner-key': 'You', 'api-key': 'An agent' };

/** Parts of Reverie that do something by themselves and are not just Reverie to a person. */
const PARTS: Readonly<Record<string, string>> = { folders: 'A followed folder' };

/** Who did something, as the subject of a sentence; `author` where it was done on another device. */
export function whoIs({ kind, id }: Actor, names: Names, author?: Author): string {
  if (author) return authorSubject(author);
  const name = names.get(id);
  switch (kind) {
    case 'key':
      return name === undefined ? 'A program' : (OWN[name] ?? agentTitle(name));
    case 'device':
      return name ?? 'Another device';
    case 'job':
      return 'A dream';
    case 'system':
      return PARTS[id] ?? 'Reverie';
  }
}
