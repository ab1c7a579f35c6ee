import type { Caller } from '@reverie/shared/accounts/caller';
import type { InboxMessage } from '@reverie/shared/contract/events/inbox';
import type { Memory } from '@reverie/shared/contract/memories/memories';
import type { Store } from '../../../db/open-store.ts';
import { listed } from '../../../language/words/word-lists.ts';
import { changedIds, newestHeads, taggedIds } from './hooks.store.ts';
import { lastingIn } from './lasting.ts';
import { type MarkedLine, oneLine, type MarkedSection } from './marked.ts';
import type { HooksWorld } from './ports.ts';
import { PROPOSAL } from './proposals.ts';

/** The memory that a line of a brief shows, and why; undefined for a line that shows no memory. */
export type ShownMemory = { memory: Memory; reason: string; score: number | null } | undefined;

interface BriefDeps {
  store: Store;
  world: Pick<HooksWorld, 'byId' | 'comingUp' | 'unread'>;
}

interface Wanted {
  caller: Caller;
  namespace: string;
  agent: string;
  /** When the agent was here last; undefined for the first time. */
  since: number | undefined;
  /** `2026-12-03`, UTC. */
  today: string;
}

/** Tags of memories that are told at each start. */
const STANDING = listed('agents/standing-tags');
/** Where a person's own preferences are that hold in each project. */
const ANYWHERE = 'default';
/** Memories that are looked at for sentences that tell what to do, the ones that changed last. */
const READ = 100;
/** Characters of a value that are read for such sentences. */
const READ_OF_EACH = 600;
/** Days for which something is told that is overdue, and before it is due. */
const [OVERDUE, AHEAD] = [7, 30];
/** Lines of each kind at most. */
const MOST = { standing: 20, anywhere: 10, comingUp: 5, messages: 5, changed: 12, newest: 6 } as const;

/**
 * What matters in a namespace at the start of a session: pinned memories and rules, what comes up, messages, what others have changed since
 * the agent was last here, and the newest. A memory stands once, in the first section that it fits.
 */
export function briefOf({ store, world }: BriefDeps, wanted: Wanted): MarkedSection<ShownMemory>[] {
  const { caller, namespace, since } = wanted;
  const { account } = caller;
  const found = store.read((db) => ({
    tagged: taggedIds(db, { account, namespace }, { tags: STANDING, limit: MOST.standing }),
    anywhere:
      namespace === ANYWHERE || !caller.readable(ANYWHERE)
        ? []
        : taggedIds(db, { account, namespace: ANYWHERE }, { tags: STANDING, limit: MOST.anywhere }).ids,
    changed:
      since === undefined ? [] : changedIds(db, { account, namespace }, { since, keyId: caller.key.id }),
    heads: newestHeads(db, { account, namespace }, { characters: READ_OF_EACH, limit: READ }),
  }));
  const telling = found.heads.filter(({ head }) => lastingIn(head).length > 0).map(({ id }) => id);
  const newestIds = found.heads.slice(0, MOST.newest).map(({ id }) => id);
  const changedHere = found.changed.slice(0, MOST.changed);
  const ids = [
    ...new Set([
      ...found.tagged.ids,
      ...found.anywhere,
      ...telling.slice(0, MOST.standing),
      ...changedHere,
      ...newestIds,
    ]),
  ];
  const memories = world.byId(account, ids);
  const told = new Set<number>();
  const linesOf = (some: readonly number[], reason: string, text: (memory: Memory) => string) =>
    some.flatMap((id): MarkedLine<ShownMemory>[] => {
      const memory = memories.get(id);
      if (!memory || told.has(id)) return [];
      told.add(id);
      return [{ key: memory.key, text: text(memory), of: { memory, reason, score: null } }];
    });
  const standing = [
    ...linesOf(found.tagged.ids, 'pinned or a rule', gistOf),
    ...linesOf(telling.slice(0, MOST.standing), 'tells what is to hold', gistOf),
  ].slice(0, MOST.standing);
  const anywhere = linesOf(found.anywhere, 'holds in every project', gistOf);
  const changed = linesOf(changedHere, 'changed since the last session', gistOf);
  const newest = linesOf(newestIds, 'new', gistOf);
  const { messages, unread } = messagesFor(world, wanted);
  return [
    {
      heading: 'Pinned, and what was told to hold',
      lines: standing,
      more: Math.max(0, found.tagged.count - found.tagged.ids.length),
    },
    { heading: `What the user wants everywhere (namespace ${ANYWHERE})`, lines: anywhere },
    { heading: 'Coming up', lines: comingUp(world, wanted) },
    { heading: 'Messages not read yet', lines: messages, more: unread - messages.length },
    {
      heading: 'Changed by others since your last session here',
      lines: changed,
      more: found.changed.length - changedHere.length,
    },
    { heading: 'Newest here', lines: newest },
  ];
}

/** What a memory says, in a line: its title, and how it goes on. */
export function gistOf({ title, value }: Pick<Memory, 'title' | 'value'>): string {
  const said = oneLine(value.slice(0, 2_000));
  const called = oneLine(title);
  return called === '' || said.includes(called.replace(/…$/u, '')) ? said : oneLine(`${called}: ${said}`);
}

function addDays(day: string, days: number): string {
  return new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10);
}

function comingUp(
  world: BriefDeps['world'],
  { caller, namespace, today }: Wanted,
): MarkedLine<ShownMemory>[] {
  const [from, to] = [addDays(today, -OVERDUE), addDays(today, AHEAD)];
  return world
    .comingUp(caller, namespace)
    .filter(({ due_on }) => due_on !== null && due_on >= from && due_on <= to)
    .slice(0, MOST.comingUp)
    .map(({ title, due_on, evidence, id }) => ({
      key: evidence[0] ?? id,
      text: oneLine(`${due_on ?? ''} ${title}`),
      of: undefined,
    }));
}

function messagesFor(
  world: BriefDeps['world'],
  { caller, namespace, agent }: Wanted,
): { messages: MarkedLine<ShownMemory>[]; unread: number } {
  const { messages, unread } = world.unread(caller.account, { namespace, notFrom: agent });
  // Proposals are for the person, who decides on them in the inbox.
  const others = messages.filter(({ kind }) => kind !== PROPOSAL);
  return {
    unread: unread - (messages.length - others.length),
    messages: others.slice(0, MOST.messages).map((message) => ({
      key: message.id,
      text: oneLine(`${message.kind} from ${message.from}: ${wordsOf(message)}`),
      of: undefined,
    })),
  };
}

/** What a message says: the text of its payload, else all of it. */
function wordsOf({ payload }: InboxMessage): string {
  const said = payload['text'] ?? payload['message'] ?? payload['summary'];
  return typeof said === 'string' ? said : JSON.stringify(payload);
}
