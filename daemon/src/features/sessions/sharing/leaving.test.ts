import { describe, expect, test } from 'vitest';
import type { EntryRow } from '../entries.store.ts';
import type { SessionRow } from '../sessions.store.ts';
import { newSession } from '../taking.service.ts';
import { createLeaver, leavingOf, sessionRecord, withoutPlaces } from './leaving.ts';
import type { LeavingText, Redaction } from './ports.ts';

const FOLDER = '/home/ada/work/api';
const session: SessionRow = {
  ...newSession({ account: 1 as SessionRow['account'], agent: 'codex', source: 's', now: 0 }),
  ...{ n: 1, folder: FOLDER, title: `Limits in ${FOLDER}/src`, project: 'acme/api', branch: 'main' },
};
const row = (given: Partial<EntryRow>): EntryRow => ({
  ...{
    n: 1,
    account: session.account,
    session: 1,
    id: 'ent_1',
    item: 'i',
    seq: 1,
    at: 0,
    ordered_at: 0,
    place: 1,
  },
  ...{ kind: 'prompt', failed: null, author: 'person', author_name: 'ada', author_agent: null },
  ...{ tool: null, call: null, files: '[]', reply_to: null, child: null, redactions: 0, device: null },
  ...{ format: 'codex', hash: Buffer.from('h'), bytes: 0, text: '' },
  ...given,
});

describe('places of this machine', () => {
  test('files of the working folder are told from there, others by their name alone', () => {
    const files = JSON.stringify(['src/limit.ts', '/home/ada/.ssh/config', '/etc/passwd', '../web/a.ts']);
    expect(leavingOf(session, row({ files })).files).toEqual([
      ...['src/limit.ts', 'config', 'passwd', '../web/a.ts'],
    ]);
  });

  test('in a text the working folder is a dot, and the home folder a tilde', () => {
    const text = `cd ${FOLDER}/src && cat ${FOLDER}/a /home/ada/.netrc /home/ada/b /etc/hosts`;
    expect(withoutPlaces(text, FOLDER, '/home/ada')).toBe('cd ./src && cat ./a ~/.netrc ~/b /etc/hosts');
    expect(withoutPlaces(text, null, '/home/ada')).toBe(
      'cd ~/work/api/src && cat ~/work/api/a ~/.netrc ~/b /etc/hosts',
    );
    // What is too short to be a place of somebody stays.
    expect(withoutPlaces('/a /b', '/', '/')).toBe('/a /b');
  });

  test('leave neither in an entry nor in what is told of the session', async () => {
    const leaving = leavingOf(session, row({ text: `see ${FOLDER}/notes` }));
    expect(leaving.text).toBe('see ./notes');
    const redaction: Redaction = {
      entry: () => Promise.reject(new Error('not asked')),
      text: async (text) => ({ text: text.replaceAll('acme', '[…]'), rules: [] }),
    };
    const record = await sessionRecord(redaction, session);
    expect(record).toMatchObject({ title: 'Limits in ./src', project: '[…]/api', branch: 'main' });
    expect(JSON.stringify(record)).not.toContain('/home/ada');
  });
});

test('an entry is looked through once, and again where it says something else', async () => {
  const looked: LeavingText[] = [];
  const leaver = createLeaver({
    async entry(entry) {
      looked.push(entry);
      return { kind: 'clean', entry, rules: [] };
    },
    text: () => Promise.reject(new Error('not asked')),
  });
  const one = row({ text: 'one' });
  await leaver.looked(session, one);
  await leaver.looked(session, one);
  expect(looked).toHaveLength(1);
  await leaver.looked(session, { ...one, text: 'two', hash: Buffer.from('g') });
  await leaver.looked(session, { ...one, n: 2 });
  expect(looked.map(({ text }) => text)).toEqual(['one', 'two', 'one']);
});
