import { ApiError } from '@reverie/shared/client';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { Unfetched } from '../../platform/queries/Fetched.tsx';
import { Column, Lead } from '../../ui/Column.tsx';
import { OwnerOnly } from '../../ui/Message.tsx';
import { Elsewhere } from './getting/Elsewhere.tsx';
import { ExaminationCard } from './ExaminationCard.tsx';
import { Found } from './getting/Found.tsx';
import { InUse } from './InUse.tsx';
import { Leaving } from './Leaving.tsx';
import { PullCard } from './getting/PullCard.tsx';
import { foundQuery, modelsQuery } from './queries.ts';
import UseModel from './UseModel.tsx';
import { type ModelCandidate, isSameServer, type NamedModel, usesModel } from './words.ts';

/** Language models in one view: what is used, what runs on this machine, what can be got, and what leaves it. */
export default function ModelsView({ isOwner }: { isOwner: boolean }) {
  const state = useQuery({ ...modelsQuery, enabled: isOwner });
  const found = useQuery({ ...foundQuery, enabled: isOwner });
  const [candidate, setCandidate] = useState<ModelCandidate>();
  useEffect(() => {
    document.title = 'Models · Reverie';
  }, []);
  // An owner key of another account is one of this page too, and not of this machine.
  const isRefused = state.error instanceof ApiError && state.error.code === 'forbidden_scope';
  if (!isOwner || isRefused) return <OwnerOnly title="Only the owner of this machine may choose models" />;
  const { data } = state;
  if (!data)
    return (
      <Column>
        <h1>Models</h1>
        <Unfetched of={state} lines={8} />
      </Column>
    );
  const { uses, pull, examination } = data;
  const isBusy = { pulling: pull?.status === 'running', examining: examination?.status === 'running' };
  const servers = found.data?.servers;
  const use = (named: NamedModel) => {
    const server = servers?.find(({ url }) => isSameServer(url, named.server));
    const model = server?.models.find(({ name }) => name === named.name);
    setCandidate({ ...named, can: model?.can, consent: server?.consent ?? null });
  };
  const isUsed = uses.some(usesModel);
  return (
    <Column>
      <h1 id="models-title" tabIndex={-1}>
        Models
      </h1>
      {isUsed ? <InUse uses={uses} /> : <Without />}
      {pull && <PullCard pull={pull} servers={servers} />}
      {examination && <ExaminationCard examination={examination} uses={uses} onUse={use} />}
      <Found found={found} state={data} isBusy={isBusy} onUse={use} />
      <Elsewhere isBusy={isBusy.examining} onUse={use} />
      <Leaving uses={uses} />
      {candidate && (
        <UseModel
          key={`${candidate.server} ${candidate.name}`}
          candidate={candidate}
          state={data}
          onClose={() => setCandidate(undefined)}
        />
      )}
    </Column>
  );
}

function Without() {
  return (
    <Lead>
      No language model is used: Reverie answers in the words of your memories, and says so where they have no
      answer. A model, your coding agent’s or one on this machine, can put an answer together from several
      memories, tell more surely what is missing, and notice more in dreams.
    </Lead>
  );
}
