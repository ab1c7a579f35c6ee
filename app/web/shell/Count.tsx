/** How much waits somewhere; nothing where nothing does. */
export function Count({ of, className }: { of: string | undefined; className: string | undefined }) {
  if (of === undefined) return null;
  return (
    <span className={className}>
      {of} <span className="sr-only">waiting</span>
    </span>
  );
}
