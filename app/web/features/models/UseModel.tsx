import { type ModelPart, useModel } from '@reverie/shared/contract/system/models';
import { useState, type SubmitEvent } from 'react';
import { call } from '../../platform/daemon/api.ts';
import { notify } from '../../platform/notices.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog, DialogActions, DialogForm } from '../../ui/Dialog.tsx';
import { Banner } from '../../ui/Message.tsx';
import { WithCode } from '../../ui/text/WithCode.tsx';
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
  modelTitle,
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
export default function UseModel({ candidate, state, onClose }: UseProps) {
  const { server, name, can, consent = null } = candidate;
  const title = modelTitle(candidate);
  const isAgent = consent !== null;
  const examination = isSame(candidate, state.examination) ? (state.examination ?? undefined) : undefined;
  const known = { can, examination, isAgent };
  const locks = new Map(state.uses.map((use) => [use.part, lockedBy(use)]));
  const [chosen, setChosen] = useState<ReadonlySet<ModelPart>>(
    () => new Set(proposedParts(known).filter((part) => locks.get(part) === undefined)),
  );
  const [agreed, setAgreed] = useState(false);
  // What an agent cannot do at all would only stand in the way of what it is agreed to.
  const fitness = fitnessOf(known).filter(({ isPossible }) => isPossible || !isAgent);
  const isHere = staysHere(candidate);
  const parts = (Object.keys(PARTS) as ModelPart[]).filter((part) => chosen.has(part));
  const use = useActing(async () => {
    // What is agreed to before a coding agent is asked stands above the button.
    const agreement = { beyond_this_machine: !isHere && agreed, consent: isAgent };
    await call(useModel, { body: { server, name, for: parts, ...agreement } });
    notify('good', `${title} is used for ${listOfParts(parts)} from now on.`);
    // Before the page shows it: what led here may be gone then.
    onClose();
  });
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    use.mutate();
  };
  const turn = (part: ModelPart) =>
    setChosen((now) => {
      const next = new Set(now);
      if (!next.delete(part)) next.add(part);
      return next;
    });
  return (
    <Dialog title={`Use ${title}`} onClose={onClose}>
      <DialogForm onSubmit={submit}>
        {consent && (
          <div className={css['beyond']} data-calm>
            <p>
              <strong>Sent to {consent.vendor}</strong>
            </p>
            <p>{consent.text}</p>
          </div>
        )}
        <fieldset className={css['parts']}>
          <legend>Use it for</legend>
          {fitness.map(({ part, isPossible, warning, isAdvisedAgainst }) => (
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
        {isHere && (
          <p className={css['soft']}>
            It runs on this machine: nothing of your memories leaves it. Applies at once.
          </p>
        )}
        {!isHere && !isAgent && (
          <Beyond
            server={server}
            sent={parts.map((part) => PARTS[part].sent)}
            agreed={agreed}
            onAgree={setAgreed}
          />
        )}
        {use.isError && (
          <Banner tone="bad">
            {isAgent ? (
              <span>
                <WithCode>{use.error.message}</WithCode>
              </span>
            ) : (
              `Nothing was changed: ${use.error.message}`
            )}
          </Banner>
        )}
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            data-first
            type="submit"
            look="strong"
            disabled={parts.length === 0 || (!isHere && !isAgent && !agreed) || use.isPending}
          >
            {isAgent
              ? use.isPending
                ? 'Asking it for a word…'
                : 'Agree and use'
              : use.isPending
                ? 'Asking its server…'
                : 'Use'}
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
          Reverie goes through all memories again; until then search finds more by words.
        </span>
      )}
    </>
  );
}
