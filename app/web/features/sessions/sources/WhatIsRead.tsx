import type { SessionSource } from '@reverie/shared/contract/sessions/session-sources';
import { formatCount } from '../../../platform/format.ts';
import { Facts } from '../../../ui/Facts.tsx';
import { Time } from '../../../ui/Time.tsx';
import css from './SourcesView.module.css';

/** The folder, and some of the names in it. */
export function WhatIsRead({ source }: { source: SessionSource }) {
  const { root, sample, sessions, enabled_at } = source;
  return (
    <Facts
      rows={[
        ['Folder', <code key="root">{root}</code>],
        [
          'Such as',
          sample.length > 0 && (
            <ul key="sample" className={css['sample']}>
              {sample.map((name) => (
                <li key={name}>
                  <code>{name}</code>
                </li>
              ))}
              {sessions > sample.length && <li>and {formatCount(sessions - sample.length)} more</li>}
            </ul>
          ),
        ],
        ['Agreed', enabled_at !== null && <Time key="at" at={enabled_at} full />],
      ]}
    />
  );
}
