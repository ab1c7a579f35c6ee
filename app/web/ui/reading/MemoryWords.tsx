import { Marked } from '../text/Marked.tsx';
import { type Anatomy } from './anatomy.ts';
import css from './MemoryWords.module.css';

/** Characters that two lines have room for: of a longer text what is marked is brought into sight. */
const FITTING = 110;

interface MemoryWordsProps {
  of: Anatomy;
  /** How many lines there are for it, its title among them. */
  lines: 2 | 3;
}

/** A memory as one of several: its title, where it has one, and its words in as many lines as are left. */
export function MemoryWords({ of: { title, text }, lines }: MemoryWordsProps) {
  return (
    <span className={css['words']} data-lines={title ? lines - 1 : lines}>
      {title && (
        <span className={css['title']} dir="auto">
          <Marked {...title} />
        </span>
      )}
      {text.text !== '' && (
        <span className={css[title ? 'text' : 'sentence']} dir="auto">
          <Marked {...text} isShort={title !== undefined || text.text.length > FITTING} />
        </span>
      )}
    </span>
  );
}
