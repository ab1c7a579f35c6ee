import { updateAccount, type Account } from '@reverie/shared/contract/accounts/accounts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../platform/daemon/api.ts';
import { notify } from '../../platform/notices.ts';

const TIERS = ['free', 'pro', 'enterprise'] as const;

/** Sets the tier of an account; it counts at once, and can be taken back. */
export function TierChoice({ account }: { account: Account }) {
  const queries = useQueryClient();
  const set = useMutation({
    mutationFn: (tier: (typeof TIERS)[number]) =>
      call(updateAccount, { params: { id: account.id }, body: { tier } }),
    onSuccess: async (changed) => {
      await Promise.all([['accounts'], ['usage']].map((queryKey) => queries.invalidateQueries({ queryKey })));
      const before = TIERS.find((one) => one === account.tier);
      if (changed.tier === account.tier || !before) return;
      notify('good', `The tier is ${changed.tier} now.`, { label: 'Undo', run: () => set.mutate(before) });
    },
    onError: (error) => notify('bad', `The tier was not changed: ${error.message}`),
  });
  return (
    <select
      aria-label="Tier"
      value={account.tier}
      disabled={set.isPending}
      onChange={(event) => {
        const tier = TIERS.find((one) => one === event.target.value);
        if (tier) set.mutate(tier);
      }}
    >
      {TIERS.map((tier) => (
        <option key={tier} value={tier}>
          {tier}
        </option>
      ))}
    </select>
  );
}
