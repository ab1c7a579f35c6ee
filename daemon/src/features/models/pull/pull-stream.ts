import { z } from 'zod';

/** A line of Ollama's reply is some 200 bytes; what has no end is none. */
const LONGEST_LINE = 65_536;

const bytes = z.int().nonnegative();
const Line = z.object({
  status: z.string().optional(),
  digest: z.string().max(200).optional(),
  total: bytes.optional(),
  completed: bytes.optional(),
  error: z.string().optional(),
});
type Line = z.infer<typeof Line>;

/** How far a pull is: bytes over all layers that were told of so far; Ollama tells of one after another. */
export interface PullProgress {
  done: number;
  total: number;
}

/** What a pull came to: `success`, what Ollama says went wrong, or its stream ended without either. */
export type PullEnd = { kind: 'done' } | { kind: 'failed'; message: string } | { kind: 'broken' };

/**
 * Reads the stream of `POST /api/pull` (https://github.com/ollama/ollama/blob/main/docs/api.md#pull-a-model): lines of JSON, of which
 * those with a digest say how far that layer is. A failure comes as a line, too: the status of the reply is 200.
 */
export async function followPull(
  stream: AsyncIterable<Uint8Array>,
  told: (progress: PullProgress) => void,
): Promise<PullEnd> {
  const layers = new Map<string, { done: number; total: number }>();
  for await (const line of linesOf(stream)) {
    if (line.error !== undefined) return { kind: 'failed', message: line.error };
    if (line.status === 'success') return { kind: 'done' };
    if (line.digest === undefined || line.total === undefined || layers.size > 1000) continue;
    layers.set(line.digest, { done: Math.min(line.completed ?? 0, line.total), total: line.total });
    const sum = (of: 'done' | 'total') => [...layers.values()].reduce((all, layer) => all + layer[of], 0);
    told({ done: sum('done'), total: sum('total') });
  }
  return { kind: 'broken' };
}

async function* linesOf(stream: AsyncIterable<Uint8Array>): AsyncGenerator<Line> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const part of stream) {
    const lines = (rest + decoder.decode(part, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) if (line.trim() !== '') yield parse(line);
    if (rest.length > LONGEST_LINE) throw new UnreadableLine();
  }
  if (rest.trim() !== '') yield parse(rest);
}

/** The server sends something that is not what Ollama sends. */
export class UnreadableLine extends Error {
  constructor() {
    super('what the server sends is not how Ollama tells of a pull');
    this.name = 'UnreadableLine';
  }
}

function parse(text: string): Line {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw new UnreadableLine();
  }
  const line = Line.safeParse(json).data;
  if (!line) throw new UnreadableLine();
  return line;
}
