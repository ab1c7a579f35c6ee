import fs from 'node:fs';
import http from 'node:http';

/** A request below the typed client: sent as it is, be it valid or not. */
export interface Sent {
  method: string;
  path: string;
  headers: Record<string, string>;
  body?: string | Buffer | undefined;
}

export interface Answer {
  /** 0 where the connection was cut before an answer came. */
  status: number;
  headers: http.IncomingHttpHeaders;
  text: string;
  /** From the request to the end of the answer, as `stopwatch` measures. */
  ms: number;
  /** Why there is no answer. */
  cut?: string;
}

/** How long an answer is waited for at all. */
const PATIENCE_MS = 20_000;
const BEAT_MS = 20;

/** When this process was held up, and how long: it waits for the same processors as those it attacks. */
const delays: { at: number; ms: number }[] = [];
let last = performance.now();
setInterval(() => {
  const now = performance.now();
  const late = now - last - BEAT_MS;
  last = now;
  if (late < BEAT_MS) return;
  delays.push({ at: now, ms: late });
  if (delays.length > 5000) delays.splice(0, 2500);
}, BEAT_MS).unref();

function heldUp(from: number, to: number): number {
  let sum = 0;
  for (const { at, ms } of delays)
    if (at > from && at - ms < to) sum += Math.min(at, to) - Math.max(at - ms, from);
  return sum;
}

/** How long the main thread of a process has waited for a processor since it began, ms; 0 where the system does not tell. */
function waited(pid: number | undefined): number {
  if (pid === undefined) return 0;
  try {
    return Number(fs.readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[1]) / 1e6;
  } catch {
    return 0;
  }
}

/**
 * Begins to measure; the function that comes of it answers the milliseconds since, less what this process, or the one that is asked,
 * waited for a processor: the attack itself keeps the machine busy, and an answer that only waits for its turn is no hang.
 */
export function stopwatch(pid?: number): () => number {
  const [from, before] = [performance.now(), waited(pid)];
  return () => {
    const now = performance.now();
    return now - from - heldUp(from, now) - (waited(pid) - before);
  };
}

/** Connections that are kept, so that the attack spends its time on requests. */
export function createAgent(sockets = 8): http.Agent {
  return new http.Agent({ keepAlive: true, maxSockets: sockets });
}

/** Sends one request, and resolves whatever comes of it. `pid` is the process that answers. */
export function send(
  origin: string,
  sent: Sent,
  { agent, pid }: { agent?: http.Agent; pid?: number } = {},
): Promise<Answer> {
  const { hostname, port } = new URL(origin);
  const passed = stopwatch(pid);
  const length = sent.body === undefined ? 0 : Buffer.byteLength(sent.body);
  return new Promise((resolve) => {
    const end = (answer: Omit<Answer, 'ms'>) => {
      clearTimeout(timer);
      resolve({ ...answer, ms: passed() });
    };
    const none = (cut: string) => end({ status: 0, headers: {}, text: '', cut });
    const timer = setTimeout(() => {
      none(`no answer in ${PATIENCE_MS / 1000} s`);
      request.destroy();
    }, PATIENCE_MS);
    const options = {
      hostname,
      port,
      method: sent.method,
      path: sent.path,
      agent: agent ?? false,
      headers: { ...(sent.body !== undefined && { 'Content-Length': String(length) }), ...sent.headers },
    };
    let request: http.ClientRequest;
    try {
      request = http.request(options as http.RequestOptions, (response) => {
        const pieces: Buffer[] = [];
        response.on('data', (piece: Buffer) => pieces.push(piece));
        response.on('error', ({ message }) => none(message));
        response.on('end', () =>
          end({
            status: response.statusCode ?? 0,
            headers: response.headers,
            text: Buffer.concat(pieces).toString('utf8'),
          }),
        );
      });
    } catch (cause) {
      return none(`not sent: ${(cause as Error).message}`);
    }
    request.on('error', ({ message }) => none(message));
    request.end(sent.body);
  });
}

/** What to send to see a fault again; long bodies are cut. */
export function reproOf({ method, path, headers, body }: Sent): string {
  const { Authorization: key, ...shown } = headers;
  const text = body === undefined ? '' : Buffer.isBuffer(body) ? `<${body.length} bytes>` : body;
  const cut = text.length > 240 ? `${text.slice(0, 240)}… (${text.length} characters)` : text;
  const at = path.length > 240 ? `${path.slice(0, 240)}…` : path;
  for (const [name, value] of Object.entries(shown)) shown[name] = value.slice(0, 60);
  return `${method} ${at} ${JSON.stringify({ ...shown, ...(key !== undefined && { Authorization: 'Bearer …' }) })} ${JSON.stringify(cut)}`;
}
