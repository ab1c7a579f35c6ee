import type { Folder } from '@reverie/shared/contract/memories/folders';
import { countOf, formatCount } from '../../platform/format.ts';
import type { Tone } from '../../ui/Badge.tsx';

type Issue = Folder['issues'][number];

/** How a folder does, in a word, and in a sentence where there is more to say. */
export function standingOf({ state }: Pick<Folder, 'state'>): { tone: Tone; word: string; more?: string } {
  switch (state.kind) {
    case 'watching':
      return { tone: 'good', word: 'followed' };
    case 'catching_up':
      return {
        tone: 'accent',
        word: 'reading',
        more: `${formatCount(state.done)} of ${countOf(state.of, 'file', 'files')}`,
      };
    case 'holding': {
      const names = state.files.join(', ') + (state.gone > state.files.length ? ' …' : '');
      const all = `${formatCount(state.gone)} of ${countOf(state.of, 'file is', 'files are')} gone at once (${names})`;
      return {
        tone: 'warn',
        word: 'holding back',
        more: `${all}; their memories stay until they are there again`,
      };
    }
    case 'paused':
      return { tone: 'warn', word: 'paused', more: state.reason };
  }
}

const REASONS: Readonly<Record<Issue['reason'], string>> = {
  empty: 'is empty',
  binary: 'is no text',
  not_utf8: 'is not UTF-8',
  unreadable: 'cannot be read',
  malformed: 'is of another kind than this folder',
  too_large: 'is too large',
  link: 'is a link, which is not followed',
  expired: 'is past its end date',
  no_note: 'is no note',
  duplicate: 'has the key of another file',
  refused: 'was not stored',
  kept: 'was edited here since; the memory stays as it is',
  deleted_here: 'was deleted or renamed here',
  frontmatter: 'was taken, but its first lines could not be read',
  attachment: 'was not stored',
  conflict: 'was edited on both sides; the file won, history has the other',
};

/** Why a file is not a memory, or says something else than its memory. */
export function issueWords({ reason, detail }: Pick<Issue, 'reason' | 'detail'>): string {
  return detail === '' ? REASONS[reason] : `${REASONS[reason]}: ${detail}`;
}

/** The name of a namespace for the notes of a folder: that of the folder. */
export function namespaceFor(path: string): string {
  const name = path
    .replace(/[/\\]+$/u, '')
    .split(/[/\\]/u)
    .at(-1);
  return name === undefined || name === '' || /^[A-Za-z]:$/u.test(name) ? 'notes' : name.toLowerCase();
}
