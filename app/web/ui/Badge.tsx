import css from './Badge.module.css';

/** How good or bad a state is; `violet` and `accent` only tell kinds apart. */
export type Tone = 'good' | 'bad' | 'warn' | 'plain' | 'violet' | 'accent';

/** A state or a kind, in a word or two. */
export function Badge({ tone, children }: { tone: Tone; children: string }) {
  return <span className={`${css['badge']} ${css[tone]}`}>{children}</span>;
}
