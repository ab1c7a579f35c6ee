import { approveShare, type getShare } from '@reverie/shared/contract/sessions/session-sharing';
import type { Received } from '@reverie/shared/contract/route';
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../../platform/daemon/api.ts';
import { countOf } from '../../../platform/format.ts';
import { Button } from '../../../ui/Button.tsx';
import { Banner } from '../../../ui/Message.tsx';
import { previewQuery } from '../queries.ts';
import css from './ShareDialog.module.css';
import { newRules } from './words.ts';

interface WaitingProps {
  session: string;
  share: Received<typeof getShare>;
}

/** Entries that wait because of a kind of secret that was not shown before: names it, and lets them go once it was seen. */
export function Waiting({ session, share }: WaitingProps) {
  const queries = useQueryClient();
  const from = share.from ?? 'start';
  const preview = useInfiniteQuery(previewQuery(session, from, false));
  const [shown] = preview.data?.pages ?? [];
  const agree = useMutation({
    mutationFn: (token: string) => call(approveShare, { params: { id: session }, body: { token } }),
    onSettled: () => queries.invalidateQueries({ queryKey: ['sessions'] }),
  });
  const rules = shown ? newRules(shown) : [];
  return (
    <div className={css['waiting']} role="alert">
      <p>
        <strong>{countOf(share.waiting, 'entry waits', 'entries wait')}.</strong> A kind of secret was found
        that you have not seen before{rules.length > 0 && `: ${rules.join(', ')}`}. It is taken out, and below
        you see what would leave in its place.
      </p>
      {agree.isError && <Banner tone="bad">They still wait: {agree.error.message}</Banner>}
      <div>
        <Button
          look="strong"
          disabled={!shown || agree.isPending}
          onClick={() => shown && agree.mutate(shown.token)}
        >
          {agree.isPending ? 'Sending…' : 'I have looked: send them'}
        </Button>
      </div>
    </div>
  );
}
