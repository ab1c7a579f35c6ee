import css from './ShortcutsHelp.module.css';
import { Dialog } from './ui/Dialog.tsx';

const KEYS: readonly (readonly [keys: readonly string[], does: string])[] = [
  [['/'], 'Search'],
  [['j', '↓'], 'Next in the list'],
  [['k', '↑'], 'Previous in the list'],
  [['Enter'], 'Open'],
  [['n'], 'New memory; among webhooks a new one; a new dream'],
  [['e'], 'Edit'],
  [['s'], 'The source of a memory, and back'],
  [['#', 'Delete'], 'Delete: to the trash'],
  [['u'], 'Undo the last delete, or a decision on an insight'],
  [['a', 'r'], 'Accept or reject an insight'],
  [['Ctrl Enter'], 'Save what you are writing'],
  [['Escape'], 'Close, or back to the list'],
  [['g', '…'], 'To a view: the menu names its letter, such as g o for Models'],
  [['?'], 'These shortcuts'],
];

/** The keys that the page knows. */
export default function ShortcutsHelp({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose}>
      <dl className={css['keys']}>
        {KEYS.map(([keys, does]) => (
          <div key={does}>
            <dt>
              {keys.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
