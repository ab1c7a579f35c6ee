import { foldText } from '../../../language/words.ts';
import type { Proposal } from '../proposal.ts';
import { type Note, nameOfKey, type NoteSentence, type Notes, proposalOf } from './notes.ts';

/** Those that most notes link to: a garden has hundreds. */
const MOST = 7;
/** Share of the links of a namespace that lead somewhere; where fewer do, its pages live elsewhere. */
const LEAD = 0.5;
const LINK = /(!?)\[\[([^\][|#^\n]{1,120})(?:[|#^][^\][\n]*)?\]\]/gu;
/** Pictures and the like are no notes. */
const FILE = /\.(?!md$)[a-z]\w{1,4}$/iu;

/** Finds wiki links to which no note answers, where most others lead somewhere. */
export function rem({ all }: Notes): Proposal[] {
  const names = new Set(all.flatMap(namesOf));
  let leading = 0;
  const dead = new Map<string, { written: string; from: Map<Note, NoteSentence> }>();
  for (const note of all)
    for (const sentence of note.sentences)
      for (const [written, embeds, target = ''] of sentence.text.matchAll(LINK)) {
        const id = spelled(target);
        if (id === '' || embeds !== '' || FILE.test(target.trim())) continue;
        if (names.has(id) || names.has(spelled(nameOfKey(target)))) {
          leading += 1;
          continue;
        }
        const link = dead.get(id) ?? { written, from: new Map() };
        dead.set(id, link);
        if (!link.from.has(note)) link.from.set(note, sentence);
      }
  const astray = [...dead.values()].reduce((sum, { from }) => sum + from.size, 0);
  if (leading === 0 || leading < LEAD * (leading + astray)) return [];
  return [...dead]
    .sort(([a, x], [b, y]) => y.from.size - x.from.size || (a < b ? -1 : 1))
    .slice(0, MOST)
    .map(([id, { written, from }]) => proposed(id, written, [...from.values()]));
}

function spelled(name: string): string {
  return foldText(name).toLowerCase().trim().replace(/\.md$/u, '').replaceAll(/\s+/gu, ' ');
}

/** By which a link may name a note: its key, with and without folders, its title, its aliases. */
function namesOf({ memory: { key, value, metadata }, title }: Note): string[] {
  const front = /^---\r?\n([\s\S]{0,4000}?)\r?\n---/u.exec(value)?.[1] ?? '';
  const listed = /^alias(?:es)?:[ \t]*(.*(?:\r?\n[ \t]*-[ \t].*)*)/mu.exec(front)?.[1] ?? '';
  const given: unknown = metadata['aliases'];
  const aliases = [...listed.split(/[,[\]\n]/u), ...(Array.isArray(given) ? given.map(String) : [])];
  return [key, nameOfKey(key), title, ...aliases.map((one) => one.trim().replace(/^-\s+|^["']|["']$/gu, ''))]
    .map(spelled)
    .filter((name) => name !== '');
}

function proposed(id: string, title: string, sentences: readonly NoteSentence[]): Proposal {
  const quotes = sentences.slice(0, 12).map(({ of, text }) => ({ note: of, text }));
  return proposalOf('rem', quotes, { title, confidence: 0.9, content: `dead link ${id}` });
}
