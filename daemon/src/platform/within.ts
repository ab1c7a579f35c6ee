import type { FastifyInstance } from 'fastify';

/** A `fetch` that stays inside of this process; who asks keeps their address, by which the sandbox is limited. */
export function within(http: FastifyInstance, { host, ip }: { host: string; ip: string }): typeof fetch {
  return async (input, init = {}) => {
    const { statusCode, headers, rawPayload } = await http.inject({
      method: (init.method ?? 'GET') as 'GET',
      url: input instanceof Request ? input.url : input.toString(),
      headers: { ...(init.headers as Record<string, string>), host },
      remoteAddress: ip,
      ...(typeof init.body === 'string' && { payload: init.body }),
    });
    const copied = new Headers();
    for (const [name, value] of Object.entries(headers))
      if (value !== undefined) copied.set(name, Array.isArray(value) ? value.join(', ') : String(value));
    return new Response(new Uint8Array(rawPayload), { status: statusCode, headers: copied });
  };
}
