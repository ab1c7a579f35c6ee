import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WebSocketServer, type RawData, type WebSocket } from 'ws';

/** Kinds of messages of y-websocket: the first byte of each. */
const SYNC = 0;
const ASK_WHO_IS_THERE = 3;

/**
 * A room server for y-websocket's provider that keeps nothing: it sends each message to everybody else in the room. A newcomer is announced
 * by its provider's own first message, which the others answer.
 */
export async function startNotesServer(): Promise<{
  host: string;
  asked: string[];
  stop: () => Promise<void>;
}> {
  const http = createServer();
  const sockets = new WebSocketServer({ server: http });
  const rooms = new Map<string, Set<WebSocket>>();
  const asked: string[] = [];
  sockets.on('connection', (socket, request) => {
    const url = request.url ?? '';
    asked.push(`${url} ${request.headers['sec-websocket-protocol']}`);
    const name = url.split('?', 1)[0] ?? '';
    const room = rooms.get(name) ?? new Set();
    // Who is there says so at once, as to a relay; by themselves they would in 15 seconds.
    for (const other of room) other.send(Uint8Array.of(ASK_WHO_IS_THERE));
    rooms.set(name, room.add(socket));
    // Whoever is alone is told that it knows all: an answer with an empty document.
    socket.send(Uint8Array.of(SYNC, 1, 2, 0, 0));
    socket.on('message', (data: RawData) => {
      for (const other of room) if (other !== socket) other.send(data);
    });
    socket.on('close', () => room.delete(socket));
  });
  await new Promise<void>((ready) => http.listen(0, '127.0.0.1', ready));
  const { port } = http.address() as AddressInfo;
  return {
    host: `127.0.0.1:${port}`,
    asked,
    stop: async () => {
      for (const socket of sockets.clients) socket.terminate();
      sockets.close();
      await new Promise((closed) => http.close(closed));
    },
  };
}
