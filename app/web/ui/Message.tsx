import type { ReactNode } from 'react';
import { Icon, type IconName } from './Icon.tsx';
import css from './Message.module.css';

interface MessageProps {
  icon?: IconName;
  title: string;
  children?: ReactNode;
  tone?: 'plain' | 'bad';
}

/** What stands where there is nothing (yet) to show: says what is the matter, and what to do next. */
export function Message({ icon, title, children, tone = 'plain' }: MessageProps) {
  return (
    <div className={`${css['message']} ${css[tone]}`} role={tone === 'bad' ? 'alert' : undefined}>
      {icon && <Icon name={icon} />}
      <h2>{title}</h2>
      {children}
    </div>
  );
}

/** What stands in the place of a view that only the owner may see. */
export function OwnerOnly({ title }: { title: string }) {
  return (
    <Message icon="key" title={title}>
      <p>This window may not show it. Open Reverie as its owner, with this command in a terminal:</p>
      <Snippet>reverie open</Snippet>
    </Message>
  );
}

/** A line at the top of a view that wants to be noticed. */
export function Banner({ tone, children }: { tone: 'warn' | 'bad' | 'plain'; children: ReactNode }) {
  return (
    <div className={`${css['banner']} ${css[tone]}`} role={tone === 'plain' ? 'status' : 'alert'}>
      {tone !== 'plain' && <Icon name="warn" />}
      <div className={css['bannerText']}>{children}</div>
    </div>
  );
}

/** A command or a snippet on its own line, ready to be copied. */
export function Snippet({ children, action }: { children: string; action?: ReactNode }) {
  return (
    <div className={css['snippet']}>
      <pre tabIndex={0} aria-label="Command">
        <code>{children}</code>
      </pre>
      {action}
    </div>
  );
}

/** Grey bars in the place of lines that are on their way. */
export function Skeleton({ lines = 3 }: { lines?: number }) {
  return (
    <div className={css['skeleton']} role="status" aria-label="Loading">
      {Array.from({ length: lines }, (_, at) => (
        <span key={at} />
      ))}
    </div>
  );
}
