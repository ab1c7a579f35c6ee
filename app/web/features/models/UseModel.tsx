import { type ModelPart, useModel } from '@reverie/shared/contract/models';
import { useState, type SubmitEvent } from 'react';
import { call } from '../../platform/api.ts';
import { notify } from '../../platform/notices.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog, DialogActions, DialogForm } from '../../ui/Dialog.tsx';
import { Banner } from '../../ui/Message.tsx';
import { useActing } from './acting.ts';
import { Beyond } from './Beyond.tsx';
import css from './ModelsView.module.css';
import type { ModelsState } from './queries.ts';
import {
  type ModelCandidate,
  fitnessOf,
  isSame,
  listOfParts,
  lockedBy,
  PARTS,
  proposedParts,
  staysHere,
} from './words.ts';

interface UseProps {
  candidate: ModelCandidate;
  state: ModelsState;
  onClose: () => void;
}

/** Chooses what a model is used for: what it is fit for is ticked, what speaks against the rest is said. */
export function UseModel({ candidate, state, onClose }: UseProps) {
  const { server, name, can } = candidate;
  const examination = isSame(candidate, state.examination) ? (state.examination ?? undefined) : undefined;
  const known = { can, examination };
  const locks = new Map(state.uses.map((use) => [use.part, lockedBy(use)]));
  const [chosen, setChosen] = useState<ReadonlySet<ModelPart>>(
    () => new Set(proposedParts(known).filter((part) => locks.get(part) === undefined)),
  );
  const [agreed, setAgreed] = useState(false);
  const isHere = staysHere(candidate);
  const parts = (Object.keys(PARTS) as ModelPart[]).filter((part) => chosen.has(part));
  const use = useActing(() =>
    call(useModel, { body: { server, name, for: parts, beyond_this_machine: !isHere && agreed } }),
  );
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    use.mutate(undefined, {
      onSuccess: () => {
        notify('good', `${name} is used for ${listOfParts(parts)} from now on.`);
        onClose();
      },
    });
  };
  const turn = (part: ModelPart) =>
    setChosen((now) => {
      const next = new Set(now);
      if (!next.delete(part)) next.add(part);
      return next;
    });
  return (
    <Dialog title={`Use ${name}`} onClose={onClose}>
      <DialogForm onSubmit={submit}>
        <fieldset className={css['parts']}>
          <legend>Use it for</legend>
          {fitnessOf(known).map(({ part, isPossible, warning, isAdvisedAgainst }) => (
            <label key={part}>
              <input
                type="checkbox"
                disabled={!isPossible || locks.get(part) !== undefined}
                checked={chosen.has(part)}
                onChange={() => turn(part)}
              />
              <span>
                <strong>{PARTS[part].name}</strong>: it {PARTS[part].does}
                <PartNote
                  warning={locks.get(part) ?? warning}
                  isAdvisedAgainst={isAdvisedAgainst}
                  isNew={part === 'vectors' && chosen.has(part)}
                />
              </span>
            </label>
          ))}
        </fieldset>
        {isHere ? (
          <p className={css['soft']}>
            It runs on this machine: nothing of your memories leaves it. Applies at once.
          </p>
        ) : (
          <Beyond
            server={server}
            sent={parts.map((part) => PARTS[part].sent)}
            agreed={agreed}
            onAgree={setAgreed}
          />
        )}
        {use.isError && <Banner tone="bad">Nothing was changed: {use.error.message}</Banner>}
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            data-first
            type="submit"
            look="strong"
            disabled={parts.length === 0 || (!isHere && !agreed) || use.isPending}
          >
            {use.isPending ? 'Asking its server…' : 'Use'}
          </Button>
        </DialogActions>
      </DialogForm>
    </Dialog>
  );
}

interface NoteProps {
  warning: string | undefined;
  isAdvisedAgainst: boolean;
  /** Whether choosing it has something made anew. */
  isNew: boolean;
}

function PartNote({ warning, isAdvisedAgainst, isNew }: NoteProps) {
  return (
    <>
      {warning !== undefined && (
        <span className={css['warning']} data-against={isAdvisedAgainst}>
          {warning}
        </span>
      )}
      {isNew && (
        <span className={css['warning']}>
          All vectors are made anew in the background; until then search finds more by words.
        </span>
      )}
    </>
  );
}
