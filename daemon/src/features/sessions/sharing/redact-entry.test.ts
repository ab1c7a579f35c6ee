import type { EntryKind } from '@reverie/shared/contract/sessions/sessions';
import { expect, test } from 'vitest';
import { redactEntry } from './redact-entry.ts';

const TOKEN = 'ghp_wWPw5k4aXcaT4fNP0UcnZwJUVFk6LO2aBcDe';

function entryOf(text: string, kind: EntryKind = 'tool_result') {
  return {
    id: 'e1',
    kind,
    text,
    author: { id: 'a', name: `Ada ${TOKEN}`, agent: null },
    tool: { name: 'Bash', call: `call_${TOKEN}`, failed: false },
    files: ['src/a.ts', `out/${TOKEN}.txt`],
    branch: `try/${TOKEN}`,
  };
}

test('each string of an entry is looked at', async () => {
  const entry = entryOf('nothing here');
  const redacted = await redactEntry(entry);
  if (redacted.kind !== 'leaves') throw new Error(redacted.why);
  expect(JSON.stringify(redacted.entry)).not.toContain(TOKEN.slice(4, 24));
  expect(redacted.entry).toMatchObject({
    id: 'e1',
    text: 'nothing here',
    author: { id: 'a', name: 'Ada [REDACTED:github]' },
    tool: { name: 'Bash', failed: false },
    files: ['src/a.ts', 'out/[REDACTED:github].txt'],
    branch: 'try/[REDACTED:github]',
  });
  expect(redacted.entry.tool.call).toMatch(/^redacted-[0-9a-f]{24}$/u);
  expect(redacted.findings).toEqual(Array.from({ length: 4 }, () => ({ rule: 'github' })));
  expect(entry.branch).toContain(TOKEN);
});

test('what is found in one string of an entry is taken out of the others', async () => {
  const redacted = await redactEntry({
    kind: 'tool_call' as const,
    text: 'DB_PASSWORD=Tr0ub4dor99x npm start',
    files: ['/tmp/Tr0ub4dor99x/log'],
  });
  expect(redacted).toMatchObject({ entry: { files: ['/tmp/[REDACTED:password]/log'] } });
});

test.each([
  ['a record that is not known', entryOf('{}', 'other'), 'other'],
  ['bytes', entryOf('\0\u0001\u0002PNG'.repeat(40)), 'binary'],
  ['a very long text', entryOf('a '.repeat(600_000)), 'too_large'],
])('%s stays', async (_, entry, why) => expect(await redactEntry(entry)).toEqual({ kind: 'stays', why }));

test('what takes too long stays, and so does what cannot be read', async () => {
  let time = 0;
  const slow = await redactEntry(entryOf('text'), {
    looking: { now: () => (time += 500), time: 100 },
  });
  expect(slow).toEqual({ kind: 'stays', why: 'unreadable' });
  const broken = { kind: 'note' as const, text: 'a', read: () => 'a function cannot be copied' };
  expect(await redactEntry(broken)).toEqual({ kind: 'stays', why: 'unreadable' });
});
