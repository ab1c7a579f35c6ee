import { type Folder, pruneFolder, removeFolder } from '@reverie/shared/contract/memories/folders';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { call } from '../../platform/daemon/api.ts';
import { Fetched } from '../../platform/queries/Fetched.tsx';
import { countOf, formatCount } from '../../platform/format.ts';
import { notify } from '../../platform/notices.ts';
import { useShortcuts } from '../../platform/shortcuts.ts';
import { Badge } from '../../ui/Badge.tsx';
import { Button } from '../../ui/Button.tsx';
import { Column, Lead } from '../../ui/Column.tsx';
import { Confirm } from '../../ui/Confirm.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { Item, Items } from '../../ui/lists/Items.tsx';
import { OwnerOnly } from '../../ui/Message.tsx';
import { Time } from '../../ui/Time.tsx';
import { AddFolder } from './AddFolder.tsx';
import css from './FoldersView.module.css';
import { foldersQuery } from './queries.ts';
import { issueWords, standingOf } from './words.ts';

/** The folders whose files are memories: how each does, and which files need a look. */
export default function FoldersView({ isOwner }: { isOwner: boolean }) {
  const folders = useQuery({ ...foldersQuery, enabled: isOwner });
  const [isAdding, setAdding] = useState(false);
  const [leaving, setLeaving] = useState<Folder>();
  useEffect(() => {
    document.title = 'Folders · Reverie';
  }, []);
  useShortcuts({ n: () => isOwner && setAdding(true) });
  if (!isOwner) return <OwnerOnly title="Only the owner may have folders followed" />;
  return (
    <Column>
      <h1>Folders</h1>
      <Lead>
        The notes of a folder become memories: what you write, rename or remove there changes here, too,
        within a second.
      </Lead>
      <div>
        <Button look="strong" icon="plus" onClick={() => setAdding(true)}>
          Follow a folder <kbd>n</kbd>
        </Button>
      </div>
      <Fetched of={folders} lines={4}>
        {(all) =>
          all.length > 0 && (
            <Items label="Folders">
              {all.map((folder) => (
                <FolderItem key={folder.id} of={folder} onLeave={() => setLeaving(folder)} />
              ))}
            </Items>
          )
        }
      </Fetched>
      {isAdding && (
        <Dialog title="Follow a folder" onClose={() => setAdding(false)}>
          <AddFolder onClose={() => setAdding(false)} onAdded={() => setAdding(false)} />
        </Dialog>
      )}
      {leaving && <Leave folder={leaving} onClose={() => setLeaving(undefined)} />}
    </Column>
  );
}

function FolderItem({ of: folder, onLeave }: { of: Folder; onLeave: () => void }) {
  const { tone, word, more } = standingOf(folder);
  const { issues, issues_total: total } = folder;
  return (
    <Item
      name={folder.path}
      badges={<Badge tone={tone}>{word}</Badge>}
      more={
        <>
          {more !== undefined && `${more} · `}
          {countOf(folder.memories, 'memory', 'memories')} in{' '}
          <Link to="/memories" search={{ namespace: folder.namespace }}>
            {folder.namespace}
          </Link>
          {folder.sync === 'both' && ' · edits are written into the files'}
          {folder.last_change_at !== null && (
            <>
              {' · changed '}
              <Time at={folder.last_change_at} />
            </>
          )}
        </>
      }
      actions={
        <>
          {folder.state.kind === 'holding' && <Prune folder={folder} />}
          <Button onClick={onLeave} aria-label={`Stop following ${folder.path}`}>
            Stop following
          </Button>
        </>
      }
    >
      {total > 0 && (
        <details className={css['issues']}>
          <summary>{countOf(total, 'file needs a look', 'files need a look')}</summary>
          <ul>
            {issues.map((issue) => (
              <li key={`${issue.path} ${issue.reason}`}>
                <code>{issue.path}</code> {issueWords(issue)}
              </li>
            ))}
            {total > issues.length && <li>and {formatCount(total - issues.length)} more</li>}
          </ul>
        </details>
      )}
    </Item>
  );
}

/** Files that are gone at once may be meant to be gone; their memories can be brought back from the trash. */
function Prune({ folder }: { folder: Folder }) {
  const queries = useQueryClient();
  const prune = useMutation({
    mutationFn: () => call(pruneFolder, { params: { id: folder.id } }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: foldersQuery.queryKey });
      notify('good', 'The memories of the files that are gone go to the trash.');
    },
    onError: ({ message }) => notify('bad', `They stay: ${message}.`),
  });
  return (
    <Button
      disabled={prune.isPending}
      onClick={() => prune.mutate()}
      aria-label={`Move the memories of files that are gone from ${folder.path} to the trash`}
    >
      They are meant to be gone
    </Button>
  );
}

function Leave({ folder, onClose }: { folder: Folder; onClose: () => void }) {
  const queries = useQueryClient();
  const leave = useMutation({
    mutationFn: () => call(removeFolder, { params: { id: folder.id } }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: foldersQuery.queryKey });
      notify('good', `${folder.path} is not followed any more; its files and memories stay.`);
      onClose();
    },
  });
  return (
    <Confirm
      title="Stop following this folder?"
      act="Stop following"
      look="strong"
      keep="Go on"
      doing={leave}
      failed="It is still followed"
      onClose={onClose}
    >
      <p>
        The files of <bdi>{folder.path}</bdi> and their memories stay as they are. What changes there no
        longer shows here, until you follow it again.
      </p>
    </Confirm>
  );
}
