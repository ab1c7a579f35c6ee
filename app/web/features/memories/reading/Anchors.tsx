import type { Memory } from '@reverie/shared/contract/memories/memories';
import { anchorWords } from '@reverie/shared/contract/memories/anchor-words';
import css from './Anchors.module.css';

/** What became of the code that a memory is anchored to, in a quiet line; what is not as it was stands out a little. */
export function Anchors({ anchors = [] }: Pick<Memory, 'anchors'>) {
  if (anchors.length === 0) return null;
  return (
    <ul className={css['anchors']} aria-label="Code that it is about">
      {anchors.map((anchor, at) => (
        <li key={at} data-state={anchor.state}>
          <bdi>{anchorWords(anchor)}</bdi>
        </li>
      ))}
    </ul>
  );
}
