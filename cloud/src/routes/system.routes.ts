import { timingSafeEqual } from 'node:crypto';
import { Problem } from '@reverie/shared/contract/problems';
import type { FastifyInstance } from 'fastify';
import { ulid } from 'ulid';
import type { Config } from '../config.ts';
import type { Records } from '../db/records.ts';
import { namesLoopback } from '../hosts.ts';
import type { Metrics } from '../metrics.ts';

export interface SystemDeps {
  config: Config;
  records: Records;
  metrics: Metrics;
  world: {
    logId: () => string;
    /** Why this node should not be sent anybody. */
    trouble: () => string | undefined;
  };
}

/** Whether it works, and what it counts. */
export function serveSystem(http: FastifyInstance, { config, records, metrics, world }: SystemDeps): void {
  const instance = ulid();
  http.get('/healthz', async (request, reply) => {
    try {
      // Reads the database: a relay without its disk, or without Postgres, is not well.
      await records.check();
    } catch (err) {
      request.log.warn({ err }, 'the database does not answer');
      return reply
        .status(503)
        .send({ status: 'not_well', trouble: 'The database does not answer', instance });
    }
    return { status: 'ok', log_id: world.logId(), instance };
  });
  // For load balancers: a node that is stopping, or cut off from its database, is sent nobody.
  http.get('/readyz', async (_request, reply) => {
    const trouble = world.trouble();
    if (trouble === undefined) return { status: 'ready', instance };
    return reply.status(503).send({ status: 'not_ready', trouble, instance });
  });
  http.get('/metrics', async (request, reply) => {
    const token = config.RELAY_METRICS_TOKEN;
    const given = Buffer.from(/^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1] ?? '');
    const wanted = Buffer.from(token ?? '');
    const isAllowed =
      token === undefined
        ? /^(::ffff:)?127\.|^::1$/.test(request.ip) &&
          request.headers['x-forwarded-for'] === undefined &&
          namesLoopback(request.headers.host ?? '')
        : given.length === wanted.length && timingSafeEqual(given, wanted);
    if (!isAllowed) throw new Problem('unauthorized', 'The metrics are not for everybody');
    const { text, type } = await metrics.text();
    return reply.type(type).send(text);
  });
}
