import { createHash } from 'node:crypto';
import type { AccountId, Caller } from '@reverie/shared/accounts/caller';
import type { AnchorNow } from '@reverie/shared/contract/memories/anchor-now';
import { anchorsWarning } from '@reverie/shared/contract/memories/anchor-words';
import type { HookAgent, HookEvent, listHooks } from '@reverie/shared/contract/agents/hooks';
import type { Memory } from '@reverie/shared/contract/memories/memories';
import type { Reply } from '@reverie/shared/contract/route';
import type { Store } from '../../../db/open-store.ts';
import { STOP_WORDS, WORD } from '../../../language/words/words.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Project } from '../../../platform/project.ts';
import { refuseForeign } from '../../../platform/refuse-foreign.ts';
import { WHEN_TO_USE } from '../../../mcp/instructions.ts';
import {
  answerFor,
  hasForgotten,
  isFolder,
  sendsInstructions,
  takesText,
  type HookTold,
  toldBy,
} from './agents.ts';
import { briefOf, gistOf, type ShownMemory } from './brief.ts';
import type { createDoubled } from './doubled.ts';
import {
  addShown,
  countFiring,
  dropSessionsBefore,
  dropShown,
  lastThere,
  listFirings,
  saveSession,
  type HookSession,
  shownTo,
} from './hooks.store.ts';
import { marked, oneLine, type MarkedSection } from './marked.ts';
import type { HooksWorld } from './ports.ts';
import { saidByPerson } from './said-by-person.ts';
import { keepLasting, mayPropose, proposeLasting } from './proposals.ts';

export interface HooksDeps {
  store: Store;
  clock: Pick<Clock, 'now'>;
  isDoubled: ReturnType<typeof createDoubled>;
  world: HooksWorld;
}

export interface HookRequest {
  agent: HookAgent;
  event: HookEvent;
  input: string;
  cwd?: string | undefined;
  namespace?: string | undefined;
}

export interface HookAnswer {
  output: string;
  doubled: boolean;
  namespace: string | null;
  tokens: number;
  why: string | null;
}

/** Tokens (bytes / 4) of what is put before an agent at most; of lines that only point at memories fewer. */
const TOKENS = { start: 1_500, compact: 1_500, prompt: 600, end: 0 } as const;
const TOKENS_POINTING = 120;
/**
 * The scores (0..1) from which a prompt is pointed at a memory, and from which it is told what the memory says: pointers help at 37 % of the
 * prompts that a memory helps, and stand at 22 % of the others (`shared/research/readings-2026-11-28`, 70 and 50 prompts nobody tuned to);
 * the whole text at about 10 % of those (`bench:hooks --line`).
 */
export const PLAUSIBLE = 0.5;
export const CLEARLY_RELEVANT = 0.85;
/** Memories that are looked at for a prompt, and shown for it at most. */
const LOOKED_AT = 8;
const SHOWN = 4;
/** Characters of what a memory says in a line that points at it. */
const FIRST_WORDS = 56;
/** Characters of a prompt that are looked for: what is longer is mostly pasted. */
const LONGEST_QUERY = 1_000;
/** Days that a session is remembered after it was there last. */
const SESSION_DAYS = 90;
const DAY = 86_400_000;
/** Where there is no project. */
const NO_PROJECT = 'default';

