import type { Proposal } from '../proposal.ts';
import { byAge, type Note, nameOfKey, type Notes, proposalOf } from './notes.ts';
import { plainText } from './words.ts';

const MOST = 30;
/** Notes that have what is shared. */
const HOLDERS = { from: 2, to: 3 } as const;

interface Mention {
  readonly note: Note;
  /** As it is written. */
  readonly text: string;
  readonly sentence: string;
  readonly rank: number;
}

/** What two notes seldom share by chance, the most telling first; the first group is what is compared. */
const KINDS: readonly RegExp[] = [
  // A ticket.
  /(?<![\p{L}\p{N}_/.-])(\p{Lu}[\p{Lu}\p{N}]{1,9}-\d{1,6})(?![\p{L}\p{N}_-])/gu,
  /(?<=\p{L}\s|\()(#\d{3,6})(?![\p{L}\p{N}])/gu,
  // An error code, a constant.
  /(?<![\p{L}\p{N}_.$-])(\p{Lu}[\p{Lu}\p{N}]*_[\p{Lu}\p{N}_]{3,}|0x[\da-fA-F]{6,8})(?![\p{L}\p{N}_])/gu,
  // An address.
  /(https?:\/\/[^\s<>()[\]"'`|]+\/[^\s<>()[\]"'`|]*[\p{L}\p{N}])/gu,
  // A file.
  /(?<![\p{L}\p{N}_:/.~@-])(~?\/?(?:[\p{L}\p{N}_.@-]+\/)+[\p{L}\p{N}_-]+\.[a-z]{1,5}|~?\/(?:[\p{L}\p{N}_.-]+\/)+[\p{L}\p{N}_.-]+)(?![\p{L}\p{N}_/])/gu,
  // A part or file number.
  /(?<![\p{L}\p{N}_.,:/+-])(\d{7,14}|\p{Lu}{2,5}-?\d{2,4}[/-]\d{2,6})(?![\p{L}\p{N}_.,:/-]\d|[\p{L}\p{N}])/gu,
  /\[\[([^\][|#\n]{2,80})(?:[|#][^\][\n]*)?\]\]/gu,
];
/** Names of standards and the like, which everybody writes, and days. */
const EVERYBODYS =
  /^(?:UTF|SHA|ISO|RFC|COVID|GPT|AES|RSA|DIN|EN|MD|IPV|USB|PM|CO|Q|H|T|B|A)-?\d+$|^(?:19|20)\d{6}$/u;

/** Finds notes that share something rare: a ticket, an address, a file, an error code, a wiki link. Those that know each other are left out. */
export function connect({ all, isVault }: Notes): Proposal[] {
  if (isVault) return [];
  const things = Map.groupBy(all.flatMap(mentionsIn), ({ text }) => text.toLowerCase());
  const pairs = new Set<string>();
  return [...things]
    .filter(([, mentions]) => mentions.length >= HOLDERS.from && mentions.length <= HOLDERS.to)
    .sort(([a, [x]], [b, [y]]) => (x?.rank ?? 0) - (y?.rank ?? 0) || (a < b ? -1 : 1))
    .flatMap(([id, mentions]): Proposal[] => {
      const sorted = mentions.toSorted((a, b) => byAge(a.note, b.note));
      const pair = sorted.map(({ note }) => note.memory.id).join(' ');
      const isKnown = pairs.has(pair) || areKnown(sorted.map(({ note }) => note));
      pairs.add(pair);
      return isKnown ? [] : [proposed(id, sorted)];
    })
    .slice(0, MOST);
}

/** What a note mentions; each once. */
function mentionsIn(note: Note): Mention[] {
  const found = new Map<string, Mention>();
  for (const { text: sentence } of note.sentences)
    for (const [rank, kind] of KINDS.entries())
      for (const [, text = ''] of sentence.matchAll(kind)) {
        const id = text.toLowerCase();
        if (!EVERYBODYS.test(text) && !found.has(id)) found.set(id, { note, text, sentence, rank });
      }
  return [...found.values()];
}

/** Whether whoever wrote them knows: one conversation, a link from one to the other, or the same told again. */
function areKnown(notes: readonly Note[]): boolean {
  const [one, other] = notes;
  if (!one || !other || (one.memory.session !== null && one.memory.session === other.memory.session))
    return true;
  const plain = new Set(notes.map(({ memory }) => plainText(memory.value)));
  return plain.size < notes.length || linksTo(one, other) || linksTo(other, one);
}

function linksTo({ memory: { value } }: Note, { memory: { key }, title }: Note): boolean {
  return [key, nameOfKey(key), title].some(
    (name) => name.length > 2 && (value.includes(`[[${name}`) || (name === key && value.includes(name))),
  );
}

function proposed(id: string, mentions: readonly Mention[]): Proposal {
  const [from, to] = [mentions[0]?.note.memory.key ?? '', mentions.at(-1)?.note.memory.key ?? ''];
  const title = mentions[0]?.text ?? id;
  const quotes = mentions.map(({ note, sentence }) => ({ note, text: sentence }));
  const change = { kind: 'link', from, to } as const;
  return proposalOf('connect', quotes, { title, confidence: 0.85, change, content: `link ${id}` });
}
