import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { promptTitle } from '@reverie/session-logs/words';
import type { EntryRow } from '../entries.store.ts';
import { findSession, insertSession, type SessionRow } from '../sessions.store.ts';
import { beginWriting, newSession, type WrittenEntry } from '../taking.service.ts';
import { type BareSessions, bareSessions } from '../testing/bare-sessions.ts';
import { createLeaver } from './leaving.ts';
import { fileElsewhere, withoutPlaces } from './places.ts';
import type { LeavingText, Redaction } from './ports.ts';

const FOLDER = '/home/ada/work/api';
const session: SessionRow = {
  ...newSession({ account: 1 as SessionRow['account'], agent: 'codex', source: 's', now: 0 }),
  n: 1,
  folder: FOLDER,
  title: `Limits in ${FOLDER}/src`,
  project: 'acme/api',
  branch: 'main',
};
const row = (given: Partial<EntryRow>): EntryRow => ({
  n: 1,
  account: session.account,
  session: 1,
  id: 'ent_1',
  item: 'i',
  seq: 1,
  at: 0,
  ordered_at: 0,
  place: 1,
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
  hash: Buffer.from('h'),
  bytes: 0,
  text: '',
  ...given,
});

let bare: BareSessions;
beforeEach(() => {
  bare = bareSessions();
});
afterEach(() => bare.deps.store.close());

/** A session that is stored, with what was written into it. */
function written(title: string, ...texts: string[]): { row: SessionRow; entries: EntryRow[] } {
  const { store } = bare.deps;
  store.write((db) => {
    const own = insertSession(db, { ...session, source: session.id, title });
    const writing = beginWriting(db, bare.deps, own);
    for (const [at, text] of texts.entries()) {
      const {
        n: _n,
        account: _a,
        session: _s,
        id: _i,
        seq: _q,
        hash: _h,
        bytes: _b,
        ...plain
      } = row({ text });
      writing.put({ ...plain, item: `i${at}`, at } satisfies WrittenEntry);
    }
    writing.end(undefined);
  });
  const stored = store.read((db) => findSession(db, session.account, session.id));
  if (!stored) throw new Error('the session was not stored');
  return { row: stored, entries: texts.map((text, at) => row({ n: at + 1, item: `i${at}`, text })) };
}

describe('places of this machine', () => {
  test.each([
    ['src/limit.ts', 'src/limit.ts'],
    ['../web/a.ts', '../web/a.ts'],
    ['/home/ada/.ssh/config', 'config'],
    ['/etc/passwd', 'passwd'],
    ['../../../alice/z.ts', 'z.ts'],
    ['../../../../srv/acme-internal/z.ts', 'z.ts'],
    [String.raw`C:\Users\alice\z.ts`, 'z.ts'],
    ['~/secret-project/z.ts', 'z.ts'],
  ])('the file %s is told as %s', (file, told) => expect(fileElsewhere(file, FOLDER)).toBe(told));

  test.each([
    [`cd ${FOLDER}/src && cat ${FOLDER}/a /home/ada/b`, 'cd ./src && cat ./a ~/b'],
    [`${FOLDER}-internal/x and /home/adam/y`, '~/work/api-internal/x and y'],
    ['see /srv/acme-internal/deploy/key.ts:12 and /etc/hosts', 'see key.ts:12 and /etc/hosts'],
    ['"file:///mnt/acme/plan.md", (/Users/bob/x.ts)', '"plan.md", (x.ts)'],
    [String.raw`C:\Users\bob\x.ts and D:\\data\\acme\\y.ts`, 'x.ts and y.ts'],
    ['../../home/alice/z.ts', 'z.ts'],
    // No places: addresses, routes, what is too short.
    ['GET https://acme.dev/home/a/b and /v1/memory-set', 'GET https://acme.dev/home/a/b and /v1/memory-set'],
    ['/a /b and/or tmp', '/a /b and/or tmp'],
  ])('%s becomes %s', (text, expected) => expect(withoutPlaces(text, FOLDER, '/home/ada')).toBe(expected));

  test('what is too short to be a place of somebody stays', () =>
    expect(withoutPlaces('/a /b', '/', '/')).toBe('/a /b'));
});

