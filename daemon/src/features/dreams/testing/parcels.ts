/** Memories for several sheets of a model; a parcel of each firm is told of twice. Keys begin with a prefix and end with a number. */
export function parcels(prefix: string) {
  return Array.from({ length: 80 }, (_, n) => {
    const at = new Date(Date.UTC(2026, 0, 1) + n * 86_400_000).toISOString();
    const value = `The courier of firm ${n >> 1} left parcel ${n * 7919} with neighbour ${n % 7}, who was at home that day.`;
    return { key: `${prefix}${n}`, namespace: 'n', value, created_at: at, updated_at: at };
  });
}

/** Settings of a daemon whose dreams may ask a model as much as they like. */
export const readingWith = (baseUrl: string): Record<string, string> => ({
  REVERIE_LLM_BASE_URL: baseUrl,
  REVERIE_LLM_MODEL: 'judge',
  REVERIE_DREAM_BUDGET_TOKENS: '1000000',
});

/** A dream of the namespace in which they stand, by the strategy that the sheets are read for. */
export const contradicting = { namespace: 'n', strategies: ['contradict' as const] };
