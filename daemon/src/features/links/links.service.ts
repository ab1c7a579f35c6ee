import type { AccountId } from '@reverie/shared/accounts/caller';
import type { memoryLinks } from '@reverie/shared/contract/memories/links';
import type { Passage } from '@reverie/shared/contract/search/passage';
import { Problem } from '@reverie/shared/contract/problems';
import type { Parsed, Reply } from '@reverie/shared/contract/route';
import { namedIn, type Within } from '../../db/note-names.store.ts';
import type { ReadDb, Store } from '../../db/open-store.ts';
import { blockText } from '../../language/notes/note-blocks.ts';
import { noteLinks } from '../../language/notes/note-links.ts';
import { type FindNamed, isAttachment, resolveLink } from '../../language/notes/note-names.ts';
import { passageWith, type TextSpan } from '../../language/passage-at.ts';
import { findLinked, type KeptLink, linksFrom, linksNaming, namesOf, textsOf } from './links.store.ts';

export interface LinksDeps {
  store: Store;
  /** Ids of the memories of an account that say a run of words, hidden ones included. */
  saying: (db: ReadDb, account: AccountId, words: string) => readonly number[];
}

/** How many of each are answered. */
export const MOST = { out: 1_000, in: 200, unlinked: 20, blocks: 100 } as const;
/** Notes that say a name which are looked at, and how many of their texts are read at once. */
const LOOKED_AT = 200;
const PAGE = 20;
/** A shorter name stands in every other text. */
const SHORTEST_NAME = 3;

/** What a memory links to, what links to it, and what only says its name. Throws `memory_not_found`. */
export function linksAround(
  deps: LinksDeps,
  account: AccountId,
  address: Parsed<typeof memoryLinks>['query'],
): Reply<typeof memoryLinks> {
  return deps.store.read((db) => {
    const memory = findLinked(db, { account, ...address });
    if (!memory) throw new Problem('memory_not_found', `No memory ${address.key} in ${address.namespace}`);
    const named = namedIn(db, memory);
    const linking = linksTo(db, memory, named);
    const textOfBlock = blocksIn(db, memory);
    return {
      ...address,
      out: linksFrom(db, account, { memoryId: memory.id, limit: MOST.out }).flatMap((link) => {
        const found = resolveLink(link, link.key, named);
        const { form, target, part, text } = link;
        if (form === 'block') {
          const block = found && textOfBlock(found.id, target);
          return found && block !== undefined
            ? [{ to: found.key, link: `((${target}))`, text, found: true, block }]
            : [];
        }
        if (!found && isAttachment(link)) return [];
        return [{ to: found?.key ?? target, link: `${target}${part}`, text, found: found !== undefined }];
      }),
      in: passagesOf(db, memory, linking.slice(0, MOST.in)),
      unlinked: mentions(db, deps, { memory, linking: new Set(linking.map(({ memoryId }) => memoryId)) }),
    };
  });
}

/** Says what a block of a memory says; the notes of so many different ones are read. */
function blocksIn(db: ReadDb, memory: Memory): (id: number, block: string) => string | undefined {
  const values = new Map<number, string>();
  return (id, block) => {
    if (!values.has(id)) {
      if (values.size === MOST.blocks) return '';
      values.set(id, textsOf(db, memory, { ids: [id], limit: 1 })[0]?.value ?? '');
    }
    return blockText(values.get(id) ?? '', block);
  };
}

type Memory = Within & { readonly id: number };

/** Of each memory that links to one, the first link that does. */
function linksTo(db: ReadDb, memory: Memory, named: FindNamed): KeptLink[] {
  const first = new Map<number, KeptLink>();
  for (const link of linksNaming(db, memory, memory.id))
    if (!first.has(link.memoryId) && resolveLink(link, link.key, named)?.id === memory.id)
      first.set(link.memoryId, link);
  return [...first.values()];
}

/** Ids of the memories that link to one. */
export function linkingIds(db: ReadDb, memory: Memory): number[] {
  return linksTo(db, memory, namedIn(db, memory)).map(({ memoryId }) => memoryId);
}

