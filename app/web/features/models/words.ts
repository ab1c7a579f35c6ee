import { isLoopback } from '@reverie/shared/contract/loopback';
import {
  AGENT_DEFAULT,
  agentAt,
  type Examination,
  type FoundModel,
  type FoundServer,
  type ModelConsent,
  type ModelPart,
  type ModelSheet,
  type ModelUse,
  serverTitles,
} from '@reverie/shared/contract/system/models';
import { countOf, formatCount, formatDecimal } from '../../platform/format.ts';
import type { Tone } from '../../ui/Badge.tsx';

interface PartWords {
  name: string;
  /** After "Use for". */
  use: string;
  /** What a model does there. */
  does: string;
  /** What goes to its server. */
  sent: string;
  /** What holds where no model is used. */
  without: string;
}

/** The parts that a model is used for, for people, in the order in which they are shown. */
export const PARTS: Readonly<Record<ModelPart, PartWords>> = {
  ask: {
    name: 'Questions',
    use: 'questions',
    does: 'puts answers together and says what is not in memory',
    sent: 'each question, and the passages that were found for it',
    without: 'What search finds closest is quoted from your memories, and nothing is claimed.',
  },
  dreams: {
    name: 'Dreams',
    use: 'dreams',
    does: 'reads memories for what disagrees, stands there twice or keeps happening',
    sent: 'the memories that a dream reads, many at a time',
    without: 'Dreams notice what rules can find.',
  },
  vectors: {
    name: 'Search by meaning',
    use: 'search by meaning',
    does: 'tells what means the same',
    sent: 'the text of every memory, and of each search',
    without: 'What comes with Reverie does this.',
  },
};

/** A model for people: a coding agent by its name, unless one of its models was named. */
export function modelTitle({ server, name }: NamedModel): string {
  const agent = agentAt(server);
  if (agent === undefined) return name;
  return name === AGENT_DEFAULT ? serverTitles[agent] : `${serverTitles[agent]} (${name})`;
}

/** Where what a part is asked goes: to the vendor of a coding agent, to another address, or nowhere. */
export function whereTo({ server, reach, consent }: Pick<ModelUse, 'server' | 'reach' | 'consent'>): string {
  if (reach === 'local' || server === null) return 'this machine';
  return consent?.vendor ?? server;
}

/** `questions`, `questions and dreams`, `questions, dreams and search by meaning`. */
export function listOfParts(parts: readonly ModelPart[]): string {
  const names = parts.map((part) => PARTS[part].use);
  const last = names.pop() ?? '';
  return names.length === 0 ? last : `${names.join(', ')} and ${last}`;
}

/** Whether a part uses a model that somebody chose: not none, and not what comes with Reverie. */
export function usesModel({ server, state }: Pick<ModelUse, 'server' | 'state'>): boolean {
  return server !== null && state !== 'off';
}

/** Of what a part has used up its tokens, so that its model rests; undefined where it does not. */
export function restOf({
  state,
  tokens_per_day,
  tokens_per_month,
  spent,
}: ModelUse): 'day' | 'month' | undefined {
  if (state === 'off') return undefined;
  if (tokens_per_month !== null && spent.tokens_month >= tokens_per_month) return 'month';
  return tokens_per_day !== null && spent.tokens_today >= tokens_per_day ? 'day' : undefined;
}

const GOES_ON = { day: 'after midnight UTC', month: 'when the next month begins (UTC)' } as const;

/** How a part does, in a word and a sentence. */
export function standingOf(use: ModelUse): { tone: Tone; word: string; sentence: string } {
  const words = PARTS[use.part];
  if (!usesModel(use))
    return {
      tone: 'plain',
      word: use.part === 'vectors' ? 'built in' : 'no model',
      sentence: words.without,
    };
  const rest = restOf(use);
  if (rest !== undefined)
    return {
      tone: 'warn',
      word: 'resting',
      sentence: `It has used all it may this ${rest}: it goes on ${GOES_ON[rest]}, or with a higher limit. ${MEANWHILE[use.part]}`,
    };
  switch (use.state) {
    case 'ok':
      return { tone: 'good', word: 'works', sentence: `It ${words.does}.` };
    case 'catching_up':
      return {
        tone: 'accent',
        word: 'catching up',
        sentence: 'It goes through what is stored; search finds the rest by its words meanwhile.',
      };
    case 'down':
      return {
        tone: 'bad',
        word: 'does not answer',
        sentence: `${endedWith('.', use.error ?? 'No reason was given')} Reverie keeps trying. ${MEANWHILE[use.part]}`,
      };
    case 'off':
      return { tone: 'plain', word: 'no model', sentence: words.without };
  }
}