test('an entry is looked through once, and again where it says something else', async () => {
  const looked: LeavingText[] = [];
  const leaver = createLeaver(
    bare.deps.store,
    {
      async entry(entry) {
        looked.push(entry);
        return { kind: 'clean', entry, rules: [] };
      },
      texts: () => Promise.reject(new Error('not asked')),
      learn: async () => [],
    },
    () => 'ada',
  );
  const one = row({ text: 'one' });
  await leaver.looked(session, one);
  await leaver.looked(session, one);
  expect(looked).toHaveLength(1);
  await leaver.looked(session, { ...one, text: 'two', hash: Buffer.from('g') });
  await leaver.looked(session, { ...one, n: 2 });
  expect(looked.map(({ text }) => text)).toEqual(['one', 'two', 'one']);
});

test('an entry is looked through again where a secret that stands in it was named since', async () => {
  const { leaver } = bare.deps.world;
  const { row: own, entries } = written('t', 'We keep Xk29abQ7zW1 for staging', 'fine');
  const [first] = entries;
  if (!first) throw new Error('nothing was written');
  expect(await leaver.looked(own, first)).toMatchObject({ entry: { text: first.text } });
  bare.deps.store.write((db) => {
    const writing = beginWriting(db, bare.deps, own);
    const { n: _n, account: _a, session: _s, id: _i, seq: _q, hash: _h, bytes: _b, ...plain } = row({});
    writing.put({ ...plain, item: 'later', text: 'The admin password is Xk29abQ7zW1.' });
    writing.end(undefined);
  });
  expect(await leaver.looked(own, first)).toMatchObject({
    entry: { text: 'We keep [REDACTED:password] for staging' },
  });
});

describe('what is told of a session', () => {
  /** Takes nothing out, and remembers what it was asked. */
  const asked: string[] = [];
  const plain: Redaction = {
    entry: async (entry) => ({ kind: 'clean', entry, rules: [] }),
    async texts(texts) {
      asked.push(...texts);
      return { texts: [...texts], rules: [] };
    },
    learn: async () => [],
  };

  test('has no place of this machine, and all of it is looked through', async () => {
    const { record } = await createLeaver(bare.deps.store, plain, () => 'ada').session({
      ...session,
      models: '["opus"]',
    });
    expect(record).toMatchObject({ title: 'Limits in ./src', project: 'acme/api', branch: 'main' });
    expect(JSON.stringify(record)).not.toContain('/home/ada');
    expect(asked).toEqual(['Limits in ./src', 'codex', 'acme/api', 'main', 'opus']);
  });

  test('a title is cut from the prompt once its secrets are out', async () => {
    const { leaver } = bare.deps.world;
    const before = 'please look at the build and tell me why it fails '.repeat(4);
    const tokens = ['AKIAQ3B5X7Z2M4N6P7RT', 'glpat-a1B2c3D4e5F6g7H8i9J0', `dapi${'0a1b2c3d'.repeat(4)}`];
    for (const [at, token] of tokens.entries())
      for (const missing of [1, 4]) {
        const prompt = `${before.slice(0, 199 - token.length + missing - 1)} ${token} go on with it, and the rest of it`;
        const title = promptTitle(prompt);
        expect(title).toContain(token.slice(0, -missing - 1));
        session.id = `cs_${at}${missing}`;
        const { record, rules } = await leaver.session(written(title, prompt).row);
        expect(record.title).not.toContain(token.slice(0, 8));
        expect(rules.length).toBeGreaterThan(0);
      }
  });

  test('a title that an agent cut loses the word at its end', async () => {
    const { leaver } = bare.deps.world;
    session.id = 'cs_cut';
    const { record } = await leaver.session(written(`Rotate AKIAQ3B5X7Z2M4N6P7R…`, 'other words').row);
    expect(record.title).toBe('Rotate…');
  });
});
