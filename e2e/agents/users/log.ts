import type { CodingSession, SessionEntry } from '@reverie/shared/contract/sessions/sessions';
import { USAGE } from '../model/protocol.ts';
import type { Scene } from './play.ts';

/** An entry as it should stand in a session: its text as a whole, or what stands in it. */
interface Expected {
  kind: SessionEntry['kind'];
  whole?: string;
  has?: string;
  /** What stands in the name of its tool. */
  tool?: string;
  failed?: boolean;
}

/** Compares a session with what was scripted, entry by entry; answers what is not as it should be. */
export function faultsOfLog(
  { session, entries }: { session: CodingSession; entries: readonly SessionEntry[] },
  scenes: readonly Scene[],
  { countsTokens }: { countsTokens: boolean },
): string[] {
  const expected = scenes.flatMap((scene) => expectedOf(scene));
  const faults: string[] = [];
  for (let at = 0; at < Math.max(expected.length, entries.length) && faults.length < 3; at += 1) {
    const [wanted, is] = [expected[at], entries[at]];
    if (!wanted || !is || !isAs(is, wanted))
      faults.push(`entry ${at + 1} of ${expected.length} is ${shown(is)}, not ${JSON.stringify(wanted)}`);
  }
  if (session.others > 0 || session.unknown_records > 0)
    faults.push(`${session.unknown_records} unknown records, ${session.others} of them shown`);
  if (session.unread_lines > 0) faults.push(`${session.unread_lines} lines unread`);
  const tokens = scenes.flatMap(({ turns }) => turns).length * (USAGE.input + USAGE.output);
  if (countsTokens && session.tokens !== tokens) faults.push(`${session.tokens} tokens of ${tokens}`);
  return faults;
}

function expectedOf({ prompt, turns }: Scene): Expected[] {
  const entries: Expected[] = [{ kind: 'prompt', whole: prompt }];
  for (const { says, does } of turns) {
    if (says !== undefined) entries.push({ kind: 'answer', whole: says });
    switch (does?.kind) {
      case 'shell': {
        const { command, says: has, fails } = does;
        entries.push({ kind: 'tool_call', has: command }, { kind: 'tool_result', has, failed: fails });
        break;
      }
      case 'write':
        entries.push({ kind: 'tool_call', has: does.file }, { kind: 'tool_result', failed: false });
        break;
      case 'memory':
        entries.push(
          { kind: 'tool_call', tool: does.tool, has: String(Object.values(does.args)[0]) },
          { kind: 'tool_result', tool: does.tool, has: does.says, failed: false },
        );
        break;
      case 'own':
        entries.push({ kind: 'tool_call', tool: does.call.name }, { kind: 'tool_result', failed: false });
        break;
      case undefined:
        break;
    }
  }
  return entries;
}

function isAs({ kind, text, tool }: SessionEntry, wanted: Expected): boolean {
  return (
    kind === wanted.kind &&
    // opencode puts quotes around a prompt of its command line.
    (wanted.whole === undefined || text.trim().replace(/^"(.*)"$/su, '$1') === wanted.whole) &&
    text.includes(wanted.has ?? '') &&
    (wanted.tool === undefined || tool?.name.includes(wanted.tool) === true) &&
    // Not every agent says of what went well that it did.
    (wanted.failed === undefined || (tool?.failed ?? false) === wanted.failed)
  );
}

function shown(entry: SessionEntry | undefined): string {
  if (!entry) return 'missing';
  const { kind, text, tool } = entry;
  const about = tool ? ` ${tool.name}${tool.failed === true ? ' (failed)' : ''}` : '';
  return `${kind}${about} ${JSON.stringify(text.slice(0, 80))}`;
}
