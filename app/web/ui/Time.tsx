import { useNow } from '../platform/clock.ts';
import { formatExact, formatRelative } from '../platform/format.ts';
import { locale } from '../platform/locale.ts';

/** A time told from now; the exact one on hover. With `full` both stand there. */
export function Time({ at, full = false }: { at: string; full?: boolean }) {
  const now = useNow();
  const told = formatRelative(at, now);
  const exact = formatExact(at);
  return (
    <time lang={locale} dateTime={at} title={exact}>
      {full ? `${exact} (${told})` : told}
    </time>
  );
}