function endedWith(stop: string, text: string): string {
  return text.endsWith(stop) ? text : `${text}${stop}`;
}

const MEANWHILE: Readonly<Record<ModelPart, string>> = {
  ask: 'Answers are quoted meanwhile.',
  dreams: 'Dreams go by rules meanwhile.',
  vectors: 'Search goes by words meanwhile.',
};

/** What a part spent of tokens, and how often, in a line. */
export function spentWords({ spent }: Pick<ModelUse, 'spent'>): string {
  const { tokens_today, tokens_month, calls_month, failed_month } = spent;
  if (calls_month === 0) return 'nothing this month';
  const failed = failed_month === 0 ? '' : `, ${formatCount(failed_month)} of them failed`;
  return `${countOf(tokens_today, 'token', 'tokens')} today, ${formatCount(tokens_month)} this month in ${countOf(calls_month, 'request', 'requests')}${failed}`;
}

/** The limits of a part in a line: `30 s a request, 50,000 tokens a day, 500,000 tokens a month`. */
export function limitWords({
  timeout_ms,
  tokens_per_day,
  tokens_per_month,
}: Pick<ModelUse, 'timeout_ms' | 'tokens_per_day' | 'tokens_per_month'>): string {
  const limits = [
    ...(tokens_per_day === null ? [] : [`${countOf(tokens_per_day, 'token', 'tokens')} a day`]),
    ...(tokens_per_month === null ? [] : [`${countOf(tokens_per_month, 'token', 'tokens')} a month`]),
  ];
  return [
    `${secondsWords(timeout_ms)} a request`,
    ...(limits.length > 0 ? limits : ['no limit of tokens']),
  ].join(', ');
}

/** For whom a month's tokens were taken; undefined where it was for one alone. */
export function payersWords({ by }: Pick<ModelUse['spent'], 'by'>): string | undefined {
  if (by.length < 2) return undefined;
  return by.map(({ name, tokens_month }) => `${name} ${formatCount(tokens_month)}`).join(' · ');
}

/** `30 s`, `1.5 s`, `2 min`. */
function secondsWords(ms: number): string {
  if (ms >= 60_000 && ms % 60_000 === 0) return `${formatCount(ms / 60_000)} min`;
  return `${formatDecimal(ms / 1_000, 1)} s`;
}

/** What a found model can do, in a few words. */
export function abilities({ can, context }: Pick<FoundModel, 'can' | 'context'>): string {
  const words = [
    ...(can.includes('chat') ? ['answers'] : []),
    ...(can.includes('schema') ? ['keeps to a form'] : []),
    ...(can.includes('tools') ? ['uses tools'] : []),
    ...(can.includes('vectors') ? ['compares meanings'] : []),
    ...(context === null ? [] : [`reads ${formatCount(context)} tokens at once`]),
  ];
  return words.length === 0 ? 'its server does not say what it can do' : words.join(' · ');
}

/** Whether an address is of this machine, so that nothing that is sent there leaves it. */
function isThisMachine(url: string): boolean {
  return URL.canParse(url) && isLoopback(new URL(url).hostname);
}

/** A model on a server; the address and the name together identify it. */
export interface NamedModel {
  server: string;
  name: string;
}

/** Whether what a model is asked stays here: Ollama hands what is asked of `…-cloud` models to its own service. */
export function staysHere({ server, name }: NamedModel): boolean {
  return isThisMachine(server) && !/[-:]cloud$/.test(name);
}

export function isSame(one: NamedModel, other: NamedModel | null): boolean {
  return other !== null && one.name === other.name && isSameServer(one.server, other.server);
}

/** Whether two addresses are of one server; a slash at the end makes no difference. */
export function isSameServer(one: string, other: string): boolean {
  return one.replace(/\/+$/, '') === other.replace(/\/+$/, '');
}

/** A model that somebody is about to use. */
export interface ModelCandidate extends NamedModel {
  /** What its server says that it can do; undefined where nobody asked it. */
  can: FoundModel['can'] | undefined;
  /** What has to be agreed to before a coding agent's command is asked. */
  consent?: ModelConsent | null;
}

/** A coding agent that was found, as somebody is about to use it. */
export function agentCandidate({ url, models, consent }: FoundServer): ModelCandidate {
  return { server: url, name: AGENT_DEFAULT, can: models[0]?.can, consent };
}

