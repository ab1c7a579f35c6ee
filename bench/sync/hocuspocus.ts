import { spawn } from 'node:child_process';
import path from 'node:path';
import * as decoding from 'lib0/decoding';
import * as encoding from 'lib0/encoding';
import { WebSocket } from 'ws';
import * as Y from 'yjs';
import { type LoadResult, measureLoad } from './load.ts';

const AUTH = 2;
const SYNC = 0;
const SYNC_STATUS = 8;
const UPDATE = 2;

/** Messages of Hocuspocus 4: the document's name, a number, and what follows from it. */
function message(room: string, number: number, write: (to: encoding.Encoder) => void): Uint8Array {
  const to = encoding.createEncoder();
  encoding.writeVarString(to, room);
  encoding.writeVarUint(to, number);
  write(to);
  return encoding.toUint8Array(to);
}

/** Puts the load of `loadRelay` on a Hocuspocus server, which keeps documents in memory and acknowledges before anything is on disk. */
export async function loadHocuspocus(at: {
  connections: number;
  rooms: number;
  seconds: number;
}): Promise<LoadResult> {
  const child = spawn(process.execPath, [path.join(import.meta.dirname, 'hocuspocus-server.ts')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise((resolve) => child.on('exit', resolve));
  try {
    const port = await new Promise<string>((resolve) =>
      child.stdout.on('data', (data) => {
        const found = /ready at (\d+)/.exec(String(data))?.[1];
        if (found !== undefined) resolve(found);
      }),
    );
    return await measureLoad({
      seconds: at.seconds,
      pid: child.pid ?? 0,
      connections: at.connections,
      async connect(index, { answered, delivered }) {
        const room = `room ${index % at.rooms}`;
        const socket = new WebSocket(`ws://127.0.0.1:${port}`, { perMessageDeflate: false });
        const doc = new Y.Doc();
        const map = doc.getMap('m');
        let update: Uint8Array = new Uint8Array();
        doc.on('update', (made: Uint8Array) => (update = made));
        const ready = Promise.withResolvers<void>();
        socket.on('message', (data) => {
          const from = decoding.createDecoder(data as Buffer);
          decoding.readVarString(from);
          const number = decoding.readVarUint(from);
          if (number === AUTH) ready.resolve();
          else if (number === SYNC_STATUS) answered();
          else if (number === SYNC) delivered(1);
        });
        await new Promise((resolve) => socket.once('open', resolve));
        socket.send(
          message(room, AUTH, (to) => {
            encoding.writeVarUint(to, 0);
            encoding.writeVarString(to, 'token');
            encoding.writeVarString(to, '4.7.0');
          }),
        );
        await ready.promise;
        return {
          write(n) {
            map.set(`a key ${index} ${n % 500}`, JSON.stringify({ v: 'x'.repeat(300), hlc: '0001-0000' }));
            socket.send(
              message(room, SYNC, (to) => {
                encoding.writeVarUint(to, UPDATE);
                encoding.writeVarUint8Array(to, update);
              }),
            );
          },
          close: () => socket.terminate(),
        };
      },
    });
  } finally {
    child.kill('SIGKILL');
    await ended;
  }
}
