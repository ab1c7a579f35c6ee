import type { SessionSource, SourceState } from '@reverie/shared/contract/sessions/session-sources';
import { countOf, formatBytes, formatCount } from '../../../platform/format.ts';
import type { Tone } from '../../../ui/Badge.tsx';
import { unreadWords } from '../words.ts';

/** What was found of an agent, by names and sizes alone. */
export function foundWords({ found, sessions, bytes, unread_lines }: SessionSource): string {
  if (!found) return 'Its folder is not on this machine.';
  if (sessions === 0) return 'Its folder is there, without any session.';
  const size = `${countOf(sessions, 'file of a session', 'files of sessions')}, ${formatBytes(bytes)} together.`;
  return unread_lines > 0 ? `${size} ${unreadWords(unread_lines)}; the rest was.` : size;
}

/** How the logs of an agent stand: in a word, and in a sentence. */
export function standingOf({ state, found }: SessionSource): { tone: Tone; word: string; words: string } {
  switch (state.kind) {
    case 'off':
      return { tone: 'plain', word: 'Not read', words: found ? 'Nothing of it has been read.' : '' };
    case 'reading':
      return { tone: 'accent', word: 'Reading', words: progressWords(state) };
    case 'following':
      return { tone: 'good', word: 'Followed', words: 'What the agent writes is here within a second.' };
    case 'absent':
      return {
        tone: 'warn',
        word: 'Waiting',
        words: 'Its folder is not there. It is looked for each minute, and read once it is.',
      };
    case 'failed':
      return { tone: 'bad', word: 'Failed', words: state.reason };
  }
}

function progressWords({ done, of }: Extract<SourceState, { kind: 'reading' }>): string {
  const share = of === 0 ? 0 : Math.min(100, Math.floor((done / of) * 100));
  return `${formatBytes(done)} of ${formatBytes(of)} are read, ${formatCount(share)} %.`;
}
