import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { seconds } from '@reverie/shared/testing/patience';
import { handOver } from './handover.service.ts';
import { insertSession } from './sessions.store.ts';
import { beginWriting, newSession, type WrittenEntry } from './taking.service.ts';
import { type BareSessions, bareSessions } from './testing/bare-sessions.ts';

let bare: BareSessions;
beforeEach(() => {
  bare = bareSessions();
});
afterEach(() => bare.deps.store.close());

type Given = Pick<WrittenEntry, 'kind' | 'text'> & Partial<WrittenEntry>;

/** The id of a session with these entries. */
function sessionWith(entries: readonly Given[], about: { folder?: string; title?: string } = {}): string {
  const { deps, account } = bare;
  return deps.store.write((db) => {
    const session = insertSession(db, {
      ...newSession({ account, agent: 'codex', source: null, now: 0 }),
      title: about.title ?? 'A title',
      folder: about.folder ?? null,
    });
    const writing = beginWriting(db, deps, session);
    for (const [at, entry] of entries.entries())
      writing.put({
        item: `i${at}`,
        at,
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
        body: '',
        ...entry,
      });
    writing.end(undefined);
    return session.id;
  });
}

function handedOver(entries: readonly Given[], about: { folder?: string; title?: string } = {}) {
  const id = sessionWith(entries, about);
  return handOver(bare.deps, bare, { id, max_tokens: 4_000 });
}

const WORDS = 'please look at the build and tell me why the release is not there yet '.repeat(40);
const upTo = (length: number) => `${WORDS.slice(0, length - 1)} `;

describe('lines are cut from entries that were looked through whole', () => {
  const tokens = ['AKIAQ3B5X7Z2M4N6P7RT', 'glpat-a1B2c3D4e5F6g7H8i9J0', `dapi${'0a1b2c3d'.repeat(4)}`];
  test.each(tokens)('%s leaves nothing where a line ends within it', async (token) => {
    for (const missing of [1, 2, 5]) {
      const at = (longest: number) =>
        `${upTo(longest - 1 - token.length + missing)}${token} and go on with it`;
      const { markdown, redactions } = await handedOver([
        { kind: 'prompt', text: at(400) },
        {
          kind: 'tool_result',
          text: at(240 - 'Bash: '.length).replace('please', 'Error:'),
          tool: 'Bash',
          failed: 1,
        },
        { kind: 'answer', text: `We decided to ${at(300 - 14)}.` },
        { kind: 'answer', text: at(1_600) },
        { kind: 'prompt', text: at(300) },
      ]);
      expect(markdown).not.toContain(token.slice(0, 9));
      expect(redactions).toBeGreaterThan(0);
    }
  });

  test('a secret is known by its name wherever in the session that stands', async () => {
    const { markdown } = await handedOver([
      { kind: 'answer', text: 'We decided to keep Xk29abQ7zW1 for staging.' },
      { kind: 'answer', text: 'We chose Rt83kdL2pq0 for production. Its root password is Rt83kdL2pq0!' },
      { kind: 'tool_result', text: 'staging:\n  password: Xk29abQ7zW1\n' },
      { kind: 'answer', text: 'It is in place.' },
    ]);
    expect(markdown).toContain('We decided to keep [REDACTED:password] for staging.');
    expect(markdown).not.toContain('Rt83kdL2pq0');
  });
});

test.each([
  ['Exit code 3\nno space is left', 'no space is left'],
  ['Exit code 3', 'Exit code 3'],
  ['starting\nError: no space is left', 'Error: no space is left'],
  // Qwen Code's form, and Gemini CLI's.
  ['Command: make\nDirectory: (root)\nOutput: no space\nis left\nError: (none)\nExit Code: 3', 'no space'],
  ['Command: make\nDirectory: (root)\nOutput: (empty)\nError: it failed\nExit Code: 3', 'Error: it failed'],
  ['Output: no space\nExit Code: 3\nProcess Group PGID: 7', 'no space'],
  ['Output: no space', 'no space'],
])('of a failure %j it says %j', async (text, line) => {
  const { markdown } = await handedOver([{ kind: 'tool_result', text, tool: 'Bash', failed: 1 }]);
  expect(markdown).toContain(`- Bash: ${line} (`);
});

test('a session whose folder has a million characters is handed over', async () => {
  const { markdown } = await handedOver([{ kind: 'prompt', text: 'hello' }], {
    folder: `/${'c'.repeat(1e6)}`,
  });
  expect(markdown).toContain('hello');
  expect(markdown.length).toBeLessThan(2_000);
});

test(
  'a long session does not hold the thread',
  async () => {
    const told =
      'we decided to keep the old parser because the new one failed. next we still have to look at it. ';
    const entries = Array.from({ length: 4_000 }, (_, at): Given => ({
      kind: at % 2 === 0 ? 'prompt' : 'answer',
      text: `${at} ${told.repeat(13)}`,
    }));
    const id = sessionWith(entries);
    let [longest, isOver] = [0, false];
    let before = process.threadCpuUsage();
    const beat = () => {
      const { user, system } = process.threadCpuUsage(before);
      longest = Math.max(longest, (user + system) / 1_000);
      before = process.threadCpuUsage();
      if (!isOver) setImmediate(beat);
    };
    beat();
    longest = 0;
    const { markdown, left_out } = await handOver(bare.deps, bare, { id, max_tokens: 4_000 });
    await new Promise((resolve) => setImmediate(resolve));
    isOver = true;
    expect(markdown.match(/We decided|we decided/gu)?.length).toBeGreaterThan(5);
    expect(left_out).toBeGreaterThan(3_900);
    // All in one turn it was some 600 ms.
    expect(longest).toBeLessThan(150);
  },
  seconds(60),
);
