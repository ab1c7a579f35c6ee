import { useLayoutEffect, useId, useRef, type ReactNode, type SubmitEvent } from 'react';
import { BareIconButton } from './Button.tsx';
import css from './Dialog.module.css';

interface DialogProps {
  title: string;
  /** For what is read in it, such as a text that is looked through. */
  isWide?: boolean;
  onClose: () => void;
  children: ReactNode;
}

/**
 * A modal window: the browser's own `<dialog>`, which keeps the focus inside, makes the rest inert and closes
 * on Escape. The focus begins at the control with `data-first`, if there is one. (Radix' dialog locks scrolling with a style element, which the page's CSP blocks.)
 */
export function Dialog({ title, isWide = false, onClose, children }: DialogProps) {
  const ref = useRef<HTMLDialogElement>(null);
  const id = useId();
  // A layout effect: it closes while the dialog is still in the page, which gives the focus back.
  useLayoutEffect(() => {
    const dialog = ref.current;
    dialog?.showModal();
    dialog?.querySelector<HTMLElement>('[data-first]')?.focus();
    return () => dialog?.close();
  }, []);
  return (
    <dialog
      ref={ref}
      className={css['dialog']}
      data-wide={isWide}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClick={(event) => {
        if (event.target === ref.current) onClose();
      }}
    >
      <div className={css['inside']}>
        <header className={css['head']}>
          <h2 id={id}>{title}</h2>
          <BareIconButton icon="close" label="Close" onClick={onClose} />
        </header>
        {children}
      </div>
    </dialog>
  );
}

/** A form inside a dialog. */
export function DialogForm({
  onSubmit,
  children,
}: {
  onSubmit: (event: SubmitEvent) => void;
  children: ReactNode;
}) {
  return (
    <form className={css['form']} onSubmit={onSubmit}>
      {children}
    </form>
  );
}

/** The buttons at the end of a dialog: what leaves everything as it is first, what acts last. */
export function DialogActions({ children }: { children: ReactNode }) {
  return <div className={css['actions']}>{children}</div>;
}
