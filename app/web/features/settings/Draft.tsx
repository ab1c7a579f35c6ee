import { useState } from 'react';
import css from './SettingsView.module.css';

interface DraftProps {
  type: 'number' | 'time';
  label: string;
  value: string;
  min?: number;
  max?: number;
  isDisabled: boolean;
  /** Told what was written, once one is done with it. */
  onKeep: (value: string) => void;
}

/** A small control whose text counts when it is left, or by Enter; what is not allowed falls back. */
export function Draft({ type, label, value, min, max, isDisabled, onKeep }: DraftProps) {
  const [written, setWritten] = useState<string>();
  const keep = (input: HTMLInputElement) => {
    if (written !== undefined && written !== value && written !== '' && input.checkValidity())
      onKeep(written);
    setWritten(undefined);
  };
  return (
    <input
      className={css['draft']}
      type={type}
      aria-label={label}
      min={min}
      max={max}
      step={type === 'number' ? 1 : undefined}
      disabled={isDisabled}
      value={written ?? value}
      onChange={({ target }) => setWritten(target.value)}
      onBlur={({ target }) => keep(target)}
      onKeyDown={({ key, currentTarget }) => {
        if (key === 'Enter') keep(currentTarget);
        if (key === 'Escape') setWritten(undefined);
      }}
    />
  );
}
