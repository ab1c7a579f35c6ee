import type { Memory } from '@reverie/shared/contract/memories/memories';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, useState } from 'react';
import { allows, session } from '../../../platform/daemon/session.ts';
import { useStore } from '../../../platform/store.ts';
import { Button, IconButton } from '../../../ui/Button.tsx';
import { Banner } from '../../../ui/Message.tsx';
import type { NoteLinks } from '../../../ui/reading/note-target.ts';
import { everyPropertyIn, type NoteProperty, propertiesIn } from '../../../ui/reading/properties.ts';
import { Properties } from '../../../ui/reading/Properties.tsx';
import type { MemoryAddress } from '../address.ts';
import { memoryQuery } from '../queries.ts';
import chip from '../../../ui/Chip.module.css';
import field from '../../../ui/Field.module.css';
import css from './NoteProperties.module.css';
import { PropertyForm } from './PropertyForm.tsx';
import { type OfferUndo, type PropertyConflict, useProperty } from './use-property.ts';

interface NotePropertiesProps {
  source: string;
  /** Those that stand above the note. */
  tags: readonly string[];
  links: NoteLinks;
  /** The memory as it is stored; left out where it cannot be changed. */
  of: MemoryAddress | undefined;
  /** Without it nothing is changed here. */
  offerUndo: OfferUndo | undefined;
}

/** The front matter of a note, as a table; where the note may be changed, each value in its place. */
export function NoteProperties({ source, tags, links, of, offerUndo }: NotePropertiesProps) {
  const canWrite = allows(useStore(session), 'write') && of !== undefined;
  const properties = useMemo(() => propertiesIn(source, tags), [source, tags]);
  // Of what is no file of Markdown nobody misses them.
  const mayHaveSome = properties.length > 0 || /\.md$/iu.test(of?.key ?? '');
  if (of && offerUndo && canWrite && mayHaveSome)
    return <Editable source={source} tags={tags} links={links} of={of} offerUndo={offerUndo} />;
  return properties.length === 0 ? null : <Properties properties={properties} links={links} />;
}

/** Which property is open, and what the memory said when it was opened. */
interface Open {
  name: string | undefined;
  base: Memory;
}

type EditableProps = NotePropertiesProps & { of: MemoryAddress; offerUndo: OfferUndo };

function Editable({ source, tags, links, of, offerUndo }: EditableProps) {
  const { data: memory } = useQuery(memoryQuery(of.namespace, of.key));
  const properties = useMemo(() => everyPropertyIn(source, tags), [source, tags]);
  const [open, setOpen] = useState<Open>();
  const place = useRef<HTMLDivElement>(null);
  const back = useRef<string>(undefined);
  useEffect(() => {
    if (open !== undefined || back.current === undefined) return;
    const buttons = [...(place.current?.querySelectorAll<HTMLElement>('[data-edits]') ?? [])];
    const wanted = buttons.find(({ dataset }) => dataset['edits'] === back.current) ?? buttons.at(-1);
    back.current = undefined;
    wanted?.focus();
  }, [open]);
  const close = () => {
    back.current = open?.name ?? '';
    setOpen(undefined);
  };
  const property = useProperty({ onDone: close, offerUndo });
  const { isBusy, change } = property;
  /** A tick that was made while the change before it was stored. */
  const [tick, setTick] = useState<{ name: string; value: boolean }>();
  const queries = useQueryClient();
  useEffect(() => {
    if (isBusy || !tick) return;
    setTick(undefined);
    const base = queries.getQueryData(memoryQuery(of.namespace, of.key).queryKey);
    if (base) change({ change: tick, base });
  }, [isBusy, tick, change, queries, of.namespace, of.key]);
  const leave = () => {
    property.forget();
    close();
  };
  const begin = (name: string | undefined) => {
    property.forget();
    if (memory) setOpen({ name, base: memory });
  };
  const form = (shown: NoteProperty | undefined) =>
    open &&
    (property.conflict ? (
      <Conflict of={property.conflict} onKeepMine={property.keepMine} onTakeTheirs={leave} />
    ) : (
      <PropertyForm
        property={shown}
        taken={properties.map(({ name }) => name)}
        isBusy={property.isBusy}
        failure={property.failure}
        onSave={(change) => property.change({ change, base: open.base })}
        onCancel={leave}
      />
    ));
  const add =
    open && open.name === undefined ? (
      form(undefined)
    ) : (
      <div className={css['add']}>
        <Button look="quiet" icon="plus" data-edits="" onClick={() => begin(undefined)}>
          Add a property
        </Button>
      </div>
    );
  return (
    <div ref={place}>
      {properties.length === 0 ? (
        add
      ) : (
        <Properties
          properties={properties}
          links={links}
          instead={(shown) => {
            if (open?.name === shown.name) return form(shown);
            if (shown.kind !== 'checkbox' || !memory) return undefined;
            return (
              <>
                <input
                  type="checkbox"
                  aria-label={shown.name}
                  checked={tick?.name === shown.name ? tick.value : shown.values[0]?.toLowerCase() === 'true'}
                  // It keeps the focus while it is stored, which a disabled one would not.
                  onChange={({ target: { checked: value } }) => setTick({ name: shown.name, value })}
                />
                <Edit name={shown.name} onEdit={() => begin(shown.name)} />
              </>
            );
          }}
          behind={(shown) =>
            shown.kind !== 'other' && <Edit name={shown.name} onEdit={() => begin(shown.name)} />
          }
        >
          {add}
        </Properties>
      )}
      {!open && (property.failure !== undefined || property.conflict) && (
        <Banner tone="bad">
          Not changed:{' '}
          {property.failure ?? 'the memory was changed elsewhere meanwhile. Look at it, and try again'}.
        </Banner>
      )}
    </div>
  );
}

function Edit({ name, onEdit }: { name: string; onEdit: () => void }) {
  return (
    <IconButton
      icon="edit"
      label={`Edit ${name}`}
      data-edits={name}
      className={css['edit']}
      onClick={onEdit}
    />
  );
}

interface ConflictProps {
  of: PropertyConflict;
  onKeepMine: () => void;
  onTakeTheirs: () => void;
}

/** The choice when a memory was changed elsewhere while one of its properties was being edited here. */
function Conflict({ of: { change, theirs }, onKeepMine, onTakeTheirs }: ConflictProps) {
  const said = theirs && everyPropertyIn(theirs.value, []).find(({ name }) => name === change.name);
  const now = said === undefined ? 'is not there' : `says “${said.values.join(', ')}”`;
  return (
    <div className={field['field']}>
      <Banner tone="warn">
        {theirs
          ? `This memory was changed elsewhere while you were editing it; “${change.name}” ${now} there. Nothing was overwritten yet.`
          : 'This memory was deleted elsewhere while you were editing it. Nothing was stored.'}
      </Banner>
      <div className={chip['chips']}>
        {theirs && (
          <Button look="strong" autoFocus onClick={onKeepMine}>
            Keep mine
          </Button>
        )}
        <Button autoFocus={!theirs} onClick={onTakeTheirs}>
          {theirs ? 'Take theirs' : 'Leave it deleted'}
        </Button>
      </div>
    </div>
  );
}
