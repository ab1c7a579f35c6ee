import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { createAssembler, toFrames } from '@reverie/shared/protocol/frames';
import type { Message } from '@reverie/shared/protocol/messages';
import { decode, encode } from '@reverie/shared/protocol/wire';
import { WebSocket, WebSocketServer } from 'ws';

/** A message on its way through the gateway, and whose connection it is on. */
export interface Passing {
  message: Message;
  /** `up`: a device says it; `down`: the relay. */
  way: 'up' | 'down';
  device: string;
  /** Says something to the one that said this. */
  answer(message: Message): void;
}

/** What is passed on in place of a message: it alone, others, or nothing. */
export type Rule = (passing: Passing) => readonly Message[];

/** A server between devices and a relay that reads every message, and may hold it back, change it, or add to it. */
export interface Gateway {
  origin: string;
  /** The rule from now on; without one everything passes. */
  obey(rule: Rule | undefined): void;
  /** Closes the connections that are open, as a broken line does. */
  cut(): void;
  stop(): Promise<void>;
}

/** Starts a gateway to a relay, which need not run at every moment. */
export async function startGateway(relay: string): Promise<Gateway> {
  let rule: Rule | undefined;
  const sockets = new Set<WebSocket>();
  const server = http.createServer((request, response) => {
    const { method, headers, url } = request;
    const onward = http.request(`${relay}${url ?? ''}`, { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    onward.on('error', () => response.destroy());
    request.pipe(onward);
  });
  const wss = new WebSocketServer({ noServer: true, perMessageDeflate: false });

  server.on('upgrade', (request, socket, head) => {
    wss.handleUpgrade(request, socket, head, (near) => {
      const { authorization = '' } = request.headers;
      const far = new WebSocket(`${relay.replace('http', 'ws')}${request.url ?? ''}`, {
        headers: { authorization },
        perMessageDeflate: false,
      });
      join(near, far);
    });
  });

  function join(near: WebSocket, far: WebSocket): void {
    let device = '';
    const waiting: Uint8Array[] = [];
    far.on('open', () => {
      for (const frame of waiting.splice(0)) far.send(frame);
    });
    const say = (to: WebSocket, message: Message) => {
      for (const frame of toFrames(encode(message)))
        if (to.readyState === WebSocket.OPEN) to.send(frame);
        else if (to.readyState === WebSocket.CONNECTING) waiting.push(frame);
    };
    const pass = (way: Passing['way'], from: WebSocket, to: WebSocket) => {
      const answer = (message: Message) => say(from, message);
      const assembler = createAssembler();
      return (data: WebSocket.RawData) => {
        const bytes = assembler.push(data as Buffer);
        if (!bytes) return;
        const message = decode(bytes);
        if (message.type === 'hello') device = message.device;
        for (const one of rule?.({ message, way, device, answer }) ?? [message]) say(to, one);
      };
    };
    near.on('message', pass('up', near, far));
    far.on('message', pass('down', far, near));
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one);
      one.on('error', () => undefined);
      one.on('close', (code, reason) => {
        sockets.delete(one);
        if (code >= 4000) other.close(code, reason);
        else other.terminate();
      });
    }
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    obey: (wanted) => (rule = wanted),
    cut() {
      for (const socket of sockets) socket.terminate();
    },
    async stop() {
      for (const socket of sockets) socket.terminate();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
