import { createRecent } from '../../recent.ts';

/** Which block of its message a block is. */
interface BlockNumber {
  n: number;
  /** A shorter state of what was there before: it says nothing new. */
  outdated: boolean;
}

/** A block as a line has it. `at`: the number that the line itself gives, where it does (`apiBlockIndex`). */
interface LineBlock {
  type: string;
  own: string | undefined;
  text: string;
  at: number | undefined;
}

/** Numbers the blocks of messages, however often and in however many lines these are written. */
export interface BlockNumbers {
  /** `taken`: the numbers of the blocks before it in its line, and then its own, too. */
  number(message: string, block: LineBlock, taken: Set<number>): BlockNumber;
}

interface Seen {
  type: string;
  own: string | undefined;
  text: string;
}

/** As many messages as ever grow at one time: those of some terminals and of the subagents of old versions. */
const AT_ONCE = 32;

/**
 * One message of the model comes as several lines of one `message.id`: one for each block, or states of a block that grows, or
 * all blocks again. So a block is told by what it is, not by where it stands in a line: by its own id (calls), or by a text that
 * is the same or goes on. Its number is when it first came within its message. This stays the same when lines are repeated, when a
 * fork writes the chain anew under the same ids, and when a subagent's lines stand in two files; the `uuid` of a line is another
 * one for each state, so it would leave one entry a state.
 */
export function createBlockNumbers(): BlockNumbers {
  const messages = createRecent<Seen[]>(AT_ONCE);
  return {
    number(message, { type, own, text, at }, taken) {
      if (at !== undefined && at < 10_000) return { n: at, outdated: false };
      const seen = messages.get(message) ?? [];
      messages.set(message, seen);
      const find = (is: (block: Seen) => boolean) =>
        seen.findIndex((block, n) => block.type === type && !taken.has(n) && is(block));
      // The same before one that goes on: two blocks may begin alike.
      const same = find((block) =>
        own === undefined ? block.own === undefined && block.text === text : block.own === own,
      );
      const n = same === -1 ? find((block) => own === undefined && goesOn(block, text)) : same;
      const before = seen[n];
      if (before === undefined) {
        taken.add(seen.length);
        return { n: seen.push({ type, own, text }) - 1, outdated: false };
      }
      taken.add(n);
      if (text.length < before.text.length) return { n, outdated: true };
      before.text = text;
      return { n, outdated: false };
    },
  };
}

function goesOn(block: Seen, text: string): boolean {
  if (block.own !== undefined || block.text === '' || text === '') return false;
  return text.startsWith(block.text) || block.text.startsWith(text);
}
