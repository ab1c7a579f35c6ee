import { useState } from 'react';
import { countOf } from '../../../platform/format.ts';
import { Button } from '../../../ui/Button.tsx';
import { Chip, Chips } from '../../../ui/Chip.tsx';
import { Dialog, DialogActions } from '../../../ui/Dialog.tsx';
import { Banner } from '../../../ui/Message.tsx';
import { nameOf } from '../address.ts';
import { tagsOf } from '../tags.ts';
import { TagInput } from './TagInput.tsx';
import type { DialogProps } from './targets.ts';
import { useTagging } from './use-tagging.ts';

/** Adds tags to some memories, and takes others off. */
export function TagDialog({ targets, onDone, onClose }: DialogProps) {
  const [add, setAdd] = useState<readonly string[]>([]);
  const [remove, setRemove] = useState<readonly string[]>([]);
  const tagging = useTagging();
  const [first] = targets;
  const all = [...new Set(targets.flatMap(({ metadata }) => tagsOf(metadata)))].sort();
  const shown = [...all.filter((tag) => !remove.includes(tag)), ...add];
  const isChanged = add.length + remove.length > 0;
  const counted = (tag: string) => targets.filter(({ metadata }) => tagsOf(metadata).includes(tag)).length;
  const save = () =>
    tagging.mutate(
      { of: targets, change: { add, remove } },
      {
        onSuccess: () => {
          onDone();
          onClose();
        },
      },
    );
  return (
    <Dialog
      title={targets.length === 1 ? 'Tags' : `Tags of ${countOf(targets.length, 'memory', 'memories')}`}
      onClose={onClose}
    >
      {targets.length === 1 && first && (
        <p>
          <bdi>{nameOf(first)}</bdi>
        </p>
      )}
      {shown.length > 0 && (
        <Chips label="Their tags">
          {shown.map((tag) => (
            <Chip
              key={tag}
              removeLabel={`Remove the tag ${tag}`}
              onRemove={() =>
                add.includes(tag) ? setAdd(add.filter((one) => one !== tag)) : setRemove([...remove, tag])
              }
            >
              <bdi>{tag}</bdi>
              {!add.includes(tag) &&
                counted(tag) < targets.length &&
                ` · ${counted(tag)} of ${targets.length}`}
            </Chip>
          ))}
        </Chips>
      )}
      <TagInput
        namespace={first?.namespace ?? 'default'}
        // One that only some have may be given to all.
        has={shown.filter((tag) => add.includes(tag) || counted(tag) === targets.length)}
        isFirst
        onAdd={(tag) => {
          setRemove((now) => now.filter((one) => one !== tag));
          setAdd((now) => [...now.filter((one) => one !== tag), tag]);
        }}
      />
      {tagging.isError && <Banner tone="bad">Nothing was changed: {tagging.error.message}.</Banner>}
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        <Button look="strong" disabled={!isChanged || tagging.isPending} onClick={save}>
          {tagging.isPending ? 'Saving…' : 'Save tags'}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