/** How a model would do for a part, before it is used there: whether it can, and what speaks against it. */
export interface Fitness {
  part: ModelPart;
  isPossible: boolean;
  warning: string | undefined;
  /** Whether the warning is what was found out, not only what nobody knows. */
  isAdvisedAgainst: boolean;
}

/** What is known of a model when somebody wants to use it. */
export interface KnownModel extends Pick<ModelCandidate, 'can'> {
  /** Its own, where it was examined. */
  examination: Examination | undefined;
  /** A coding agent's: it is not examined unasked, for that is paid for. */
  isAgent?: boolean;
}

/** How fit a model is for each part: by what its server says that it can do, and by its examination. */
export function fitnessOf({ can, examination, isAgent = false }: KnownModel): Fitness[] {
  const parts = Object.keys(PARTS) as ModelPart[];
  return parts.map((part) => {
    const needed = part === 'vectors' ? 'vectors' : 'chat';
    const isPossible = can === undefined || can.length === 0 || can.includes(needed);
    const isAdvisedAgainst = examination?.status === 'done' && !examination.fit_for.includes(part);
    const isUnexamined = isAgent && examination === undefined;
    const warning = isPossible ? (isUnexamined ? undefined : warningOf(part, examination)) : CANNOT[needed];
    return { part, isPossible, warning, isAdvisedAgainst: isPossible && isAdvisedAgainst };
  });
}

const CANNOT = {
  chat: 'It only compares meanings: no answers.',
  vectors: 'It compares no meanings.',
} as const;

function warningOf(part: ModelPart, examination: Examination | undefined): string | undefined {
  if (examination?.status !== 'done') return 'Not examined: nobody knows how well it does here.';
  if (examination.fit_for.includes(part)) return undefined;
  const why = examination.verdict === null ? '' : `: ${examination.verdict}`;
  return endedWith('.', `The examination advises against it${why}`);
}

/** The parts that are proposed first: what it was found fit for, else what it can do at all. */
export function proposedParts(known: KnownModel): ModelPart[] {
  const possible = fitnessOf(known).filter(({ isPossible }) => isPossible);
  const fit = possible.filter(({ warning }) => warning === undefined);
  if (known.examination?.status === 'done') return fit.map(({ part }) => part);
  // Vectors of all that is stored are made anew for another model: nothing that is done by the way.
  const canChat = possible.some(({ part }) => part !== 'vectors');
  return possible.map(({ part }) => part).filter((part) => !canChat || part !== 'vectors');
}

/** How an examination stands, in a word. */
export function examinationState({ status, fit_for }: Examination): { tone: Tone; word: string } {
  switch (status) {
    case 'running':
      return { tone: 'accent', word: 'under way' };
    case 'stopped':
      return { tone: 'plain', word: 'stopped' };
    case 'failed':
      return { tone: 'bad', word: 'failed' };
    case 'done':
      return fit_for.length > 0 ? { tone: 'good', word: 'passed' } : { tone: 'warn', word: 'not fit' };
  }
}

/** Why the settings of a part cannot be changed here; undefined where they can. */
export function lockedBy({ settings_from }: Pick<ModelUse, 'settings_from'>): string | undefined {
  if (settings_from === 'variable') return 'Set by a variable when Reverie was started: change it there.';
  if (settings_from === 'flag') return 'Set by a flag when Reverie was started: change it there.';
  return undefined;
}

const SHEETS: Readonly<Record<ModelSheet['part'], string>> = {
  ask: 'A question',
  dreams: 'A dream',
  examination: 'An examination',
};

/** What was put to a model, and to which: `A question, to Claude Code`. */
export function sheetTitle({ part, server, model, reach }: ModelSheet): string {
  const named = modelTitle({ server, name: model });
  return `${SHEETS[part]}, to ${reach === 'local' ? `${named} on this machine` : named}`;
}

/** How much was put to a model, and what came of it, in a line. */
export function sheetWords({ server, shown, tokens, answered, reach }: ModelSheet): string {
  return [
    ...(reach === 'beyond' && agentAt(server) === undefined ? [server] : []),
    countOf(shown, 'note', 'notes'),
    ...(tokens === null ? [] : [countOf(tokens, 'token', 'tokens')]),
    ...(answered === null ? ['answer not known'] : answered ? [] : ['no answer']),
  ].join(' · ');
}