/** Answers a hook: what it is to print, or nothing and why. `gone` is aborted when the hook gave up waiting: it then prints nothing, and nothing counts as shown. */
export async function answerHook(
  deps: HooksDeps,
  { caller: asking, gone }: { caller: Caller; gone: AbortSignal },
  call: HookRequest,
): Promise<HookAnswer> {
  const { store, clock, world } = deps;
  // A caller of another account would learn from the answer how folders of this machine are called.
  refuseForeign(world, asking.key.account);
  const { account } = asking.key;
  const caller = { ...asking, account };
  const { agent, event } = call;
  const told = toldBy(agent, event, call.input);
  if ('wrong' in told) return nothing(told.wrong);
  const { session } = told;
  // Qwen Code calls it for what a tool answered, too.
  if (told.event === 'prompt' && told.prompt.trim() === '') return nothing('nobody said anything');
  const doubled = deps.isDoubled({ account, ...told });
  const now = clock.now();
  const folder = told.cwd ?? (isFolder(call.cwd) ? call.cwd : undefined);
  const project = folder === undefined ? undefined : world.projectOf(folder);
  const namespace = call.namespace ?? project?.namespace ?? NO_PROJECT;
  const mayRead = caller.readable(namespace);
  if (project && caller.readable(project.namespace)) world.seen(account, project);
  const here: HookSession = { account, session, agent, namespace, now };
  const since = store.read((db) => lastThere(db, here));
  store.write((db) => {
    countFiring(db, { account, agent, event, now }, doubled);
    if (doubled || !mayRead) return;
    saveSession(db, here);
    if (told.event === 'start') dropSessionsBefore(db, account, now - SESSION_DAYS * DAY);
    if (hasForgotten(agent, told)) dropShown(db, here);
  });
  if (doubled) return { ...nothing('the same call was there within the last 10 s'), doubled };
  if (!mayRead) return nothing('this key does not have the namespace of this project');
  const isProject = call.namespace !== undefined || project !== undefined;
  const asked: Asked = { caller, gone, here, told, project, isProject, since };
  switch (told.event) {
    case 'end': {
      const { proposed } = proposeLasting(deps, caller, here);
      return { ...nothing(`${proposed} proposed to the inbox`), namespace };
    }
    case 'start':
    case 'compact':
      if (mayPropose(caller, namespace)) proposeEarlier(deps, caller, here);
      return startAnswer(deps, asked);
    case 'prompt':
      return promptAnswer(deps, asked);
  }
}

interface Asked {
  caller: Caller;
  gone: AbortSignal;
  here: HookSession;
  told: HookTold;
  /** Where the agent works. */
  project: Project | undefined;
  /** Whether a namespace was named, by the folder or by the hook. */
  isProject: boolean;
  /** When the agent was last there before this session, ms since 1970: what changed since is told. Undefined for the first time. */
  since: number | undefined;
}

/** The id of no session: with it, only those are meant that ended without a word. */
const NO_SESSION = '';

/** What was said in sessions that ended without a word; those of this one wait for its own end. */
function proposeEarlier(deps: HooksDeps, caller: Caller, here: HookSession): void {
  proposeLasting(deps, caller, { ...here, session: NO_SESSION });
}

async function startAnswer(deps: HooksDeps, asked: Asked): Promise<HookAnswer> {
  const { caller, here, since, isProject, told } = asked;
  const { namespace, agent } = here;
  if (!takesText(agent, told.event)) return { ...nothing(`${agent} takes no text here`), namespace };
  const today = new Date(here.now).toISOString().slice(0, 10);
  const sections = briefOf(deps, { caller, namespace, agent, since, today });
  const about = isProject
    ? `What Reverie remembers of this project (namespace ${oneLine(namespace)}); each line begins with its key.`
    : 'This folder is in no project. What Reverie remembers in the namespace default, and of no project; each line begins with its key.';
  const intro = sendsInstructions(agent) ? about : `${WHEN_TO_USE} ${about}`;
  return shownAnswer(deps, asked, { intro, sections });
}

async function promptAnswer(deps: HooksDeps, asked: Asked): Promise<HookAnswer> {
  const { caller, here, told } = asked;
  const { namespace, agent, account } = here;
  const said = saidByPerson(told.prompt);
  if (mayPropose(caller, namespace)) await keepLasting(deps, here, said);
  if (!takesText(agent, told.event)) return { ...nothing(`${agent} takes no text here`), namespace };
  const text = said.trim().slice(0, LONGEST_QUERY).toWellFormed();
  if (!asksSomething(text)) return { ...nothing('the prompt asks nothing to look for'), namespace };
  const found = await deps.world.search(account, {
    namespace,
    text,
    threshold: PLAUSIBLE,
    limit: LOOKED_AT,
  });
  const lines = found.map(({ memory, score, passage }) =>
    score < CLEARLY_RELEVANT
      ? { key: memory.key, text: pointerTo(memory), of: { memory, score, reason: POINTED } }
      : { key: memory.key, text: oneLine(passage), of: { memory, score, reason: 'fits the prompt' } },
  );
  const intro = `May help here; memory_get reads one by its key (namespace ${oneLine(namespace)}).`;
  return shownAnswer(deps, asked, { intro, sections: [{ lines }], most: SHOWN, query: text });
}

/** Why a memory stands in a line that says only how it begins. */
const POINTED = 'may fit the prompt';

/** How a memory begins, and of which day it is. */
function pointerTo(memory: Memory): string {
  const day = memory.noted_at ?? memory.created_at;
  return `${oneLine(gistOf(memory), FIRST_WORDS)} — ${day.slice(0, 10)}`;
}

