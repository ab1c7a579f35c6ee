import { STREAM_PROTOCOL } from '@reverie/shared/contract/events/stream';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startNotesServer } from '../../testing/notes-server.ts';
import { openNotes, type NotesState, type OpenNotes } from './open-notes.ts';
import type { TextChange } from './text-change.ts';

let server: Awaited<ReturnType<typeof startNotesServer>>;
const opened: OpenNotes[] = [];
beforeAll(async () => {
  server = await startNotesServer();
});
afterAll(async () => {
  for (const one of opened) one.close();
  await server.stop();
});

function join(name: string, room = 'room-1') {
  const told: { state: NotesState; change: TextChange | undefined }[] = [];
  const where = { address: `ws://${server.host}/y`, room, name, token: `token-of-${name}`, isInApp: false };
  const notes = openNotes(where, (state, change) => told.push({ state, change }));
  opened.push(notes);
  return { notes, told, now: () => told.at(-1)?.state, text: () => told.at(-1)?.state.text };
}

test('two people write one text, see each other, and know what the other changed', async () => {
  const ada = join('Ada');
  await expect.poll(() => ada.now()?.link).toBe('open');
  ada.notes.write('Ask Mira.', 9);
  const grace = join('Grace');
  await expect.poll(() => grace.text()).toBe('Ask Mira.');
  await expect.poll(() => [ada.now()?.people, grace.now()?.people]).toEqual([['Grace'], ['Ada']]);
  grace.notes.write('Ask Mira today.', 14);
  await expect.poll(() => ada.text()).toBe('Ask Mira today.');
  expect(ada.told.findLast(({ change }) => change)?.change).toEqual({
    at: 8,
    removed: 0,
    inserted: ' today',
  });
  // Both write at once, and keep both.
  ada.notes.write('Please: Ask Mira today.', 8);
  grace.notes.write('Ask Mira today. Twice.', 22);
  await expect
    .poll(() => [ada.text(), grace.text()])
    .toEqual(Array(2).fill('Please: Ask Mira today. Twice.'));
  expect(server.asked[0]).toBe(`/y/room-1 ${STREAM_PROTOCOL}, bearer.token-of-Ada`);
  grace.notes.close();
  await expect.poll(() => ada.now()?.people).toEqual([]);
});

test('a lost connection is told, and what is written meanwhile stays', async () => {
  const ada = join('Ada', 'room-2');
  await expect.poll(() => ada.now()?.link).toBe('open');
  await server.stop();
  await expect.poll(() => ada.now()?.link).toBe('lost');
  ada.notes.write('Written alone.', 14);
  expect(ada.text()).toBe('Written alone.');
  server = await startNotesServer();
});
