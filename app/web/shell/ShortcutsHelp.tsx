import { useLocation } from '@tanstack/react-router';
import { allows, session } from '../platform/daemon/session.ts';
import { useStore } from '../platform/store.ts';
import css from './ShortcutsHelp.module.css';
import { Dialog } from '../ui/Dialog.tsx';
import { views } from '../views.ts';

type Keys = readonly (readonly [keys: readonly string[], does: string])[];

const EVERYWHERE: Keys = [
  [['Ctrl K', '/'], 'Find a memory, ask, go somewhere'],
  [['Ctrl K', 'Ctrl K'], 'Do something to what was found'],
  [['Ctrl K', 'Ctrl Enter'], 'Keep what was written as a thought'],
  [['g', '…'], 'Go to a view by its letter'],
  [['g', 'j'], 'Today’s note'],
  [['?'], 'These keys'],
  [['Escape'], 'Close, or back to the list'],
];

const LIST: Keys = [
  [['j', '↓'], 'Next, and show it'],
  [['k', '↑'], 'Previous'],
];

/** The keys of a view, beside those that hold everywhere. */
const OF_VIEW: Readonly<Partial<Record<(typeof views)[number]['to'], Keys>>> = {
  '/memories': [
    [['/'], 'Search in this namespace'],
    ...LIST,
    [['Enter'], 'Open what is marked'],
    [['x', 'Space'], 'Select, or unselect'],
    [['n'], 'New memory'],
    [['e'], 'Edit'],
    [['t', 'r', 'm'], 'Tag, rename, move'],
    [['s'], 'Its source, and back'],
    [['Ctrl Enter'], 'Save'],
    [['#', 'Delete'], 'To the trash'],
    [['u'], 'Undo'],
  ],
  '/dreams': [
    ...LIST,
    [['a', 'r'], 'Accept, or reject'],
    [['o', 'b'], 'Two disagree: keep the older, or both'],
    [['s'], 'Later: put it off until a day'],
    [['A'], 'All of a kind at once'],
    [['z'], 'Take the last decision back'],
    [['n'], 'New dream'],
  ],
  '/sessions': [...LIST, [['s'], 'Search in sessions'], [['Enter'], 'Read the session']],
  '/events': LIST,
  '/inbox': [
    ...LIST,
    [['e'], 'Done: mark as read'],
    [['r'], 'Reply'],
    [['m'], 'Keep as a memory'],
    [['s'], 'As it was sent, and back'],
    [['z'], 'Take the last “done” back'],
  ],
  '/webhooks': [...LIST, [['n'], 'New webhook']],
};

/** The keys that the page knows: those of this view first. */
export default function ShortcutsHelp({ onClose }: { onClose: () => void }) {
  const { pathname } = useLocation();
  const now = useStore(session);
  const here = views.find(({ to }) => to === pathname);
  const own = here && OF_VIEW[here.to];
  const allowed = views.filter(({ scope }) => allows(now, scope));
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose}>
      {own && <KeyList title={here.label} keys={own} />}
      <KeyList title="Everywhere" keys={EVERYWHERE} />
      <KeyList title="Go to" keys={allowed.map(({ letter, label }) => [['g', letter], label] as const)} />
    </Dialog>
  );
}

function KeyList({ title, keys }: { title: string; keys: Keys }) {
  return (
    <section>
      <h3 className={css['title']}>{title}</h3>
      <dl className={css['keys']}>
        {keys.map(([pressed, does]) => (
          <div key={does}>
            <dt>
              {pressed.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
