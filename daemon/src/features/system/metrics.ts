import type { FastifyInstance } from 'fastify';
import type { Registry } from 'prom-client';

/** What is measured now, asked when somebody looks. */
export interface Gauges {
  memories: () => number;
  pending: () => number;
}

/** Counts and times requests, and answers them in the text format of Prometheus. */
export interface Metrics {
  text(): Promise<{ text: string; type: string }>;
}

/** Responses that wait for prom-client at most. */
const WAITING = 1000;

interface Response {
  labels: { method: string; route: string };
  status: string;
  seconds: number;
}

/**
 * Counts and times each response. prom-client is loaded only when somebody asks for the metrics, or when many responses wait to be counted,
 * so that a start does without it.
 */
export function observe(app: FastifyInstance, gauges: Gauges): Metrics {
  let loaded: Promise<Loaded> | undefined;
  let ready: Loaded | undefined;
  let waiting: Response[] = [];
  const load = () => {
    loaded ??= loadMetrics(gauges).then((metrics) => {
      for (const response of waiting) count(metrics, response);
      waiting = [];
      return (ready = metrics);
    });
    return loaded;
  };
  app.addHook('onResponse', (request, reply, done) => {
    const response = {
      labels: { method: request.method, route: request.routeOptions.config.route?.path ?? 'other' },
      status: String(reply.statusCode),
      seconds: reply.elapsedTime / 1000,
    };
    if (ready) count(ready, response);
    else if (waiting.push(response) >= WAITING) void load();
    done();
  });
  return {
    async text() {
      const { registry } = await load();
      return { text: await registry.metrics(), type: registry.contentType };
    },
  };
}

function count({ requests, seconds }: Loaded, response: Response): void {
  const { labels, status } = response;
  requests.inc({ ...labels, status });
  seconds.observe(labels, response.seconds);
}

interface Loaded {
  registry: Registry;
  requests: { inc(labels: Record<string, string>): void };
  seconds: { observe(labels: Record<string, string>, value: number): void };
}

async function loadMetrics({ memories, pending }: Gauges): Promise<Loaded> {
  const { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } = await import('prom-client');
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  new Gauge({
    name: 'reverie_memories',
    help: 'Memories of all accounts',
    registers,
    collect() {
      this.set(memories());
    },
  });
  new Gauge({
    name: 'reverie_embedding_pending',
    help: 'Chunks that wait for their vector',
    registers,
    collect() {
      this.set(pending());
    },
  });
  return {
    registry,
    requests: new Counter({
      name: 'reverie_http_requests_total',
      help: 'Requests answered',
      labelNames: ['method', 'route', 'status'],
      registers,
    }),
    seconds: new Histogram({
      name: 'reverie_http_request_seconds',
      help: 'Time from the first byte of a request to the last of its response',
      labelNames: ['method', 'route'],
      buckets: [0.001, 0.002, 0.005, 0.01, 0.02, 0.03, 0.05, 0.1, 0.25, 1, 5],
      registers,
    }),
  };
}
