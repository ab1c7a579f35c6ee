import type { ReactNode } from 'react';
import css from './SettingsView.module.css';

/** Settings that belong together, on one sheet. */
export function Group({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={css['group']} aria-label={title}>
      <h2>{title}</h2>
      <div className={css['sheet']}>{children}</div>
    </section>
  );
}

interface SettingProps {
  name: ReactNode;
  /** What it does, in a sentence. */
  hint?: ReactNode;
  /** What is chosen, or done. */
  children?: ReactNode;
}

/** One setting: what it is, and what can be chosen. */
export function Setting({ name, hint, children }: SettingProps) {
  return (
    <div className={css['setting']}>
      <div className={css['words']}>
        <div className={css['name']}>{name}</div>
        {hint !== undefined && <div className={css['hint']}>{hint}</div>}
      </div>
      {children !== undefined && <div className={css['control']}>{children}</div>}
    </div>
  );
}
