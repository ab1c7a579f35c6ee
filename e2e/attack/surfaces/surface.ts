import { setTimeout as pause } from 'node:timers/promises';
import { askMemory } from '@reverie/shared/contract/search/ask';
import type { AttackedDaemon, AttackedRelay, Grounds } from '../grounds.ts';
import type { Section } from '../ledger.ts';
import { wordsIn } from '../planted.ts';
import type { Random } from '../random.ts';
import { type Answer, send, type Sent } from '../sending.ts';

/** What a surface is attacked with. */
export interface SurfaceScene {
  section: Section;
  grounds: Grounds;
  random: Random;
  seed: number;
  /** How often things are tried that are made by chance; also says how much is written where that takes long. */
  times: number;
}

/** A way into the product that is no documented route, or that one request at a time says nothing about. */
export interface Surface {
  name: string;
  run(scene: SurfaceScene): Promise<void>;
}

/**
 * Starts a daemon and waits until what is loaded late is there: it takes one long turn, told as a figure, and the turns behind it shall say
 * something of what is sent.
 */
export async function startLoaded(
  { section, grounds }: SurfaceScene,
  name: string,
  env: Record<string, string> = {},
): Promise<AttackedDaemon> {
  const daemon = await grounds.daemon(name, env);
  await daemon.call(askMemory, { body: { question: 'Is it warm?' } });
  await send(daemon.origin, {
    method: 'POST',
    path: '/v1/a2a',
    headers: jsonBy(daemon.ownerKey, { 'A2A-Version': '1.0' }),
    body: '{"jsonrpc":"2.0","id":1,"method":"ListTasks","params":{}}',
  });
  await pause(2500);
  section.figure('longest turn while it loads', `${Math.round(daemon.longestTurn())} ms`);
  return daemon;
}

/** A request with a name for people. */
export interface Shot {
  what: string;
  sent: Sent;
  /** The statuses that it may have: any below 500, where none are given. */
  expected?: readonly number[];
  /** May it answer what is planted? */
  mayRead?: boolean;
}

const HANG_MS = 1000;

/** Sends requests, one after the other so that a long turn has one cause, and notes what is wrong with their answers. */
export async function shoot(
  section: Section,
  target: AttackedDaemon | AttackedRelay,
  {
    shots,
    secrets = new Set(),
    mayTakeMs = HANG_MS,
    onAnswer,
  }: {
    shots: readonly Shot[];
    secrets?: ReadonlySet<string>;
    /** How long an answer may take, where only who asks waits for it. */
    mayTakeMs?: number;
    onAnswer?: (shot: Shot, answer: Answer) => void;
  },
): Promise<void> {
  for (const shot of shots) {
    const { what, sent, expected, mayRead = false } = shot;
    await during({ section, target: target }, what, async () => {
      const answer = await send(target.origin, sent, { pid: target.pid });
      section.did('requests');
      section.answered(answer.status);
      if (answer.status >= 500 || isInternalError(answer))
        section.found('failed', `${what} answered ${answer.status} ${answer.text.slice(0, 300)}`, sent);
      else if (expected && !expected.includes(answer.status))
        section.found('wrong', `${what} answered ${answer.status} ${answer.text.slice(0, 200)}`, sent);
      if (answer.status === 0 && Buffer.byteLength(sent.body ?? '') < 200_000)
        section.found('wrong', `${what} was not answered: ${answer.cut ?? ''}`, sent);
      if (answer.ms > mayTakeMs)
        section.found('hung', `${what} took ${(answer.ms / 1000).toFixed(1)} s`, sent);
      if (!mayRead && wordsIn(`${answer.text} ${JSON.stringify(answer.headers)}`, secrets).length > 0)
        section.found('readable', `${what} answered what is planted`, sent);
      onAnswer?.(shot, answer);
    });
  }
}

/** Runs something, and notes how long a turn of the target took meanwhile. */
export async function during(
  { section, target }: { section: Section; target: AttackedDaemon | AttackedRelay },
  what: string,
  run: () => Promise<unknown>,
): Promise<void> {
  const since = Date.now();
  await run();
  // The turn that answered is written down when the next one begins.
  await pause(5);
  section.turn(target.longestTurn(since), what);
}

/** JSON-RPC has its own 500, in an answer of 200. */
function isInternalError({ text }: Answer): boolean {
  return /"code"\s*:\s*-32603\b/.test(text);
}

/** Headers of a request with a body, by a key. */
export function jsonBy(key: string | undefined, more: Record<string, string> = {}): Record<string, string> {
  return {
    ...(key !== undefined && { Authorization: `Bearer ${key}` }),
    'Content-Type': 'application/json',
    ...more,
  };
}

/** What is acknowledged by a surface, to be asked for again at its end. */
export interface Acknowledged {
  add(key: string, value: string): void;
  /** Notes what is not there, by the words of `read`. */
  check(section: Section, read: (key: string) => Promise<string | undefined>): Promise<void>;
}

export function createAcknowledged(): Acknowledged {
  const values = new Map<string, string>();
  return {
    add: (key, value) => void values.set(key, value),
    async check(section, read) {
      section.did('acknowledged writes', values.size);
      for (const [key, value] of values) {
        const now = await read(key);
        if (now !== value)
          section.found(
            'lost',
            `${key} was acknowledged, and is ${now === undefined ? 'not there' : 'other'}`,
          );
      }
    },
  };
}

/** Asks whether a target still serves, on a connection of its own. */
export async function isWell(section: Section, target: AttackedDaemon | AttackedRelay): Promise<void> {
  const { status, cut } = await send(target.origin, { method: 'GET', path: '/healthz', headers: {} });
  if (status !== 200) section.found('lost', `after all of it /healthz answered ${status} ${cut ?? ''}`);
}
