import { EVERY_NAMESPACE } from '@reverie/shared/contract/fields';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, Suspense, useLayoutEffect, useRef } from 'react';
import css from './Field.module.css';
import { FieldView } from '../features/field/FieldView.tsx';
import { allows, session } from '../platform/daemon/session.ts';
import { useStore } from '../platform/store.ts';
import { useFieldEntries } from './use-field-entries.ts';
import { useChooseNamespace } from './use-go-to.ts';
import { useHitActs } from './use-hit-acts.tsx';

interface FieldProps {
  /** What was typed before it was there. */
  typed: string;
  onClose: () => void;
  onHelp: () => void;
}

/** The one field, over whatever view one is in. */
export default function Field({ typed, onClose, onHelp }: FieldProps) {
  const navigate = useNavigate();
  const chooseNamespace = useChooseNamespace();
  const then =
    <Args extends unknown[]>(act: (...args: Args) => void) =>
    (...args: Args) => {
      onClose();
      act(...args);
    };
  const entries = useFieldEntries({
    goTo: (to, search) => void navigate({ to, search }),
    onNamespace: chooseNamespace,
    onHelp,
  });
  const onOpen = then(({ namespace, key }: { namespace: string; key: string }) => {
    void navigate({ to: '/memories', search: { namespace, key } });
  });
  const { actsOf, acting } = useHitActs({
    onOpen,
    onEdit: then(({ namespace, key }) => {
      void navigate({ to: '/memories', search: { namespace, key, mode: 'edit' } });
    }),
    onDone: onClose,
  });
  const canWrite = allows(useStore(session), 'write');
  if (acting) return <Suspense fallback={null}>{acting}</Suspense>;
  return (
    <FieldWindow onClose={onClose}>
      <FieldView
        first={typed}
        canWrite={canWrite}
        entries={entries.map((entry) => ({ ...entry, run: then(entry.run) }))}
        actsOf={actsOf}
        onOpen={onOpen}
        onAsk={then((q) => void navigate({ to: '/ask', search: { namespace: EVERY_NAMESPACE, q } }))}
        onSearch={then((q) => void navigate({ to: '/memories', search: { namespace: EVERY_NAMESPACE, q } }))}
        onClose={onClose}
      />
    </FieldWindow>
  );
}

function FieldWindow({ onClose, children }: { onClose: () => void; children: ReactNode }) {
  const dialog = useRef<HTMLDialogElement>(null);
  // A layout effect: it closes while the window is still in the page, which gives the focus back.
  useLayoutEffect(() => {
    const opened = dialog.current;
    opened?.showModal();
    opened?.querySelector<HTMLElement>('[data-first]')?.focus();
    return () => opened?.close();
  }, []);
  return (
    <dialog
      ref={dialog}
      className={css['window']}
      aria-label="Find or ask"
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClick={(event) => {
        if (event.target === dialog.current) onClose();
      }}
    >
      {children}
    </dialog>
  );
}
