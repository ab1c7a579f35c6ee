import { memo, useState } from 'react';
import { formatCount } from '../../../platform/format.ts';
import { Button } from '../../../ui/Button.tsx';
import { blocksOf, headOf, SHOWN_AT_ONCE } from '../../../ui/text-blocks.ts';
import css from './ValueText.module.css';

/**
 * A whole value. Long ones begin with their first part, and are laid out block by block as they come into view,
 * so that a mebibyte does not hold up the page.
 */
export const ValueText = memo(function ValueText({ value }: { value: string }) {
  const [whole, setWhole] = useState(false);
  const isLong = value.length > SHOWN_AT_ONCE;
  const shown = isLong && !whole ? headOf(value, SHOWN_AT_ONCE) : value;
  return (
    <div className={css['value']} data-testid="value">
      {blocksOf(shown).map((block, at) => (
        <div key={at} className={css['block']} dir="auto">
          {block}
        </div>
      ))}
      {isLong && !whole && (
        <p className={css['rest']}>
          The first {formatCount(shown.length)} of {formatCount(value.length)} characters.{' '}
          <Button onClick={() => setWhole(true)}>Show all</Button>
        </p>
      )}
    </div>
  );
});
