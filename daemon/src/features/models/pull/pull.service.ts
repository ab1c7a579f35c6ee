import type { ModelPull } from '@reverie/shared/contract/system/models';
import { Problem } from '@reverie/shared/contract/problems';
import type { Store } from '../../../db/open-store.ts';
import type { Clock, Stop } from '../../../platform/clock.ts';
import type { Log } from '../../../platform/log.ts';
import { askStranger } from '../found/ask-stranger.ts';
import { offeredModels, withTag } from '../found/offered.ts';
import { ollamaVersion } from '../found/ollama.ts';
import { isOnThisMachine, portOf } from '../found/places.ts';
import { type FreeSpace, MARGIN } from './free-space.ts';
import { followPull, type PullProgress, type PullEnd, UnreadableLine } from './pull-stream.ts';
import { savedPull, savePull } from './pull.store.ts';

export interface PullDeps {
  store: Store;
  clock: Clock;
  log: Log;
  world: {
    /** Whether a port is one that Reverie itself listens on. */
    isOwn(port: number): boolean;
    free(): FreeSpace;
    /** Told when there is a model more. */
    got(): void;
  };
}

export interface Pulls {
  /** The last one; null where there never was one. */
  current(): ModelPull | null;
  start(wanted: { server: string; name: string }): Promise<ModelPull>;
  stop(): ModelPull;
  /** Ends what is under way with the daemon; it can be taken up where it was left. */
  close: Stop;
}

/** How often a pull under way is saved, in ms; a crash loses no more of what is shown. */
const SAVED_EVERY = 5000;

/**
 * Has Ollama get one model at a time, and remembers how far it came. What Ollama has got it keeps, so that asking again goes on there;
 * a daemon that ended in the middle finds its pull `stopped`.
 */
export function createPulls({ store, clock, log, world }: PullDeps): Pulls {
  const saved = store.read(savedPull);
  let last: ModelPull | undefined = saved?.status === 'running' ? { ...saved, status: 'stopped' } : saved;
  let running: { pull: ModelPull; controller: AbortController } | undefined;
  let beginning: { wanted: Wanted; begun: Promise<ModelPull> } | undefined;
  let savedAt = 0;

  const isoNow = () => new Date(clock.now()).toISOString();
  const save = (pull: ModelPull): ModelPull => {
    last = pull;
    savedAt = clock.now();
    try {
      store.write((db) => savePull(db, pull));
    } catch (err) {
      log.warn({ err }, 'how far a model is could not be saved; a restart may show it as it was before');
    }
    return pull;
  };
  const end = (pull: ModelPull, status: 'stopped' | 'done' | 'failed', error: string | null): ModelPull => {
    running = undefined;
    log.info({ model: pull.name, status, error }, 'getting a model is over');
    return save({ ...pull, status, error, ended_at: isoNow() });
  };
  const stopRunning = ({ pull, controller }: NonNullable<typeof running>): ModelPull => {
    controller.abort();
    return end(pull, 'stopped', null);
  };

  async function run(mine: NonNullable<typeof running>): Promise<void> {
    const { controller } = mine;
    const told = ({ done, total }: PullProgress) => {
      if (controller.signal.aborted) return;
      const isNews = total !== mine.pull.bytes_total;
      mine.pull = { ...mine.pull, bytes_done: done, bytes_total: total };
      last = mine.pull;
      if (clock.now() - savedAt >= SAVED_EVERY) save(mine.pull);
      const short = isNews && total > done ? shortage(world.free(), total - done) : undefined;
      if (short !== undefined) throw new NoRoom(short);
    };
    const result = await pullFrom(mine.pull, { signal: controller.signal, told }).catch((cause: unknown) => {
      if (!controller.signal.aborted)
        log.warn({ err: cause, model: mine.pull.name }, 'a model could not be got');
      const isKnown = cause instanceof NoRoom || cause instanceof UnreadableLine;
      return { status: 'failed' as const, error: isKnown ? cause.message : BROKEN };
    });
    // Whoever stopped it has said so already.
    if (controller.signal.aborted) return;
    controller.abort();
    const { bytes_total, bytes_done } = mine.pull;
    if (result.status === 'done') mine.pull = { ...mine.pull, bytes_done: bytes_total ?? bytes_done };
    end(mine.pull, result.status, result.error);
    if (result.status === 'done') world.got();
  }

  async function begin(wanted: Wanted): Promise<ModelPull> {
    const { server, name } = wanted;
    const heard = await askStranger(server)('/api/version');
    if (heard.kind === 'nothing')
      throw new Problem('model_unreachable', `Nothing answers at ${server}. Start Ollama, and ask again.`);
    if (ollamaVersion(heard) === undefined)
      throw new Problem(
        'conflict',
        `The server at ${server} is no Ollama, and only an Ollama can get models.`,
      );
    const before = last && isSame(last, wanted) && last.status !== 'done' ? last : undefined;
    const size = offeredModels().find((model) => withTag(model.name) === withTag(name))?.bytes;
    const left = (size ?? 0) - (before?.bytes_done ?? 0);
    const short = left > 0 ? shortage(world.free(), left) : undefined;
    if (short !== undefined) throw new Problem('disk_full', short);
    log.info({ model: name, server }, 'getting a model');
    const pull = save({
      server,
      name,
      status: 'running',
      error: null,
      started_at: isoNow(),
      ended_at: null,
      bytes_done: before?.bytes_done ?? 0,
      bytes_total: before?.bytes_total ?? size ?? null,
    });
    running = { pull, controller: new AbortController() };
    void run(running);
    return pull;
  }

  return {
    current: () => last ?? null,
    async start({ server: address, name }) {
      const wanted = { server: new URL(address).origin, name };
      refuseElsewhere(wanted.server, world.isOwn);
      if (running && isSame(running.pull, wanted)) return running.pull;
      if (beginning && isSame(beginning.wanted, wanted)) return beginning.begun;
      const other = running?.pull ?? beginning?.wanted;
      if (other)
        throw new Problem('conflict', `${other.name} is being got; stop that first, or wait for it.`);
      beginning = { wanted, begun: begin(wanted) };
      try {
        return await beginning.begun;
      } finally {
        beginning = undefined;
      }
    },
    stop() {
      if (!running) throw new Problem('conflict', 'No model is being got.');
      return stopRunning(running);
    },
    close() {
      if (running) stopRunning(running);
    },
  };
}

