import { addFolder } from '@reverie/shared/contract/memories/folders';
import type { SessionSource } from '@reverie/shared/contract/sessions/session-sources';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../../platform/daemon/api.ts';
import { notify } from '../../../platform/notices.ts';
import { Badge } from '../../../ui/Badge.tsx';
import { Button } from '../../../ui/Button.tsx';
import { sourcesQuery } from '../queries.ts';
import css from './SourcesView.module.css';

type Follow = NonNullable<SessionSource['memory'][number]['follow']>;

/** Files in which the agent keeps memories of its own, what that means, and a way to have them here. */
export function OwnMemory({ source, isOwner }: { source: SessionSource; isOwner: boolean }) {
  const queries = useQueryClient();
  const follow = useMutation({
    mutationFn: (body: Follow) => call(addFolder, { body }),
    onSuccess: ({ path, namespace }) => {
      notify('good', `${path} is followed: what agents read there is in ${namespace}.`);
      return queries.invalidateQueries({ queryKey: sourcesQuery.queryKey });
    },
    onError: ({ message }) => notify('bad', `It is not followed: ${message}.`),
  });
  // A folder holds several of them; the first one has its button.
  const first = new Map(source.memory.map((one) => [one.follow?.path, one] as const).reverse());
  return (
    <div className={css['clash']}>
      <p>
        <strong>{source.name} keeps memories of its own.</strong> They may disagree with Reverie, and the
        agent reads both. Keep what is true in one place, or follow the files: then they are memories of their
        project, found like any other, and edits in a file show here. Reverie only reads the files.
      </p>
      <ul className={css['sample']} aria-label={`Memories that ${source.name} keeps`}>
        {source.memory.map((one) => (
          <li key={one.path} className={css['own']}>
            <span>
              <code>{one.path}</code> <span className={css['soft']}>{one.what}</span>
            </span>
            {one.followed ? (
              <Badge tone="good">Followed</Badge>
            ) : (
              isOwner &&
              one.follow &&
              first.get(one.follow.path) === one && (
                <Button
                  aria-label={`Follow ${one.follow.path}`}
                  disabled={follow.isPending}
                  onClick={() => one.follow && follow.mutate(one.follow)}
                >
                  Follow
                </Button>
              )
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}
