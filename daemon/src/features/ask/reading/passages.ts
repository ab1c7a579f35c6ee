import { passagesOf, type TextPassage } from '../../../language/passages.ts';
import { inEnglish, languageAbroad } from '../../../language/abroad/in-english.ts';
import { msOfTimestamp } from '../../../platform/timestamp.ts';
import type { AskMemory, NameConcepts } from '../ports.ts';
import { type ContentWord, wordsOf } from '../question/content-words.ts';

/** A passage with the words that say something, those of the line that leads to it among them. */
export interface ReadPassage extends TextPassage {
  /** It in English, where it is in another language whose words are known; what its figures, dates and names are told by. */
  readonly read: string;
  readonly words: readonly ContentWord[];
  /** Stems of its words as they stand, where it is read in English. */
  readonly own?: ReadonlySet<string>;
  /** Words of the headings that it stands below. */
  readonly above: readonly ContentWord[];
  /** Concepts that it names. */
  readonly concepts: ReadonlySet<number>;
}

/** A memory as it is read for an answer. */
export interface ReadMemory {
  readonly value: string;
  readonly passages: readonly ReadPassage[];
  /** Words of its key and its metadata. */
  readonly label: readonly ContentWord[];
  /** When it was said, or else stored. */
  readonly time: string;
}

/** Characters of one memory that are read at most; what is longer is read where the question's words stand. */
const MOST_READ = 12_000;
const WINDOW = 1_500;

/** Reads a memory; `anchors` are words of the question by which the parts of a long one are chosen, `characters` in all. */
export function readMemory(
  memory: Pick<AskMemory, 'key' | 'value' | 'metadata' | 'updated_at'>,
  {
    anchors,
    nameConcepts,
    characters = MOST_READ,
  }: { anchors: readonly string[]; nameConcepts: NameConcepts; characters?: number },
): ReadMemory {
  const above = new Map<string, readonly ContentWord[]>();
  const language = languageAbroad(memory.value);
  const read = (text: string) => inEnglish(text, language);
  const passages = partsOf(memory.value, anchors, Math.min(MOST_READ, characters)).flatMap(
    ({ text: part, start }) =>
      passagesOf(part).map((passage): ReadPassage => {
        const said = passage.lead === undefined ? passage.text : `${passage.lead}\n${passage.text}`;
        const path = passage.path.join('\n');
        if (!above.has(path)) above.set(path, wordsOf(read(path)));
        const english = read(said);
        return {
          ...passage,
          ...(english !== said && { own: new Set(wordsOf(said).map(({ stem }) => stem)) }),
          ...{ start: start + passage.start, end: start + passage.end, block: start + passage.block },
          read: read(passage.text),
          words: wordsOf(english),
          above: above.get(path) ?? [],
          concepts: new Set([...nameConcepts(english).values()].flat()),
        };
      }),
  );
  return {
    value: memory.value,
    passages,
    label: wordsOf(read(labelOf(memory))),
    time: timeOf(memory) ?? memory.updated_at,
  };
}

/** A long text's windows around the question's words, rare ones first in `anchors`; in the order of the text, none twice. */
function partsOf(value: string, anchors: readonly string[], most: number): { text: string; start: number }[] {
  if (value.length <= most) return [{ text: value, start: 0 }];
  const lower = value.toLowerCase();
  const windows = new Set([0]);
  for (const anchor of anchors) {
    let at = lower.indexOf(anchor);
    for (let hits = 0; at >= 0 && hits < 3; hits++) {
      windows.add(Math.floor(at / WINDOW));
      at = lower.indexOf(anchor, (Math.floor(at / WINDOW) + 1) * WINDOW);
    }
    if (windows.size * WINDOW >= most) break;
  }
  return [...windows]
    .sort((a, b) => a - b)
    .slice(0, Math.floor(most / WINDOW))
    .map((window) => ({
      text: value.slice(window * WINDOW, (window + 1) * WINDOW).toWellFormed(),
      start: window * WINDOW,
    }));
}

const MADE = /^mem_[0-9a-z]{26}$/;
/** Metadata that says how a memory was made, not what it is about. */
const TECHNICAL = new Set(['session', 'timestamp', 'date', 'lang', 'source', 'confidence', 'id']);

/** What a memory is called, and what its metadata says it is about. */
export function labelOf({ key, metadata }: Pick<AskMemory, 'key' | 'metadata'>): string {
  const said = Object.entries(metadata)
    .filter(([name]) => !TECHNICAL.has(name))
    .flatMap(([, value]) => (Array.isArray(value) ? (value as unknown[]) : [value]))
    .filter((value): value is string => typeof value === 'string' && value.length <= 200);
  return [MADE.test(key) ? '' : key, ...said].join('\n').slice(0, 1_000);
}

/** When what a memory says was so, by its metadata. */
export function timeOf({ metadata }: Pick<AskMemory, 'metadata'>): string | undefined {
  for (const name of ['timestamp', 'date'] as const) {
    const time = msOfTimestamp(metadata[name]);
    if (time !== undefined) return new Date(time).toISOString();
  }
  return undefined;
}
