import { useQuery } from '@tanstack/react-query';
import { useGo } from '../../platform/place.ts';
import { Button } from '../../ui/Button.tsx';
import { Banner } from '../../ui/Message.tsx';
import { webhooksQuery } from './queries.ts';

/** Says on every view that webhooks were turned off, for the owner. */
export default function DisabledNotice() {
  const go = useGo('/webhooks');
  const { data = [] } = useQuery(webhooksQuery);
  const disabled = data.filter(({ status }) => status === 'disabled');
  const [first] = disabled;
  if (!first) return null;
  return (
    <Banner tone="warn">
      <span>
        {disabled.length > 1
          ? `${disabled.length} webhooks were turned off`
          : `The webhook to ${new URL(first.url).host} was turned off`}
        {first.disabled_reason === 'gone'
          ? ': its receiver answered that it is gone.'
          : ': nothing was delivered for five days.'}
      </span>
      <Button
        onClick={() => go({ webhook: first.id, mode: undefined, status: undefined, delivery: undefined })}
      >
        Look at it
      </Button>
    </Banner>
  );
}
