import { useEffect, useRef, type ReactNode } from 'react';
import { IconButton } from './Button.tsx';
import css from './Frame.module.css';

/** Titles longer than this may have to be scrolled, also by keyboard. */
const LONG_TITLE = 100;

interface FrameProps {
  title: string;
  /** Stands above, small, where the title stands at the head of what is read. */
  crumb?: ReactNode;
  onClose: () => void;
  actions?: ReactNode;
  /** Where there is more room, something stands beside what is read. */
  isWide?: boolean;
  children: ReactNode;
}

/** The column of one thing of a list: its name in full above, the rest below. */
export function Frame({ title, crumb, onClose, actions, isWide = false, children }: FrameProps) {
  const article = useRef<HTMLElement>(null);
  useEffect(() => {
    // In a narrow window the list, and with it the focus, has just been hidden.
    if (document.activeElement === document.body || !document.activeElement?.checkVisibility())
      article.current?.focus();
  }, []);
  return (
    <div className={css['room']}>
      <article ref={article} className={css['frame']} data-wide={isWide} aria-label={title} tabIndex={-1}>
        <header className={css['head']}>
          <IconButton
            icon="back"
            label="Back to the list"
            shortcut="Escape"
            onClick={onClose}
            className={css['back']}
          />
          {crumb ? (
            <div className={css['crumb']}>{crumb}</div>
          ) : (
            <h2 className={css['title']} tabIndex={title.length > LONG_TITLE ? 0 : undefined}>
              <bdi>{title}</bdi>
            </h2>
          )}
          {actions && <div className={css['actions']}>{actions}</div>}
          <IconButton
            icon="close"
            label="Close"
            shortcut="Escape"
            onClick={onClose}
            className={css['close']}
          />
        </header>
        <div className={css['body']}>{children}</div>
      </article>
    </div>
  );
}
