import fs from 'node:fs';
import { ApiError } from '@reverie/shared/client';
import { startDream } from '@reverie/shared/contract/dreams/dreams';
import { sendMessage } from '@reverie/shared/contract/events/inbox';
import {
  clearNamespace,
  deleteMemory,
  setMemory,
  storeBatch,
} from '@reverie/shared/contract/memories/memories';
import { importMemories } from '@reverie/shared/contract/memories/portable';
import { searchMemories } from '@reverie/shared/contract/search/search';
import { createBackup } from '@reverie/shared/contract/system/system';
import { hashOf } from '../../../daemon/src/db/backup/backup-file.ts';
import type { AttackedDaemon } from '../grounds.ts';
import type { Section } from '../ledger.ts';
import { secretWord } from '../planted.ts';
import { one, type Random, whole } from '../random.ts';
import { stopwatch } from '../sending.ts';
import { createPromised, type Promised } from './promises.ts';

/** One who writes to one daemon, into namespaces that nobody else writes to. */
export interface Writer {
  readonly memories: Promised;
  /** Imports emit events but deliver no webhooks, so they have a namespace of their own. */
  readonly imports: Promised;
  /** Dreams and messages that were answered, by id. */
  readonly dreams: ReadonlySet<string>;
  readonly messages: ReadonlySet<string>;
  /** Goes on until the daemon is gone, or `isOver`. */
  write(isOver: () => boolean): Promise<void>;
}

export interface WriterDeps {
  daemon: AttackedDaemon;
  random: Random;
  section: Section;
  /** Every word that is written into the namespace where two devices write. */
  shared: Set<string>;
}

/** The namespace that both devices write to, so that versions lose. */
export const BOTH = 'both';
const KEYS = 24;
const HANG_MS = 1000;
const FILL = 'about pears and apples in the garden of the house by the river ';

export function createWriter({ daemon, random, section, shared }: WriterDeps, name: string): Writer {
  const memories = createPromised(name);
  const imports = createPromised(`${name}-imported`);
  const dreams = new Set<string>();
  const messages = new Set<string>();
  let count = 0;

  function made(): { value: string; word: string } {
    const word = secretWord(random);
    const long = random() < 0.1 ? 400 : whole(random, 0, 12);
    return { value: `The box of ${name} holds ${word}. ${FILL.repeat(long)}`, word };
  }

  /** Whether it was answered 2xx; undefined where it was refused, false where the daemon is gone. */
  async function isAnswered(what: string, request: () => Promise<unknown>): Promise<boolean | undefined> {
    const passed = stopwatch(daemon.pid);
    let isTaken = true;
    try {
      await request();
    } catch (cause) {
      if (isGone(cause)) return false;
      if (!(cause instanceof ApiError)) throw cause;
      isTaken = false;
      if (cause.status >= 500)
        section.found('failed', `${what} answered ${cause.status} ${cause.code} ${cause.message}`);
      else if (cause.status !== 404 && cause.status !== 409)
        section.found('wrong', `${what} answered ${cause.status} ${cause.message}`);
    }
    const ms = passed();
    section.did('requests');
    if (ms > HANG_MS && what !== 'backup')
      section.found('hung', `${what} was answered after ${(ms / 1000).toFixed(1)} s`);
    return isTaken ? true : undefined;
  }

  const set = async () => {
    const key = `${whole(random, 1, KEYS)}`;
    const { value, word } = made();
    const answered = memories.asks(new Map([[key, { value, word }]]));
    const is = await isAnswered('set', () =>
      daemon.call(setMemory, { body: { key, value, namespace: name, metadata: { session: name } } }),
    );
    if (is) answered();
    return is;
  };
  const batch = async () => {
    const values = new Map(
      Array.from({ length: whole(random, 2, 8) }, () => [`${whole(random, 1, KEYS)}`, made()]),
    );
    const answered = memories.asks(values);
    const items = [...values].map(([key, { value }]) => ({ key, value, namespace: name }));
    const is = await isAnswered('batch', () => daemon.call(storeBatch, { body: { items } }));
    if (is) answered();
    return is;
  };
  const remove = async () => {
    const key = one(random, memories.standing());
    if (key === undefined) return set();
    const answered = memories.asks(new Map([[key, { value: null }]]));
    const is = await isAnswered('delete', () =>
      daemon.call(deleteMemory, { body: { key, namespace: name } }),
    );
    if (is) answered();
    return is;
  };
  const clear = async () => {
    const cleared = random() < 0.5 ? memories : imports;
    const answered = cleared.asks(new Map(cleared.keys().map((key) => [key, { value: null }])));
    const is = await isAnswered('clear', () =>
      daemon.call(clearNamespace, { body: { namespace: cleared.namespace } }),
    );
    if (is) answered();
    return is;
  };
  const bring = async () => {
    const values = new Map(Array.from({ length: 4 }, () => [`imported ${(count += 1)}`, made()]));
    const answered = imports.asks(values);
    const items = [...values].map(([key, { value }]) => ({ key, value, namespace: imports.namespace }));
    const is = await isAnswered('import', () => daemon.call(importMemories, { body: { items } }));
    if (is) answered();
    return is;
  };
  const disagree = () => {
    const { value, word } = made();
    shared.add(word);
    return isAnswered('set', () =>
      daemon.call(setMemory, { body: { key: `${whole(random, 1, 4)}`, value, namespace: BOTH } }),
    );
  };
  const message = () =>
    isAnswered('inbox', async () => {
      const body = { from: name, kind: 'note', payload: { n: count } };
      messages.add((await daemon.call(sendMessage, { params: { namespace: name }, body })).id);
    });
  const dream = () =>
    isAnswered('dream', async () => {
      const body = { namespace: name, strategies: ['summarize', 'connect'] as ('summarize' | 'connect')[] };
      dreams.add((await daemon.call(startDream, { body })).id);
    });
  const search = () =>
    isAnswered('search', () =>
      daemon.call(searchMemories, { body: { query: 'pears in the garden', namespace: name } }),
    );
  const backup = () =>
    isAnswered('backup', async () => {
      const { file, sha256 } = await daemon.call(createBackup, { body: {} });
      if (!fs.existsSync(file)) section.found('lost', 'a backup that was answered is not there');
      else if ((await hashOf(file)) !== sha256)
        section.found('lost', 'a backup is not the one that was answered');
      // It may keep what is deleted later, so it is not among what is looked through.
      fs.rmSync(file, { force: true });
    });

  const steps: [number, () => Promise<boolean | undefined>][] = [
    ...([
      [34, set],
      [14, batch],
      [14, remove],
      [3, clear],
      [6, bring],
    ] as const),
    ...([
      [8, disagree],
      [6, message],
      [0.5, dream],
      [10, search],
      [2, backup],
    ] as const),
  ].map(([weight, run]) => [weight, run]);
  const all = steps.reduce((sum, [weight]) => sum + weight, 0);

  return {
    memories,
    imports,
    dreams,
    messages,
    async write(isOver) {
      while (!isOver()) {
        let at = random() * all;
        const [, step] = steps.find(([weight]) => (at -= weight) < 0) ?? [0, set];
        if ((await step()) === false) return;
      }
    },
  };
}

/** The daemon was killed under the request, or the body of its reply was cut. */
export function isGone(cause: unknown): boolean {
  if (cause instanceof ApiError)
    return cause.code === 'unreachable' || (cause.code === 'bad_reply' && cause.status < 500);
  return cause instanceof TypeError && cause.message === 'terminated';
}
