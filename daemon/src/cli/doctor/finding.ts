import type { Home } from '../../platform/home/home.ts';

/** What a check found, in a sentence; `todo` says what to do about it. */
export interface DoctorFinding {
  check: string;
  level: 'ok' | 'warning' | 'problem';
  text: string;
  todo?: string;
}

/** What the checks look at. */
export interface Patient {
  home: Home;
  env: NodeJS.ProcessEnv;
  /** Milliseconds since 1970. */
  now: number;
}

export function fine(check: string, text: string): DoctorFinding {
  return { check, level: 'ok', text };
}

export function warning(check: string, text: string, todo: string): DoctorFinding {
  return { check, level: 'warning', text, todo };
}

export function problem(check: string, text: string, todo: string): DoctorFinding {
  return { check, level: 'problem', text, todo };
}

export function reasonOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
