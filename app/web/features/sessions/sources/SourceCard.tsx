import { setSource, type SessionSource } from '@reverie/shared/contract/sessions/session-sources';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../../platform/daemon/api.ts';
import { notify } from '../../../platform/notices.ts';
import { Badge } from '../../../ui/Badge.tsx';
import { Item } from '../../../ui/lists/Items.tsx';
import { Meter } from '../../../ui/Meter.tsx';
import { Switch } from '../../../ui/Switch.tsx';
import { AgreeDialog } from './AgreeDialog.tsx';
import { OwnMemory } from './OwnMemory.tsx';
import css from './SourcesView.module.css';
import { WhatIsRead } from './WhatIsRead.tsx';
import { foundWords, standingOf } from './words.ts';

/** One agent: what was found of it, whether it is read, and what else keeps memories beside Reverie. */
export function SourceCard({ source, isOwner }: { source: SessionSource; isOwner: boolean }) {
  const queries = useQueryClient();
  const [isAsking, setAsking] = useState(false);
  const { tone, word, words } = standingOf(source);
  const { state } = source;
  const set = useMutation({
    mutationFn: (enabled: boolean) => call(setSource, { params: { agent: source.agent }, body: { enabled } }),
    onSuccess: () => {
      setAsking(false);
      return queries.invalidateQueries({ queryKey: ['sessions'] });
    },
    onError: ({ message }) => notify('bad', `${source.name} was left as it is: ${message}.`),
  });
  return (
    <Item
      name={source.name}
      badges={<Badge tone={tone}>{word}</Badge>}
      more={foundWords(source)}
      actions={
        isOwner && (
          <Switch
            label={`Read and follow ${source.name}`}
            isOn={source.enabled}
            isDisabled={set.isPending || (!source.found && !source.enabled)}
            onChange={(isOn) => (isOn ? setAsking(true) : set.mutate(false))}
          />
        )
      }
    >
      {state.kind === 'reading' ? (
        <Meter label={`Reading ${source.name}`} used={state.done} limit={state.of} words={words} />
      ) : (
        words !== '' && (
          <p className={css['soft']} data-bad={state.kind === 'failed'}>
            {words}
          </p>
        )
      )}
      {source.found && (
        <details className={css['details']}>
          <summary>{source.enabled ? 'What is read' : 'What would be read'}</summary>
          <WhatIsRead source={source} />
        </details>
      )}
      {source.memory.length > 0 && <OwnMemory source={source} isOwner={isOwner} />}
      {isAsking && (
        <AgreeDialog
          source={source}
          isPending={set.isPending}
          onAgree={() => set.mutate(true)}
          onClose={() => setAsking(false)}
        />
      )}
    </Item>
  );
}
