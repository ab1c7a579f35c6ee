import { addFolder, type Folder } from '@reverie/shared/contract/memories/folders';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type SubmitEvent } from 'react';
import { call } from '../../platform/daemon/api.ts';
import { Button } from '../../ui/Button.tsx';
import { DialogActions, DialogForm } from '../../ui/Dialog.tsx';
import { Field } from '../../ui/Field.tsx';
import { Banner } from '../../ui/Message.tsx';
import { foldersQuery } from './queries.ts';
import { namespaceFor } from './words.ts';

interface AddFolderProps {
  onAdded: (folder: Folder) => void;
  /** Undefined where there is nothing to go back to. */
  onClose?: () => void;
}

/** Asks which folder is followed and where its notes go. */
export function AddFolder({ onAdded, onClose }: AddFolderProps) {
  const queries = useQueryClient();
  const [path, setPath] = useState('');
  const [named, setNamed] = useState<string>();
  const [isBoth, setBoth] = useState(false);
  const namespace = named ?? namespaceFor(path);
  const add = useMutation({
    mutationFn: () =>
      call(addFolder, { body: { path: path.trim(), namespace, sync: isBoth ? 'both' : 'in' } }),
    onSuccess: async (folder) => {
      onAdded(folder);
      await queries.invalidateQueries({ queryKey: foldersQuery.queryKey });
    },
  });
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    add.mutate();
  };
  return (
    <DialogForm onSubmit={submit}>
      <Field label="Folder" hint="Its whole path on this machine. Files stay where they are.">
        {(control) => (
          <input
            {...control}
            data-first
            dir="auto"
            required
            autoComplete="off"
            spellCheck={false}
            placeholder="/home/ada/notes"
            value={path}
            onChange={(event) => setPath(event.target.value)}
          />
        )}
      </Field>
      <Field label="Its notes go to the namespace">
        {(control) => (
          <input
            {...control}
            dir="auto"
            required
            maxLength={128}
            autoComplete="off"
            value={namespace}
            onChange={(event) => setNamed(event.target.value)}
          />
        )}
      </Field>
      <label>
        <input type="checkbox" checked={isBoth} onChange={(event) => setBoth(event.target.checked)} /> Write
        my edits here into the files, too (Markdown only)
      </label>
      {add.isError && <Banner tone="bad">It could not be followed: {add.error.message}</Banner>}
      <DialogActions>
        {onClose && <Button onClick={onClose}>Cancel</Button>}
        <Button type="submit" look="strong" icon="folder" disabled={add.isPending}>
          Follow this folder
        </Button>
      </DialogActions>
    </DialogForm>
  );
}
