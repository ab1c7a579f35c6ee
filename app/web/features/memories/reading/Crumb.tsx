import { useEffect, useState } from 'react';
import { wallClock } from '../../../platform/clock.ts';
import { useGo } from '../../../platform/place.ts';
import { notify } from '../../../platform/notices.ts';
import { Icon } from '../../../ui/Icon.tsx';
import type { MemoryAddress } from '../address.ts';
import css from './Crumb.module.css';

/** Where a memory is: its namespace, which opens that, and its key, which is copied. */
export function Crumb({ at }: { at: MemoryAddress }) {
  const go = useGo();
  const [isCopied, setCopied] = useState(false);
  useEffect(() => (isCopied ? wallClock.after(1_600, () => setCopied(false)) : undefined), [isCopied]);
  const copy = () => {
    navigator.clipboard.writeText(at.key).then(
      () => setCopied(true),
      () => notify('bad', `The browser did not allow copying. The key is ${at.key}`),
    );
  };
  return (
    <div className={css['crumb']}>
      <button
        type="button"
        className={css['part']}
        title="Show this namespace"
        onClick={() => go({ namespace: at.namespace, in: undefined, q: undefined, mode: undefined })}
      >
        <bdi>{at.namespace}</bdi>
      </button>
      <span aria-hidden="true">/</span>
      <button
        type="button"
        className={css['part']}
        aria-label={`Copy key ${at.key}`}
        title={at.key}
        onClick={copy}
      >
        <bdi>{at.key}</bdi>
        {isCopied && <Icon name="check" />}
      </button>
      <span role="status" className="sr-only">
        {isCopied ? 'The key was copied' : ''}
      </span>
    </div>
  );
}
