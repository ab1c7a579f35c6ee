import type { CodingSession, EntryKind, SessionEntry } from '@reverie/shared/contract/sessions/sessions';

/** The first moment of made sessions; all times are counted from it. */
export const BEGAN = Date.parse('2026-11-20T09:00:00.000Z');

const MINUTE_MS = 60_000;

/** An id of a session as the contract wants it, by a number. */
export function sessionId(number: number): string {
  return `cs_${String(number).padStart(26, '0')}`;
}

/** A session with what a test does not care for filled in. */
export function madeSession(number: number, given: Partial<CodingSession> = {}): CodingSession {
  const began = new Date(BEGAN + number * MINUTE_MS).toISOString();
  return {
    id: sessionId(number),
    title: `Session ${number}`,
    agent: 'claude-code',
    project: 'halden',
    folder: '/home/ada/halden',
    branch: 'main',
    namespace: 'halden',
    status: 'ended',
    participants: [{ id: 'p_me', name: 'Ada', role: 'owner', online: true, self: true }],
    entries: 0,
    others: 0,
    unread_lines: 0,
    unknown_records: 0,
    tokens: 48_400,
    models: ['claude-opus-4-8'],
    parent: null,
    started_at: began,
    updated_at: began,
    shared: false,
    role: 'owner',
    ...given,
  };
}

/** An entry with what a test does not care for filled in. */
export function madeEntry(
  seq: number,
  kind: EntryKind,
  { text = '', ...given }: Partial<SessionEntry>,
): SessionEntry {
  const isPerson = kind === 'prompt' || kind === 'note';
  return {
    id: `e_${seq}`,
    seq,
    at: new Date(BEGAN + seq * 1_000).toISOString(),
    order: String(seq).padStart(12, '0'),
    author: isPerson
      ? { id: 'p_me', name: 'Ada', agent: null }
      : { id: 'p_me', name: 'Ada', agent: 'claude-code' },
    kind,
    text,
    bytes: new TextEncoder().encode(text).length,
    tool: null,
    files: [],
    reply_to: null,
    child: null,
    redactions: 0,
    source: { format: 'claude-code', item: `item-${seq}` },
    ...given,
  };
}

const ANSWER = `The webhook was sent twice because **the retry began before the first answer came**. Two things were needed:

1. an idempotency key for each delivery, and
2. a timeout longer than that of the receiver.

\`\`\`ts
const key = \`\${delivery.id}:\${attempt}\`;
await send(delivery, { key, timeoutMs: 15_000 });
\`\`\`

| Receiver | Before | Now |
| --- | --- | --- |
| Halden | 2 deliveries | 1 delivery |
| Mira | 1 delivery | 1 delivery |

All 48 tests pass. What is still open: [the dashboard](https://example.com/dashboard) counts attempts as deliveries.`;

const EDIT = {
  file_path: '/home/ada/halden/src/deliver.ts',
  old_string: "await send(delivery, { timeoutMs: 5_000 });\nlog('sent');\n",
  new_string:
    "const key = `${delivery.id}:${attempt}`;\nawait send(delivery, { key, timeoutMs: 15_000 });\nlog('sent');\n",
};

const TESTS = { command: 'npm test -- deliver', description: 'Run the tests of deliveries' };
const FAILED = 'FAIL src/deliver.test.ts\n  expected 1 delivery, received 2\n\nexit code 1';

const PATCH = `diff --git a/src/deliver.ts b/src/deliver.ts
index 3f1c2aa..9be0c11 100644
--- a/src/deliver.ts
+++ b/src/deliver.ts
@@ -12,7 +12,8 @@ export async function deliver(delivery: Delivery) {
   const attempt = delivery.attempts + 1;
-  await send(delivery, { timeoutMs: 5_000 });
+  const key = \`\${delivery.id}:\${attempt}\`;
+  await send(delivery, { key, timeoutMs: 15_000 });
   log('sent');
 }`;

/** A turn as agents have them: asked, thought about, looked at, changed, tested, answered. Entries from `seq` on. */
export function madeTurn(seq: number, asked: string): SessionEntry[] {
  let next = seq;
  const entry = (kind: EntryKind, given: Partial<SessionEntry>) => madeEntry(next++, kind, given);
  const tool = (
    name: string,
    input: unknown,
    { output, failed = false }: { output: string; failed?: boolean },
  ) => {
    const call = `call-${next}`;
    return [
      entry('tool_call', { text: JSON.stringify(input), tool: { name, call, failed: null } }),
      entry('tool_result', { text: output, tool: { name, call, failed } }),
    ];
  };
  return [
    entry('prompt', { text: asked }),
    entry('thinking', {
      text: 'The receiver answers after six seconds, and we give up after five. So the retry is ours, not theirs.',
    }),
    ...tool('Grep', { pattern: 'timeoutMs', path: 'src' }, { output: 'src/deliver.ts:14\nsrc/retry.ts:31' }),
    ...tool('Edit', EDIT, { output: 'The file /home/ada/halden/src/deliver.ts has been updated.' }),
    ...tool('Bash', TESTS, { output: FAILED, failed: true }),
    ...tool('Bash', { command: 'git diff', description: 'Show what changed' }, { output: PATCH }),
    entry('answer', { text: ANSWER, files: ['src/deliver.ts'] }),
  ];
}
