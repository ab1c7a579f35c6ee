import { type NamespaceColour, namespaceColours } from '@reverie/shared/contract/memories/memories';
import { useQuery } from '@tanstack/react-query';
import { ToggleGroup } from 'radix-ui';
import { useState } from 'react';
import { countOf } from '../../platform/format.ts';
import { allows, session } from '../../platform/daemon/session.ts';
import { useStore } from '../../platform/store.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog, DialogActions } from '../../ui/Dialog.tsx';
import { Field } from '../../ui/Field.tsx';
import { ClearNamespace } from './ClearNamespace.tsx';
import { useChangeFace } from './change-face.ts';
import { MaySeeSelect } from './MaySee.tsx';
import css from './NamespaceDialog.module.css';
import { Face } from './NamespaceDot.tsx';
import { SyncLine } from './SyncLine.tsx';
import { namespacesQuery } from './queries.ts';

interface NamespaceProps {
  namespace: string;
  onClose: () => void;
  onCleared: () => void;
}

/** Signs that many want; any other character can be typed. */
const SIGNS = ['🏠', '💼', '🧪', '📚', '🌱', '✈️', '🩺', '💶', '🎵', '🛠️', '⚖️', '🍳'];

/** A namespace as a person sees to it: how it looks, which models may see it, whether it syncs, and clearing it. */
export default function NamespaceDialog({ namespace, onClose, onCleared }: NamespaceProps) {
  const { data } = useQuery(namespacesQuery);
  const row = data?.find((one) => one.namespace === namespace);
  const who = useStore(session);
  const [canWrite, isOwner] = [allows(who, 'write'), allows(who, 'owner')];
  const [isClearing, setClearing] = useState(false);
  if (isClearing)
    return <ClearNamespace namespace={namespace} count={row?.count} onClose={onClose} onDone={onCleared} />;
  return (
    <Dialog title={namespace} onClose={onClose}>
      <div className={css['parts']}>
        <p className={css['lead']}>
          {row ? countOf(row.count, 'memory', 'memories') : 'Nothing is kept here yet'}. A namespace keeps
          some memories apart from the others; how it looks helps you tell it from them at a glance.
        </p>
        <FacePicker namespace={namespace} colour={row?.colour} sign={row?.sign} />
        <div className={css['line']}>
          <span>Which models may see it</span>
          <MaySeeSelect namespace={namespace} models={row?.models ?? 'any'} />
        </div>
        {isOwner && <SyncLine namespace={namespace} />}
      </div>
      <DialogActions>
        {canWrite && (
          <Button icon="trash" look="quiet" onClick={() => setClearing(true)}>
            Clear this namespace…
          </Button>
        )}
        <Button look="strong" data-first onClick={onClose}>
          Done
        </Button>
      </DialogActions>
    </Dialog>
  );
}

interface PickerProps {
  namespace: string;
  colour: NamespaceColour | undefined;
  sign: string | undefined;
}

function FacePicker({ namespace, colour, sign }: PickerProps) {
  const face = useChangeFace(namespace);
  const [typed, setTyped] = useState('');
  return (
    <>
      <ToggleGroup.Root
        type="single"
        className={css['choices']}
        aria-label="Colour"
        value={colour ?? ''}
        onValueChange={(chosen) =>
          face.mutate({ colour: namespaceColours.find((one) => one === chosen) ?? null })
        }
      >
        {namespaceColours.map((one) => (
          <ToggleGroup.Item key={one} value={one} className={css['choice']} aria-label={one} title={one}>
            <Face colour={one} />
          </ToggleGroup.Item>
        ))}
      </ToggleGroup.Root>
      <ToggleGroup.Root
        type="single"
        className={css['choices']}
        aria-label="Sign"
        value={sign ?? ''}
        onValueChange={(chosen) => face.mutate({ sign: chosen === '' ? null : chosen })}
      >
        {[...new Set([...(sign === undefined ? [] : [sign]), ...SIGNS])].map((one) => (
          <ToggleGroup.Item key={one} value={one} className={css['choice']} aria-label={`Sign ${one}`}>
            <Face colour={colour} sign={one} />
          </ToggleGroup.Item>
        ))}
      </ToggleGroup.Root>
      <Field
        label="Another sign"
        hint="One character or emoji. Press it again to take it away."
        error={face.error?.message}
      >
        {(control) => (
          <input
            {...control}
            dir="auto"
            autoComplete="off"
            value={typed}
            onChange={({ target: { value } }) => {
              setTyped(value);
              if (value.trim() !== '') face.mutate({ sign: value.trim() });
            }}
          />
        )}
      </Field>
    </>
  );
}