/** Whether a text has two words or more that mean something: `yes, go on` is no question to a memory. */
function asksSomething(text: string): boolean {
  const words = text.toLowerCase().match(WORD) ?? [];
  return words.filter((word) => word.length > 1 && !STOP_WORDS.has(word)).length >= 2;
}

interface Showing {
  intro: string;
  sections: readonly MarkedSection<ShownMemory>[];
  /** Lines of a section at most. */
  most?: number;
  /** What was looked for. */
  query?: string | null;
}

/** Sections without what the session was shown already, as they are printed; writes down what is shown. */
async function shownAnswer(
  { store, world }: HooksDeps,
  { caller, gone, here, told, project }: Asked,
  { intro, sections, most = Infinity, query = null }: Showing,
): Promise<HookAnswer> {
  const { namespace, agent, session } = here;
  const memories = sections.flatMap(({ lines }) => lines.flatMap(({ of }) => (of ? [of.memory] : [])));
  const names = memories.flatMap((memory) => [nameOf(memory), nameOf(memory, POINTED)]);
  const before = store.read((db) => shownTo(db, here, names));
  const wasShown = ({ memory, reason }: NonNullable<ShownMemory>) =>
    before.has(nameOf(memory).toString('hex')) || before.has(nameOf(memory, reason).toString('hex'));
  const unseen = sections.map((section) => ({
    ...section,
    lines: section.lines.filter(({ of }) => !of || !wasShown(of)).slice(0, most),
  }));
  const telling = unseen.flatMap(({ lines }) => lines.flatMap(({ of }) => (of ? [of.memory] : [])));
  const anchors = await world.anchors(here.account, telling, project);
  const fresh = unseen.map((section) => ({
    ...section,
    lines: section.lines.map((line) => ({ ...line, text: line.text + warningOf(line.of, anchors) })),
  }));
  const printed = answerFor(agent, told.event);
  const isShort = fresh.every(({ lines }) => lines.every(({ of }) => of?.reason === POINTED));
  const text = marked(intro, fresh, {
    tokens: isShort ? TOKENS_POINTING : TOKENS[told.event],
    printed,
    isShort,
  });
  if (!text) return { ...nothing('nothing here that is new to this session'), namespace };
  if (gone.aborted) return { ...nothing('the hook gave up waiting'), namespace };
  const shown = text.lines.flatMap(({ of }) => (of ? [of] : []));
  store.write((db) =>
    addShown(
      db,
      here,
      shown.map(({ memory, reason }) => nameOf(memory, reason)),
    ),
  );
  world.injected(caller, {
    agent,
    session,
    event: told.event,
    namespace,
    query,
    tokens: text.tokens,
    memories: shown.map(({ memory, reason, score }) => ({
      namespace: memory.namespace,
      key: memory.key,
      reason,
      score,
    })),
  });
  return { output: printed(text.text), doubled: false, namespace, tokens: text.tokens, why: null };
}

/** Characters of what is said of the code that a memory is anchored to. */
const LONGEST_WARNING = 160;

/** What a line says behind a memory whose code is not as it was; a line that points at it says so in three words. */
function warningOf(of: ShownMemory, anchors: ReadonlyMap<Memory, readonly AnchorNow[]>): string {
  const told = of && anchors.get(of.memory);
  const warning = anchorsWarning(told);
  if (!told || warning === undefined) return '';
  if (of.reason !== POINTED) return ` (${oneLine(warning, LONGEST_WARNING)})`;
  if (told.some(({ state }) => state === 'changed' || state === 'gone')) return ', code changed since';
  return told.some(({ state }) => state === 'unchecked') ? ', code not checked' : '';
}

/** What a session remembers of a memory that it was shown: a hash, also of when it changed last, and of whether it was only pointed at. */
function nameOf({ namespace, key, updated_at }: Memory, reason?: string): Buffer {
  return createHash('sha256')
    .update(JSON.stringify([namespace, key, updated_at, ...(reason === POINTED ? [POINTED] : [])]))
    .digest()
    .subarray(0, 16);
}

function nothing(why: string): HookAnswer {
  return { output: '', doubled: false, namespace: null, tokens: 0, why };
}

/** When the hooks of each agent were called last, and how often. */
export function firingsOf(
  { store }: Pick<HooksDeps, 'store'>,
  account: AccountId,
): Reply<typeof listHooks>['hooks'] {
  const rows = store.read((db) => listFirings(db, account));
  return rows.map(({ last_at, ...firing }) => ({
    ...firing,
    last_fired_at: new Date(last_at).toISOString(),
  }));
}