/** Memories that one links to, or that link to it, some of each at most. */
export function linkedMemories(
  db: ReadDb,
  memory: Memory,
  limit: number,
): { id: number; text: string; isFrom: boolean }[] {
  const named = namedIn(db, memory);
  const out = new Map<number, string>();
  for (const link of linksFrom(db, memory.account, { memoryId: memory.id, limit: MOST.out })) {
    if (out.size === limit) break;
    const to = resolveLink(link, link.key, named)?.id;
    if (to !== undefined && to !== memory.id && !out.has(to)) out.set(to, link.text);
  }
  return [
    ...[...out].map(([id, text]) => ({ id, text, isFrom: true })),
    ...linksTo(db, memory, named)
      .slice(0, limit)
      .map(({ memoryId, text }) => ({ id: memoryId, text, isFrom: false })),
  ];
}

function passagesOf(
  db: ReadDb,
  memory: Memory,
  links: readonly KeptLink[],
): { from: string; passage: Passage }[] {
  const found: { from: string; passage: Passage }[] = [];
  for (let at = 0; at < links.length; at += PAGE) {
    const page = links.slice(at, at + PAGE);
    const texts = textsOf(db, memory, { ids: page.map(({ memoryId }) => memoryId), limit: PAGE });
    const values = new Map(texts.map(({ id, value }) => [id, value]));
    for (const { memoryId, key, start, end } of page) {
      const value = values.get(memoryId);
      if (value !== undefined) found.push({ from: key, passage: around(value, { start, end }) });
    }
  }
  return found;
}

/** The line around a place, without marks of lists and quotations; the place is marked. */
function around(value: string, { start, end }: TextSpan): Passage {
  const from = value.lastIndexOf('\n', start - 1) + 1;
  const lineEnd = value.indexOf('\n', end);
  const line = value.slice(from, lineEnd === -1 ? value.length : lineEnd);
  const begins = Math.min(
    start,
    from + (/^[\s>]*(?:(?:[-*+]|\d{1,9}[.)])\s+)?/u.exec(line)?.[0].length ?? 0),
  );
  return passageWith(value, { start: begins, end: from + line.trimEnd().length }, [[start, end]]);
}

/** Other memories that say a name of one in plain words, and do not link to it. */
function mentions(
  db: ReadDb,
  { saying }: LinksDeps,
  { memory, linking }: { memory: Memory; linking: ReadonlySet<number> },
): { from: string; passage: Passage }[] {
  const names = namesOf(db, memory.account, memory.id)
    .filter(({ name, kind }) => kind !== 'block' && name.length >= SHORTEST_NAME && /\p{L}/u.test(name))
    .map(({ name }) => name);
  if (names.length === 0) return [];
  const ids = [...new Set(names.flatMap((name) => saying(db, memory.account, name)))]
    .filter((id) => id !== memory.id && !linking.has(id))
    .sort((a, b) => b - a);
  const pattern = patternOf(names);
  const found: { from: string; passage: Passage }[] = [];
  for (let at = 0; at < Math.min(ids.length, LOOKED_AT); at += PAGE)
    for (const { key, value } of textsOf(db, memory, { ids: ids.slice(at, at + PAGE), limit: PAGE })) {
      if (found.length === MOST.unlinked) return found;
      const place = placeOf(value, pattern);
      if (place) found.push({ from: key, passage: around(value, place) });
    }
  return found;
}

/** Names as they stand in a text: whole, in whatever case, on one line or two. */
function patternOf(names: readonly string[]): RegExp {
  const written = names.map((name) =>
    name
      .split(/\s+/u)
      .map((word) => word.replaceAll(/[\\^$.*+?()[\]{}|/]/gu, String.raw`\$&`))
      .join(String.raw`\s+`),
  );
  // The longest first: it is what is meant.
  const any = written.sort((a, b) => b.length - a.length).join('|');
  return new RegExp(String.raw`(?<![\p{L}\p{N}_])(?:${any})(?![\p{L}\p{N}_])`, 'giu');
}

/** The first place of a text at which a pattern stands outside of any link. */
function placeOf(value: string, pattern: RegExp): TextSpan | undefined {
  let links: TextSpan[] | undefined;
  for (const { index: start, 0: name } of value.matchAll(pattern)) {
    const end = start + name.length;
    links ??= noteLinks(value);
    if (!links.some((link) => link.start < end && start < link.end)) return { start, end };
  }
  return undefined;
}
