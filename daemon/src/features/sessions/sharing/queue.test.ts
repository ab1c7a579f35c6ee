import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createLog } from '../../../platform/log.ts';
import { findSession, type SessionRow } from '../sessions.store.ts';
import { beginWriting, type WrittenEntry } from '../taking.service.ts';
import { type BareSessions, bareSessions } from '../testing/bare-sessions.ts';
import { createLeaver } from './leaving.ts';
import type { Redaction, SessionRoom, SessionRooms } from './ports.ts';
import { createShareQueue } from './queue.ts';
import { joinedSession } from './receiving.ts';
import { decodeRecord, type SharedRecord } from './record.ts';
import { findShare, saveShare } from './shares.store.ts';

const ME = 'dev_me';
const HOST = 'dev_host';

let bare: BareSessions;
beforeEach(() => {
  bare = bareSessions();
});
afterEach(() => bare.deps.store.close());

/** What happens while an entry is looked through. */
let meanwhile: (() => void) | undefined;

/** A redaction that calls what is written between brackets a secret of that kind. */
const redaction: Redaction = {
  async entry(entry) {
    meanwhile?.();
    meanwhile = undefined;
    const rules = [...entry.text.matchAll(/\[(\w+)\]/g)].map(([, rule = '']) => rule);
    return { kind: 'clean', entry, rules };
  },
  texts: async (texts) => ({ texts: [...texts], rules: [] }),
  learn: async () => [],
};

/** A shared session with what was written into it, and what its queue puts on its way. */
function setUp({ role, host }: Pick<SessionRoom, 'role' | 'host'>) {
  const { deps, account } = bare;
  const { store } = deps;
  const room: SessionRoom = {
    room: 'room',
    account,
    about: 'cs_shared',
    role,
    host,
    cursor: 1,
    head: 1,
  };
  const sent: SharedRecord[] = [];
  const rooms: Pick<SessionRooms, 'about' | 'add' | 'device'> = {
    about: () => room,
    add(_db, _room, body) {
      const record = decodeRecord(body);
      if (record) sent.push(record);
    },
    device: () => ME,
  };
  const session = (): SessionRow => {
    const row = store.read((db) => findSession(db, account, 'cs_shared'));
    if (!row) throw new Error('no such session');
    return row;
  };
  store.write((db) => joinedSession(db, deps, room));
  const queue = createShareQueue({
    store,
    log: createLog('silent'),
    leaver: createLeaver(store, redaction, () => 'ada'),
    rooms: rooms as SessionRooms,
  });
  const write = (text: string, more: Partial<WrittenEntry> = {}) => {
    store.write((db) => {
      const writing = beginWriting(db, deps, session());
      writing.put({
        item: text,
        at: 1_000,
        kind: 'prompt',
        failed: null,
        author: 'person',
        author_name: 'ada',
        author_agent: null,
        tool: null,
        call: null,
        files: '[]',
        reply_to: null,
        child: null,
        redactions: 0,
        device: null,
        format: 'codex',
        text,
        ...more,
      });
      writing.end(undefined);
    });
    queue.wake(session().n);
  };
  const share = () => store.read((db) => findShare(db, session().n));
  return {
    write,
    /** What was put on its way of the entries, once all was looked through. */
    async sent() {
      queue.wake(session().n);
      await vi.waitFor(() => {
        if (share()?.waits !== 1) expect(share()?.queued).toBe(session().seq);
      });
      return sent.flatMap((record) => (record.type === 'entry' ? [record.text] : []));
    },
    told: () => sent.filter(({ type }) => type === 'session').length,
    share,
    approve(...rules: string[]) {
      const now = share();
      if (!now) throw new Error('not shared');
      store.write((db) => saveShare(db, { ...now, approved: JSON.stringify(rules), waits: 0 }));
    },
  };
}

describe('what leaves', () => {
  test('of the host is all that was written here, and nothing that came from others', async () => {
    const of = setUp({ role: 'owner', host: ME });
    of.write('a prompt');
    of.write('an answer', { kind: 'answer', author: 'codex', author_agent: 'codex' });
    of.write('a note of another', { kind: 'note', device: 'dev_other' });
    of.write('a note', { kind: 'note' });
    expect(await of.sent()).toEqual(['a prompt', 'an answer', 'a note']);
    expect(of.told()).toBe(1);
  });

  test('of who was invited is notes alone: what the agent does is told by the host', async () => {
    const of = setUp({ role: 'editor', host: HOST });
    of.write('a prompt');
    of.write('an answer', { kind: 'answer' });
    of.write('a note of the host', { kind: 'note', device: HOST });
    of.write('a note', { kind: 'note' });
    expect(await of.sent()).toEqual(['a note']);
    expect(of.told()).toBe(0);
  });

  test('of another device of the owner is notes alone, too', async () => {
    const of = setUp({ role: 'owner', host: HOST });
    of.write('a prompt');
    of.write('a note', { kind: 'note' });
    expect(await of.sent()).toEqual(['a note']);
    expect(of.told()).toBe(0);
  });

  test('is what an entry says when it leaves, not what it said while it was looked through', async () => {
    const of = setUp({ role: 'owner', host: ME });
    of.write('half a sent', { item: 'a' });
    meanwhile = () => of.write('half a sentence', { item: 'a' });
    expect(await of.sent()).toEqual(['half a sentence']);
  });

  test('waits where a kind of secret was found that nobody was shown, with all that comes behind it', async () => {
    const of = setUp({ role: 'owner', host: ME });
    of.write('before');
    of.write('with a [github] secret');
    of.write('behind');
    expect(await of.sent()).toEqual(['before']);
    expect(of.share()?.waits).toBe(1);
    of.approve('github');
    expect(await of.sent()).toEqual(['before', 'with a [github] secret', 'behind']);
  });
});
