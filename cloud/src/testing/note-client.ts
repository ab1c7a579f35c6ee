import { WebsocketProvider } from 'y-websocket';
import * as Y from 'yjs';
import { NOTES_PROTOCOL } from '../notes/note-sockets.ts';

/** A stock y-websocket client in a room's shared document. */
export interface NoteClient {
  doc: Y.Doc;
  provider: WebsocketProvider;
  /** Of the document's one text. */
  text(): string;
  write(text: string): void;
  /** Resolves with the code at which the client gives up for good. */
  closed: Promise<number>;
  /** How often it lost its connection. */
  cuts(): number;
  leave(): void;
}

/** Joins as a browser does: the key stands in the subprotocol. */
export function joinNotes(
  origin: string,
  { key }: { key: string },
  { room, doc = new Y.Doc() }: { room: string; doc?: Y.Doc },
): NoteClient {
  const provider = new WebsocketProvider(`${origin.replace('http', 'ws')}/y`, room, doc, {
    protocols: [NOTES_PROTOCOL, `bearer.${key}`],
    disableBc: true,
    maxBackoffTime: 100,
  });
  const text = doc.getText('notes');
  let cuts = 0;
  provider.on('connection-close', () => (cuts += 1));
  return {
    doc,
    provider,
    text: () => text.toJSON(),
    write: (more) => text.insert(text.length, more),
    closed: new Promise((resolve) => provider.on('closed', ({ code }) => resolve(code))),
    cuts: () => cuts,
    leave() {
      provider.destroy();
      doc.destroy();
    },
  };
}
