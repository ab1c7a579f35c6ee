import http from 'node:http';
import https from 'node:https';

/** A request failed because the one connection of its line has ended; it was not sent over another one. */
export class LineEnded extends Error {
  constructor() {
    super('the connection to Reverie ended');
    this.name = 'LineEnded';
  }
}

/**
 * An agent that makes one connection in its life. What answered a challenge over it answers everything that follows, and where it
 * breaks a request fails with `LineEnded`: another program that took the port since is never sent anything.
 */
export function oneConnection(origin: URL): http.Agent {
  const isSecure = origin.protocol === 'https:';
  const agent = new (isSecure ? https : http).Agent({ keepAlive: true, maxSockets: 1 });
  const connect = agent.createConnection.bind(agent);
  let isMade = false;
  agent.createConnection = (options, callback) => {
    if (isMade) {
      callback?.(new LineEnded(), undefined as never);
      return undefined;
    }
    isMade = true;
    return connect(options, callback);
  };
  return agent;
}
