import type { SessionSource } from '@reverie/shared/contract/sessions/session-sources';
import { Button } from '../../../ui/Button.tsx';
import { Dialog, DialogActions } from '../../../ui/Dialog.tsx';
import css from './SourcesView.module.css';
import { WhatIsRead } from './WhatIsRead.tsx';
import { foundWords } from './words.ts';

interface AgreeDialogProps {
  source: SessionSource;
  isPending: boolean;
  onAgree: () => void;
  onClose: () => void;
}

/** Says what would be read and what comes of it, before anything is. */
export function AgreeDialog({ source, isPending, onAgree, onClose }: AgreeDialogProps) {
  return (
    <Dialog title={`Read what ${source.name} writes down?`} onClose={onClose}>
      <p>{foundWords(source)}</p>
      <WhatIsRead source={source} />
      <ul className={css['what']}>
        <li>Reverie reads all of it now, in the background, and then what the agent adds.</li>
        <li>It is copied into Reverie on this machine: prompts, answers, tools and what they said.</li>
        <li>Nothing leaves this machine unless you share a session, and then without its secrets.</li>
        <li>The agent’s own files are never changed. What was read stays here when you end this.</li>
      </ul>
      <DialogActions>
        <Button data-first onClick={onClose}>
          Not now
        </Button>
        <Button look="strong" disabled={isPending} onClick={onAgree}>
          {isPending ? 'Beginning…' : 'Read and follow'}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
