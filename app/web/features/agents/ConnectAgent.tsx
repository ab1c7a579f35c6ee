import { useState } from 'react';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { Button } from '../../ui/Button.tsx';
import { Dialog, DialogActions } from '../../ui/Dialog.tsx';
import { Field } from '../../ui/Field.tsx';
import { Snippet } from '../../ui/Message.tsx';
import { WithCode } from '../../ui/text/WithCode.tsx';
import { connections } from '../start/beginning.ts';

/** How each agent is connected: it is asked which, and told what to do. */
export function ConnectAgent({ onClose }: { onClose: () => void }) {
  const ways = connections(location.origin);
  const [chosen, setChosen] = useState(0);
  const { snippet, after } = ways[chosen] ?? { snippet: '', after: '' };
  return (
    <Dialog title="Connect an agent" onClose={onClose}>
      <p>It looks here before it works, and keeps what will matter later. You see here what it was shown.</p>
      <Field label="Which agent">
        {(control) => (
          <select {...control} value={chosen} onChange={({ target }) => setChosen(Number(target.value))}>
            {ways.map(({ name }, at) => (
              <option key={name} value={at}>
                {name}
              </option>
            ))}
          </select>
        )}
      </Field>
      <Snippet action={<CopyButton text={snippet} what="command" />}>{snippet}</Snippet>
      <p>
        <WithCode>{after}</WithCode>
      </p>
      <DialogActions>
        <Button look="strong" onClick={onClose}>
          Done
        </Button>
      </DialogActions>
    </Dialog>
  );
}
