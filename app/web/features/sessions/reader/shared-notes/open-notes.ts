import type { sessionNotes } from '@reverie/shared/contract/sessions/session-sharing';
import type { Received } from '@reverie/shared/contract/route';
import { STREAM_PROTOCOL } from '@reverie/shared/contract/events/stream';
import { WebsocketProvider } from 'y-websocket';
import { Doc } from 'yjs';
import { AppSocket } from '../../../../platform/daemon/app-socket.ts';
import { changeOf, type TextChange } from './text-change.ts';

/** Where the notes of a session are. */
export type Where = Received<typeof sessionNotes>;

/** The notes of a session at their server, with the key for it. */
export interface NotesPlace extends Pick<Where, 'room' | 'name'> {
  address: string;
  token: string;
  /** A page in the desktop app can open no WebSocket. */
  isInApp: boolean;
}

/** The notes as they are shown. */
export interface NotesState {
  text: string;
  /** Who else has them open, by name. */
  people: readonly string[];
  link: 'connecting' | 'open' | 'lost';
}

export interface OpenNotes {
  /** The text as it was typed; the cursor tells equal letters apart. */
  write(text: string, caret: number): void;
  /** Where one's cursor stands, for others to see. */
  stand(caret: number): void;
  close(): void;
}

/** The name of the text within the document. */
const TEXT = 'notes';

/**
 * Opens the notes of a session, and tells of them until they are closed: `change` is what others did to the text. Two tabs of one
 * browser meet at the relay, as two people do: nothing else of this browser hears of it.
 */
export function openNotes(
  { address, room, name, token, isInApp }: NotesPlace,
  tell: (state: NotesState, change: TextChange | undefined) => void,
): OpenNotes {
  const doc = new Doc();
  const text = doc.getText(TEXT);
  const provider = new WebsocketProvider(address, room, doc, {
    protocols: [STREAM_PROTOCOL, `bearer.${token}`],
    disableBc: true,
    // It has what the provider uses of one, which the type does not say.
    ...(isInApp && { WebSocketPolyfill: AppSocket as unknown as typeof WebSocket }),
  });
  const { awareness } = provider;
  let was = '';
  let link: NotesState['link'] = 'connecting';
  const told = (change?: TextChange) => tell({ text: was, people: peopleOf(awareness), link }, change);
  awareness.setLocalStateField('user', { name });
  text.observe((_event, { local }) => {
    const now = text.toJSON();
    const change = changeOf(was, now);
    was = now;
    told(local ? undefined : change);
  });
  awareness.on('change', () => told());
  provider.on('status', ({ status }) => {
    link = status === 'connected' ? 'open' : link === 'connecting' ? 'connecting' : 'lost';
    told();
  });
  return {
    write: (next, caret) => {
      const change = changeOf(was, next, caret);
      if (!change) return;
      doc.transact(() => {
        text.delete(change.at, change.removed);
        text.insert(change.at, change.inserted);
      });
    },
    stand: (caret) => awareness.setLocalStateField('caret', caret),
    close: () => {
      provider.destroy();
      doc.destroy();
    },
  };
}

function peopleOf(awareness: WebsocketProvider['awareness']): string[] {
  const names = new Set<string>();
  for (const [client, state] of awareness.getStates()) {
    const user: unknown = state['user'];
    if (client === awareness.clientID || typeof user !== 'object' || user === null || !('name' in user))
      continue;
    names.add(String(user.name));
  }
  return [...names];
}