/** What is pulled from where. */
type Wanted = Pick<ModelPull, 'server' | 'name'>;

function isSame(one: Wanted, other: Wanted): boolean {
  return one.server === other.server && withTag(one.name) === withTag(other.name);
}

/** One request that lasts as long as the pull does; a refusal, too, is a line of JSON. */
async function pullFrom(
  { server, name }: Wanted,
  { signal, told }: { signal: AbortSignal; told: (progress: PullProgress) => void },
): Promise<{ status: 'done' | 'failed'; error: string | null }> {
  const response = await fetch(`${server}/api/pull`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model: name, stream: true }),
    redirect: 'error',
    signal,
  });
  if (!response.body) throw new Error(`Ollama answered ${response.status} and nothing else`);
  return outcome(name, await followPull(response.body, told));
}

const BROKEN = 'Ollama broke off. What has arrived is kept: ask again, and it goes on there.';

/** There is less room than is still missing. */
class NoRoom extends Error {}

/** Why a model does not fit on the disk, in words; undefined where it does. */
function shortage({ folder, bytes }: FreeSpace, needed: number): string | undefined {
  if (bytes >= needed + MARGIN) return undefined;
  const gigabytes = (of: number) => (of / 1e9).toFixed(1);
  return `There is not enough room for it: ${gigabytes(needed)} GB are missing of the model, and the disk of ${folder} has ${gigabytes(bytes)} GB left. Make room, and ask again.`;
}

function outcome(name: string, end: PullEnd): { status: 'done' | 'failed'; error: string | null } {
  switch (end.kind) {
    case 'done':
      return { status: 'done', error: null };
    case 'broken':
      return { status: 'failed', error: BROKEN };
    case 'failed':
      return {
        status: 'failed',
        error: /manifest.*does not exist/u.test(end.message)
          ? `Ollama knows no model ${name}. Its names are at https://ollama.com/library.`
          : `Ollama could not get it: ${end.message.slice(0, 300)}`,
      };
  }
}

/** A model is got for this machine: another one, or Reverie itself, is not asked. */
function refuseElsewhere(server: string, isOwn: (port: number) => boolean): void {
  const refused = (message: string) =>
    new Problem('invalid_request', `server: ${server} ${message}`, {
      errors: [{ path: 'server', message }],
    });
  if (!isOnThisMachine(server))
    throw refused('must be on this machine, such as http://127.0.0.1:11434: Reverie has no other get models');
  if (isOwn(portOf(server))) throw refused('is where Reverie itself listens');
}
