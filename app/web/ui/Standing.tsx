import type { ReactNode } from 'react';
import { Badge, type Tone } from './Badge.tsx';
import css from './Standing.module.css';

interface StandingProps {
  tone: Tone;
  word: string;
  /** Told to who cannot see it when it changes. */
  isLive?: boolean;
  children: ReactNode;
}

/** How a thing stands: in a word, and in a sentence that says what to do. */
export function Standing({ tone, word, isLive = false, children }: StandingProps) {
  return (
    <p className={css['standing']} role={isLive ? 'status' : undefined}>
      <Badge tone={tone}>{word}</Badge>
      <span>{children}</span>
    </p>
  );
}
