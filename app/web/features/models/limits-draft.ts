import { type ModelUse, useModel } from '@reverie/shared/contract/system/models';
import type { z } from 'zod';

/** The limits of a part as they stand in the form. */
export interface LimitsDraft {
  seconds: string;
  /** Of a day. Empty: no limit. */
  tokens: string;
  /** Tokens of a month. Empty: no limit. */
  monthly: string;
}

type Limits = Pick<z.infer<typeof useModel.body>, 'timeout_ms' | 'tokens_per_day' | 'tokens_per_month'>;
export type LimitsReading =
  { ok: true; limits: Limits } | { ok: false; faults: { [Name in keyof LimitsDraft]?: string } };

const { timeout_ms: Timeout, tokens_per_day: Tokens, tokens_per_month: Monthly } = useModel.body.shape;
const SECONDS = 'Seconds from 0.1 to 600';
const TOKENS = 'A whole number up to 1,000,000,000; empty for no limit';

export function draftOf({ timeout_ms, tokens_per_day, tokens_per_month }: ModelUse): LimitsDraft {
  return {
    seconds: String(timeout_ms / 1_000),
    tokens: String(tokens_per_day ?? ''),
    monthly: String(tokens_per_month ?? ''),
  };
}

/** A draft read as something to send, or what is wrong with it, by field. */
export function readLimits({ seconds, tokens, monthly }: LimitsDraft): LimitsReading {
  const timeout = Timeout.safeParse(seconds.trim() === '' ? Number.NaN : Math.round(Number(seconds) * 1_000));
  const perDay = Tokens.safeParse(tokens.trim() === '' ? null : Number(tokens));
  const perMonth = Monthly.safeParse(monthly.trim() === '' ? null : Number(monthly));
  if (timeout.success && perDay.success && perMonth.success)
    return {
      ok: true,
      limits: { timeout_ms: timeout.data, tokens_per_day: perDay.data, tokens_per_month: perMonth.data },
    };
  return {
    ok: false,
    faults: {
      ...(!timeout.success && { seconds: SECONDS }),
      ...(!perDay.success && { tokens: TOKENS }),
      ...(!perMonth.success && { monthly: TOKENS }),
    },
  };
}
