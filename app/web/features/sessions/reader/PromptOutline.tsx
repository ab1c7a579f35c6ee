import { useEffect, useRef } from 'react';
import css from './SessionView.module.css';
import { shortLine } from './entries/tool-words.ts';

interface PromptOutlineProps {
  prompts: readonly { id: string; text: string }[];
  /** The prompt under which one reads. */
  current: string | undefined;
  /** In a window of its own, where there is no room for it beside what is read. */
  isWindow?: boolean;
  onJump: (entry: string) => void;
}

/** All that was asked, to jump to. */
export function PromptOutline({ prompts, current, isWindow = false, onJump }: PromptOutlineProps) {
  const list = useRef<HTMLOListElement>(null);
  useEffect(() => {
    list.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' });
  }, [current]);
  return (
    <nav className={isWindow ? undefined : css['outline']} aria-label="What was asked">
      {!isWindow && <h2 className={css['small']}>Asked</h2>}
      {prompts.length === 0 && <p className={css['soft']}>Nothing yet.</p>}
      <ol ref={list}>
        {prompts.map(({ id, text }) => (
          <li key={id}>
            <button
              type="button"
              className={css['asked']}
              dir="auto"
              aria-current={id === current ? 'location' : undefined}
              onClick={() => onJump(id)}
            >
              <span>{shortLine(text) || 'Without words'}</span>
            </button>
          </li>
        ))}
      </ol>
    </nav>
  );
}
