import { Facts } from '../Facts.tsx';
import type { Pair } from './pairs.ts';

/** Names and what they say, what belongs to a name beside it. */
export function Pairs({ pairs }: { pairs: readonly Pair[] }) {
  return (
    <Facts
      rows={pairs.map(([name, value]) => [
        name,
        typeof value === 'string' ? <bdi key={name}>{value}</bdi> : <Pairs key={name} pairs={value} />,
      ])}
    />
  );
}
