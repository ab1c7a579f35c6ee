import { noteLinks } from '../../../language/notes/note-links.ts';
import {
  type FindNamed,
  foldName,
  isAttachment,
  type NamedNote,
  namesOfNote,
  resolveLink,
} from '../../../language/notes/note-names.ts';
import type { Proposal } from '../proposal.ts';
import { type Note, type NoteSentence, type Notes, proposalOf } from './notes.ts';

/** Those that most notes link to: a garden has hundreds. */
const MOST = 7;
/** Share of the links of a namespace that lead somewhere; where fewer do, its pages live elsewhere. */
const LEAD = 0.5;

/** Finds links to which no note answers, where most others lead somewhere. */
export function rem({ all }: Notes): Proposal[] {
  const named = namedAmong(all);
  let leading = 0;
  const dead = new Map<string, { written: string; from: Map<Note, NoteSentence> }>();
  for (const note of all) {
    const { key, value } = note.memory;
    for (const link of note.sentences.length > 0 ? noteLinks(value) : []) {
      if (link.target === '' || link.isEmbed || link.form === 'block') continue;
      if (resolveLink(link, key, named)) {
        leading += 1;
        continue;
      }
      const written = value.slice(link.start, link.end);
      const sentence = note.sentences.find(({ text }) => text.includes(written));
      if (!sentence || isAttachment(link)) continue;
      const id = foldName(link.target);
      const known = dead.get(id) ?? { written, from: new Map() };
      dead.set(id, known);
      if (!known.from.has(note)) known.from.set(note, sentence);
    }
  }
  const astray = [...dead.values()].reduce((sum, { from }) => sum + from.size, 0);
  if (leading === 0 || leading < LEAD * (leading + astray)) return [];
  return [...dead]
    .sort(([a, x], [b, y]) => y.from.size - x.from.size || (a < b ? -1 : 1))
    .slice(0, MOST)
    .map(([id, { written, from }]) => proposed(id, written, [...from.values()]));
}

/** Finds notes by the names that links give them. */
function namedAmong(all: readonly Note[]): FindNamed {
  const named = new Map<string, NamedNote[]>();
  for (const { memory } of all)
    for (const [name, kind] of namesOfNote(memory)) {
      const notes = named.get(name) ?? [];
      named.set(name, notes);
      notes.push({ id: memory.id, key: memory.key, path: foldName(memory.key), kind });
    }
  return (name) => named.get(name) ?? [];
}

function proposed(id: string, title: string, sentences: readonly NoteSentence[]): Proposal {
  const quotes = sentences.slice(0, 12).map(({ of, text }) => ({ note: of, text }));
  return proposalOf('rem', quotes, { title, confidence: 0.9, content: `dead link ${id}` });
}
