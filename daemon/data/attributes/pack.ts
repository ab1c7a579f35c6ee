/**
 * Makes `attributes.bin` of the lines of `attributes-*.jsonl`, `classes.jsonl` and `changes.jsonl`, so that the daemon needs no
 * stemming when it reads them:
 *
 *   node daemon/data/attributes/pack.ts [FOLDER]
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { z } from 'zod';

import { MEMBER_WORD, type PackedMembers } from '../../src/language/attribute-classes.ts';
import type { PackedLeanings } from '../../src/language/attribute-leanings.ts';
import { DENIALS, DENYING, type PackedPhrases, TIGHT } from '../../src/language/attribute-phrases.ts';
import { holds, isLittle, phraseStem, phraseWordsOf, plainText } from '../../src/language/attribute-words.ts';
import { ATTRIBUTES } from '../../src/language/attributes.ts';
import { attributesToBytes } from '../../src/language/packed-attributes.ts';

const phrases = z.array(z.string().min(1));
const Attribute = z.strictObject({ a: z.string().min(1), one: z.boolean(), value: z.string().min(1), says: phrases, asks: phrases });
const Class = z.strictObject({ class: z.string().min(1), exclusive: z.boolean(), members: z.array(phrases.min(1)) });
/** A state, and what ends it. */
const Change = z.strictObject({ state: phrases.min(1), ends: phrases.min(1), a: z.string().min(1) });

/** Numbers for stems, in the order in which they are met. */
class Stems {
  readonly #numbers = new Map<string, number>();

