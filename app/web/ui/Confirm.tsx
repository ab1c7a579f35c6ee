import type { ReactNode } from 'react';
import { Button } from './Button.tsx';
import { Dialog, DialogActions } from './Dialog.tsx';
import { Banner } from './Message.tsx';

interface ConfirmProps {
  title: string;
  /** What will happen, and whether it can be undone. */
  children: ReactNode;
  /** On the button that leaves everything as it is, where the focus begins. */
  keep?: string;
  /** On the button that does it; with three dots while it is being done. */
  act: string;
  look?: 'danger' | 'strong';
  /** What is being done: a mutation without arguments. */
  doing: { isPending: boolean; error: Error | null; mutate: () => void };
  /** Said before the reason, where it could not be done. */
  failed: string;
  onClose: () => void;
}

/** Asks before something is done that is hard to take back. */
export function Confirm({
  title,
  children,
  keep = 'Keep it',
  act,
  look = 'danger',
  doing,
  failed,
  onClose,
}: ConfirmProps) {
  return (
    <Dialog title={title} onClose={onClose}>
      {children}
      {doing.error && (
        <Banner tone="bad">
          {failed}: {doing.error.message}
        </Banner>
      )}
      <DialogActions>
        <Button data-first onClick={onClose}>
          {keep}
        </Button>
        <Button look={look} disabled={doing.isPending} onClick={() => doing.mutate()}>
          {doing.isPending ? `${act}…` : act}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
