import { createHash } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import type http from 'node:http';
import { type Handler, sendJson } from './protocol-server.ts';

/** A model of the fake, as a test describes it. */
export interface OllamaModel {
  /** With its tag: `qwen3.5:4b`; `:latest` where there is none. */
  name: string;
  /** Bytes of its layers, which are pulled one after another. */
  layers: readonly number[];
  context: number;
  capabilities: readonly (
    'completion' | 'tools' | 'vision' | 'audio' | 'thinking' | 'insert' | 'embedding'
  )[];
}

/** What a test lets happen to those who pull; at first everything arrives at once. */
export interface FakePulls {
  /** From now on only what is told arrives. */
  hold(): void;
  /** So many more bytes arrive, shared by those who pull in turn; all that is missing where omitted, and `hold` is over. */
  arrive(bytes?: number): void;
  /** The next pull, or the one under way, ends with this message within its stream, as Ollama says it. */
  fail(message: string): void;
  /** Cuts the connections of those who pull; what arrived stays. */
  breakOff(): void;
  /** Bytes of a model that have arrived, of this pull or an earlier one. */
  arrived(name: string): number;
  /** Resolves when a pull is under way, at once where one is. */
  underWay(): Promise<void>;
  /** Resolves when nobody pulls. */
  over(): Promise<void>;
}

interface PullingDeps {
  find(name: string): OllamaModel | undefined;
  got(model: OllamaModel): void;
}

/** `POST /api/pull`: its stream of progress, what is kept of a pull that was left, and how a test guides it. */
export function createPulling({ find, got }: PullingDeps): { pulls: FakePulls; handler: Handler } {
  const changed = new EventEmitter<{ change: [] }>().setMaxListeners(100);
  const blobs = new Map<string, number>();
  const open = new Set<http.ServerResponse>();
  let room = Infinity;
  let failure: string | undefined;

  const change = () => changed.emit('change');
  /** Waits until bytes may arrive, the pull is to fail, or nobody waits for it any more. */
  const taken = async (most: number, response: http.ServerResponse): Promise<number> => {
    while (room === 0 && failure === undefined && !response.destroyed) await once(changed, 'change');
    const bytes = Math.min(most, room);
    room -= bytes;
    return bytes;
  };
  const failed = () => {
    const message = failure;
    failure = undefined;
    return message;
  };

  async function stream(name: string, response: http.ServerResponse): Promise<void> {
    const tell = (line: object) => void response.write(`${JSON.stringify(line)}\n`);
    tell({ status: 'pulling manifest' });
    const model = find(name);
    if (!model) return tell({ error: 'pull model manifest: file does not exist' });
    for (const [at, total] of model.layers.entries()) {
      const digest = digestOf(model.name, at);
      const status = `pulling ${digest.slice(7, 19)}`;
      const step = Math.max(1, Math.ceil(total / 4));
      tell({ status, digest, total, ...(blobs.has(digest) && { completed: blobs.get(digest) }) });
      for (let done = blobs.get(digest) ?? 0; done < total;) {
        const bytes = await taken(Math.min(step, total - done), response);
        if (response.destroyed) return;
        const message = failed();
        if (message !== undefined) return tell({ error: message });
        done += bytes;
        blobs.set(digest, done);
        tell({ status, digest, total, completed: done });
      }
    }
    for (const status of ['verifying sha256 digest', 'writing manifest']) tell({ status });
    got(model);
    tell({ status: 'success' });
  }

  return {
    pulls: {
      hold() {
        room = 0;
      },
      arrive(bytes = Infinity) {
        room += bytes;
        change();
      },
      fail(message) {
        failure = message;
        change();
      },
      breakOff() {
        for (const response of open) response.destroy();
        change();
      },
      arrived(name) {
        const model = find(name);
        if (!model) return 0;
        return model.layers.reduce((sum, _, at) => sum + (blobs.get(digestOf(model.name, at)) ?? 0), 0);
      },
      async underWay() {
        while (open.size === 0) await once(changed, 'change');
      },
      async over() {
        while (open.size > 0) await once(changed, 'change');
      },
    },
    async handler({ body }, response) {
      const name = String(body['model'] ?? body['name']);
      if (body['stream'] === false) return sendJson(response, 400, { error: 'the fake only streams' });
      response.writeHead(200, { 'content-type': 'application/x-ndjson' });
      open.add(response);
      response.on('close', () => {
        open.delete(response);
        change();
      });
      change();
      await stream(name, response);
      response.end();
    },
  };
}

function digestOf(name: string, layer: number): string {
  return `sha256:${createHash('sha256').update(`${name} ${layer}`).digest('hex')}`;
}
