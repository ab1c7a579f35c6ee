import { useNow } from '../platform/clock.ts';
import { formatExact, formatRelative, formatWritten, relativeWritten } from '../platform/format.ts';
import { locale } from '../platform/locale.ts';

interface TimeProps {
  at: string;
  full?: boolean;
}

/** A time told from now; the exact one on hover. With `full` both stand there. */
export function Time({ at, full = false }: TimeProps) {
  const now = useNow();
  return <Told at={at} full={full} told={formatRelative(at, now)} exact={formatExact(at)} />;
}

/** When a memory was written or changed: as `Time`, but a note may only say the day, which is the same in every zone. */
export function WrittenTime({ at, full = false }: TimeProps) {
  const now = useNow();
  return <Told at={at} full={full} told={relativeWritten(at, now)} exact={formatWritten(at)} />;
}

function Told({ at, full, told, exact }: Required<TimeProps> & { told: string; exact: string }) {
  return (
    <time lang={locale} dateTime={at} title={exact}>
      {full ? `${exact} (${told})` : told}
    </time>
  );
}
