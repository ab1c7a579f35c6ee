import { foldText } from '../../../language/words/words.ts';
import type { Proposal } from '../proposal.ts';
import { byAge, firstSentence, type Note, nameOfKey, type Notes, proposalOf } from './notes.ts';

const MOST = 3;
/** Notes of which a page is made; of many the newest are quoted. */
const NOTES = { least: 4, quoted: 12 } as const;
/** What holds this share of a namespace is no subject. */
const DRAWER = 0.5;
/** Folders of days, of programs, of what is not sorted yet. */
const NO_SUBJECT =
  /^(?:[\d\p{P}\s]+|notes?|inbox|todo|daily|dailies|journal|diary|log|logs|chat|session|sessions|memory|memories|import|archive|misc|user|agent|tmp|test)$/iu;

/** Makes a page of what four notes or more have as their tag, their folder or the name that they link to, where no page has that name yet. */
export function synthesize({ all, isVault }: Notes): Proposal[] {
  if (isVault) return [];
  const pages = new Set(
    all.flatMap(({ memory: { key }, title }) => [key, nameOfKey(key), title].map(spelled)),
  );
  const subjects = new Map<string, { name: string; notes: Set<Note> }>();
  for (const note of all)
    for (const name of subjectsOf(note)) {
      const subject = subjects.get(spelled(name)) ?? { name, notes: new Set() };
      subjects.set(spelled(name), subject);
      subject.notes.add(note);
    }
  const quoted = new Set<Note>();
  return [...subjects]
    .filter(([id, { name, notes }]) => {
      const isSubject = notes.size >= NOTES.least && notes.size <= Math.max(8, DRAWER * all.length);
      return isSubject && !pages.has(id) && !NO_SUBJECT.test(name) && !areOfDays(notes);
    })
    .sort(([a, x], [b, y]) => y.notes.size - x.notes.size || (a < b ? -1 : 1))
    .filter(([, { notes }]) => {
      // A tag on the notes of a folder is the same page.
      const isNew = notes.size - notes.intersection(quoted).size >= NOTES.least;
      if (isNew) for (const note of notes) quoted.add(note);
      return isNew;
    })
    .slice(0, MOST)
    .map(([id, { name, notes }]) => proposed(id, name, [...notes]));
}

function spelled(name: string): string {
  return foldText(name)
    .toLowerCase()
    .replaceAll(/[\s_-]+/gu, ' ')
    .trim();
}

function subjectsOf({ memory: { key, tags }, sentences }: Note): string[] {
  if (sentences.length === 0) return [];
  const links = sentences.flatMap(({ text }) =>
    [...text.matchAll(/\[\[([^\][|#\n]{2,80})(?:[|#][^\][\n]*)?\]\]/gu)].map(([, name = '']) => name.trim()),
  );
  const folder = key.includes('/') ? key.slice(0, key.lastIndexOf('/')) : undefined;
  return [...tags, ...(folder === undefined ? [] : [nameOfKey(folder)]), ...links];
}

/** Whether most are pages of days. */
function areOfDays(notes: ReadonlySet<Note>): boolean {
  return [...notes].filter(({ ownDay }) => ownDay !== undefined).length * 2 > notes.size;
}

function proposed(id: string, title: string, notes: readonly Note[]): Proposal {
  const newest = notes.toSorted(byAge).slice(-NOTES.quoted);
  const quotes = newest.map((note) => ({ note, text: firstSentence(note) }));
  return proposalOf('synthesize', quotes, { title, confidence: 0.7, content: `page ${id}` });
}
