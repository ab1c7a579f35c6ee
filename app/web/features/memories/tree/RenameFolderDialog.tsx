import { Key } from '@reverie/shared/contract/fields';
import { useState, type SubmitEvent } from 'react';
import { Button } from '../../../ui/Button.tsx';
import { Dialog, DialogActions, DialogForm } from '../../../ui/Dialog.tsx';
import { Field } from '../../../ui/Field.tsx';
import { DELIMITER } from './rows.ts';

interface RenameFolderProps {
  /** `Projects/` */
  path: string;
  onRename: (to: string) => void;
  onClose: () => void;
}

/** Gives a folder another path: all that is in it goes along. */
export function RenameFolderDialog({ path, onRename, onClose }: RenameFolderProps) {
  const [typed, setTyped] = useState(path.slice(0, -DELIMITER.length));
  const [wrong, setWrong] = useState<string>();
  const to = typed.endsWith(DELIMITER) || typed === '' ? typed : typed + DELIMITER;
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const parsed = Key.safeParse(to);
    if (!parsed.success) return setWrong(`The folder ${parsed.error.issues[0]?.message ?? 'is not valid'}.`);
    if (to !== path && to.startsWith(path)) return setWrong('A folder cannot be moved into itself.');
    onRename(to);
    onClose();
  };
  return (
    <Dialog title="Rename this folder" onClose={onClose}>
      <DialogForm onSubmit={submit}>
        <Field
          label="Folder"
          error={wrong}
          hint="With / it stands in another one. All memories in it go along, and links to them follow."
        >
          {(control) => (
            <input
              {...control}
              data-first
              dir="auto"
              autoComplete="off"
              spellCheck={false}
              value={typed}
              onChange={({ target }) => {
                setTyped(target.value);
                setWrong(undefined);
              }}
            />
          )}
        </Field>
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="strong" disabled={to === path}>
            Rename
          </Button>
        </DialogActions>
      </DialogForm>
    </Dialog>
  );
}
