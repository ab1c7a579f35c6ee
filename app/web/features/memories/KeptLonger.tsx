import { Facts } from '../../ui/Facts.tsx';
import { keptLonger } from './kept-longer.ts';

/** Where the text of a deleted memory may stand for longer, behind a fold. */
export function KeptLonger() {
  return (
    <details>
      <summary>What keeps it longer</summary>
      <Facts rows={keptLonger} />
    </details>
  );
}