  get all(): string[] {
    return [...this.#numbers.keys()];
  }

  of(stem: string): number {
    const number = this.#numbers.get(stem) ?? this.#numbers.size;
    this.#numbers.set(stem, number);
    return number;
  }
}

/** The words of a phrase that count, some of which have to stand side by side. */
interface Reading {
  readonly stems: readonly string[];
  /** Whether it has one word that tells, with little ones that have to stand beside it, in order. */
  readonly isTight: boolean;
  readonly pairs: readonly (readonly [string, string])[];
}

/** `stand-up` is one word or two. A phrase of one word keeps its little words, in order. */
function readingsOf(phrase: string): Reading[] {
  const plain = plainText(phrase);
  const joined = plain.replaceAll(/(?<=\p{L})-(?=\p{L})/gu, '');
  const pairs = [...plain.matchAll(/(?<one>\p{L}+)-(?=(?<other>\p{L}+))/gu)].map(
    ({ groups }) => [phraseStem(groups?.['one'] ?? ''), phraseStem(groups?.['other'] ?? '')] as const,
  );
  const readings = [readingOf(plain, pairs), ...(joined === plain ? [] : [readingOf(joined, [])])];
  return readings.filter((reading) => reading !== undefined);
}

function readingOf(text: string, pairs: Reading['pairs']): Reading | undefined {
  const words = (text.match(/[\p{L}\p{N}]+(?:'\p{L}+)?/gu) ?? []).filter((word) => word !== 'x');
  const telling = words.filter((word) => !isLittle(word)).map(phraseStem);
  if (telling.length === 0) return undefined;
  if (telling.length > 1) {
    const stems = [...new Set(telling)];
    const isKept = (one: string): boolean => stems.includes(one);
    return { stems, isTight: false, pairs: pairs.filter((pair) => pair.every(isKept)) };
  }
  const held = words.filter((word) => !isLittle(word) || holds(word));
  return { stems: held.map((word) => (isLittle(word) ? word : phraseStem(word))), isTight: true, pairs: [] };
}

/** Lists one behind the other, and where each begins. */
function joined<T>(lists: readonly (readonly T[])[]): { starts: Uint32Array; all: T[] } {
  const starts = new Uint32Array(lists.length + 1);
  for (const [index, list] of lists.entries()) starts[index + 1] = (starts[index] ?? 0) + list.length;
  return { starts, all: lists.flat() };
}

/** Things by the number of a stem; `stems` is complete only when all of the lexicon was read. */
function grouped<T>(things: readonly T[], numberOf: (thing: T) => number): Map<number, T[]> {
  const groups = new Map<number, T[]>();
  for (const thing of things) {
    const group = groups.get(numberOf(thing));
    if (group) group.push(thing);
    else groups.set(numberOf(thing), [thing]);
  }
  return groups;
}

const byNumber = <T>(groups: ReadonlyMap<number, readonly T[]>, count: number) =>
  joined(Array.from({ length: count }, (_, number) => groups.get(number) ?? []));

type Finish<T> = (stems: number) => T;

/** Packs what each of some things is told by; `counts` is what a phrase is worth at most. */
function packPhrases(things: readonly (readonly string[])[], counts: number, stems: Stems): Finish<PackedPhrases> {
  const read = things.flatMap((of, thing) =>
    of.flatMap((phrase) => readingsOf(phrase).map((reading) => ({ of: thing, ...reading }))),
  );
  const frequency = new Map<string, number>();
  for (const { stems: of } of read)
    for (const one of new Set(of)) frequency.set(one, (frequency.get(one) ?? 0) + 1);
  const rarity = (one: string): number => 1 - Math.log(frequency.get(one) ?? 1) / Math.log(read.length + 2);
  const packed = read.map(({ of, stems: words, isTight, pairs }) => {
    const rarest = words.reduce((best, one) => (rarity(one) > rarity(best) ? one : best), words[0] ?? '');
    const mass = words.reduce((sum, one) => sum + (isLittle(one) ? 0.1 : 0.25 + 0.5 * rarity(one)), 0);
    const isDenying = words.some((one) => DENIALS.has(one));
    return {
      of,
      rarest: stems.of(rarest),
      kind: (isTight ? TIGHT : 0) | (isDenying ? DENYING : 0),
      worth: counts * Math.min(1, mass / 1.25),
      stems: words.map((one) => stems.of(one)),
      pairs: pairs.flat().map((one) => stems.of(one)),
    };
  });
  const groups = grouped(packed, ({ rarest }) => rarest);
  return (count) => {
    const { starts, all } = byNumber(groups, count);
    const words = joined(all.map((phrase) => phrase.stems));
    const pairs = joined(all.map((phrase) => phrase.pairs));
    return {
      starts,
      of: Uint16Array.from(all, ({ of }) => of),
      kinds: Uint8Array.from(all, ({ kind }) => kind),
      worths: Float64Array.from(all, ({ worth }) => worth),
      stemStarts: words.starts,
      stems: Uint16Array.from(words.all),
      pairStarts: pairs.starts,
      pairs: Uint16Array.from(pairs.all),
    };
  };
}

interface Members {
  readonly names: readonly string[];
  readonly finish: Finish<{ packed: PackedMembers; raws: Record<string, string> }>;
}

function packMembers(classes: readonly (readonly (readonly string[])[])[], stems: Stems): Members {
  const names = classes.flatMap((members) => members.map(([name = '']) => name));
  let member = -1;
  const wordings = classes.flatMap((members, of) =>
    members.flatMap((all) => {
      member++;
      return all.flatMap((wording) => {
        const plain = plainText(wording);
        const words = (plain.match(MEMBER_WORD) ?? []).map((word) => stems.of(phraseStem(word)));
        const raw = /[^\p{L}\p{N}\s'-]/u.test(plain) ? plain : undefined;
        return words.length === 0 ? [] : [{ of, name: member, stems: words, raw }];
      });
    }),
  );
  const groups = grouped(wordings, (wording) => wording.stems[0] ?? 0);
  for (const group of groups.values()) group.sort((a, b) => b.stems.length - a.stems.length);
  return {
    names,
    finish(count) {
      const { starts, all } = byNumber(groups, count);
      const words = joined(all.map((wording) => wording.stems));
      const raws = all.flatMap(({ raw }, index) => (raw === undefined ? [] : [[String(index), raw] as const]));
      return {
        raws: Object.fromEntries(raws),
        packed: {
          starts,
          of: Uint16Array.from(all, ({ of }) => of),
          names: Uint16Array.from(all, ({ name }) => name),
          stemStarts: words.starts,
          stems: Uint16Array.from(words.all),
        },
      };
    },
  };
}

function packLeanings(things: readonly (readonly string[])[], stems: Stems): Finish<PackedLeanings> {
  const holders = new Map<number, Map<number, number>>();
  for (const [thing, of] of things.entries())
    for (const phrase of of)
      for (const stem of new Set(phraseWordsOf(phrase).map((word) => word.stem))) {
        if (isLittle(stem)) continue;
        const held = holders.get(stems.of(stem)) ?? new Map<number, number>();
        holders.set(stems.of(stem), held.set(thing, (held.get(thing) ?? 0) + 1));
      }
  return (count) => {
    const { starts, all } = byNumber(new Map([...holders].map(([stem, held]) => [stem, [...held]])), count);
    return { starts, of: Uint16Array.from(all, ([of]) => of), counts: Uint16Array.from(all, ([, times]) => times) };
  };
}

/** A question states an attribute only by the words of asking. */
const ASKED = 0.8;

/** The bytes of `attributes.bin` for a folder's lines; throws where one is not of its form, and says which. */
export function attributesBytes(folder: string): Buffer {
  const { texts } = ATTRIBUTES;
  const attributes = linesOf(folder, texts.attributes, Attribute);
  const classes = linesOf(folder, texts.classes, Class);
  const changes = linesOf(folder, texts.changes, Change);
  const stems = new Stems();
  const says = packPhrases(attributes.map((one) => one.says), 1, stems);
  const asks = packPhrases(attributes.map((one) => one.asks), ASKED, stems);
  const states = packPhrases(changes.map(({ state }) => state), 1, stems);
  const ends = packPhrases(changes.map((one) => one.ends), 1, stems);
  const members = packMembers(classes.map((one) => one.members), stems);
  const leanings = packLeanings(attributes.map((one) => [one.a, ...one.says, ...one.asks]), stems);
  const { all } = stems;
  const { packed, raws } = members.finish(all.length);
  return attributesToBytes({
    names: {
      stems: all.join(' '),
      attributes: attributes.map(({ a, one, value }) => ({ a, one, value })),
      changes: changes.map(({ a }) => ({ a })),
      classes: classes.map((one) => ({ name: one.class, isExclusive: one.exclusive })),
      members: members.names,
      raws,
    },
    says: says(all.length),
    asks: asks(all.length),
    states: states(all.length),
    ends: ends(all.length),
    members: packed,
    leanings: leanings(all.length),
  });
}

function linesOf<T extends z.ZodType>(folder: string, name: string, line: T): z.output<T>[] {
  const files = readdirSync(folder).sort();
  return files
    .filter((file) => file.startsWith(name) && file.endsWith('.jsonl'))
    .flatMap((file) =>
      readFileSync(join(folder, file), 'utf8')
        .split('\n')
        .flatMap((text, index) => {
          if (text.trim() === '') return [];
          const parsed = line.safeParse(JSON.parse(text));
          if (!parsed.success) throw new Error(`${join(folder, file)}:${index + 1}: ${z.prettifyError(parsed.error)}`);
          return [parsed.data];
        }),
    );
}

if (import.meta.main) {
  const folder = process.argv[2] ?? ATTRIBUTES.folder;
  const bytes = attributesBytes(folder);
  writeFileSync(join(folder, ATTRIBUTES.packed), bytes);
  process.stdout.write(`${bytes.length} bytes\n`);
}
