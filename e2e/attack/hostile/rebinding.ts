import { send } from '../sending.ts';
import type { Row } from './row.ts';

/** A page whose name was bound to this machine reaches neither the relay's metrics nor its signup. */
export const rebinding: Row = {
  name: 'row 8: a foreign name for the relay',
  async run({ section, grounds }) {
    const relay = await grounds.relay('relay-rebinding', { RELAY_TRUST_PROXY: 'false' });
    const { port } = new URL(relay.origin);
    // A page of another port of this machine is told by its Origin, and a browser lets it send no other Host.
    const hosts = [
      `evil.example:${port}`,
      'evil.example',
      `localhost.evil.example:${port}`,
      `127.0.0.1.evil.example:${port}`,
      `[::1].evil.example:${port}`,
    ];
    for (const host of hosts) {
      const origin = `http://${host}`;
      const asked = [
        { method: 'GET', path: '/metrics', headers: { Host: host } },
        { method: 'GET', path: '/v1/devices', headers: { Host: host, Origin: origin } },
        {
          method: 'POST',
          path: '/v1/link',
          body: JSON.stringify({ email: 'rebound@example.org', name: 'x' }),
          headers: {
            Host: host,
            Origin: origin,
            'Sec-Fetch-Site': 'same-origin',
            'Content-Type': 'application/json',
          },
        },
      ];
      for (const sent of asked) {
        const { status } = await send(relay.origin, sent);
        section.did('requests');
        if (status < 400)
          section.found(
            'wrong',
            `${sent.method} ${sent.path} is answered ${status} to Host ${JSON.stringify(host)}`,
            sent,
          );
        else if (status >= 500)
          section.found('failed', `${sent.method} ${sent.path} answered ${status}`, sent);
      }
    }
    const own = await send(relay.origin, { method: 'GET', path: '/healthz', headers: {} });
    if (own.status !== 200) section.found('lost', `its own name is answered ${own.status}`);
  },
};
