import {
  type FoundServer,
  type ModelPart,
  type ModelUse,
  serverTitles,
} from '@reverie/shared/contract/system/models';
import { useQuery } from '@tanstack/react-query';
import { Suspense, useState } from 'react';
import { latePart } from '../../platform/late-part.ts';
import { Button } from '../../ui/Button.tsx';
import { useFocusAfter } from './focus.ts';
import { modelsQuery, type ModelsState, offerQuery } from './queries.ts';
import { agentCandidate, lockedBy, usesModel } from './words.ts';

const UseModel = latePart(() => import('./UseModel.tsx'));

/** What a part uses, and where that is no model the coding agent of this machine that it could ask. */
export interface AgentOffer {
  state: ModelsState | undefined;
  use: ModelUse | undefined;
  agent: FoundServer | undefined;
}

/** Looks for a coding agent only where a part uses no model, for who may choose one. */
export function useAgentOffer(part: ModelPart, isOwner: boolean): AgentOffer {
  const { data: state } = useQuery({ ...modelsQuery, enabled: isOwner, refetchInterval: false });
  const use = state?.uses.find((one) => one.part === part);
  const isWanted = use !== undefined && !usesModel(use) && lockedBy(use) === undefined;
  const found = useQuery({ ...offerQuery, enabled: isWanted });
  const agent = isWanted ? found.data?.servers.find(({ consent }) => consent !== null) : undefined;
  return { state, use, agent };
}

interface UseAgentProps {
  agent: FoundServer;
  state: ModelsState;
  /** What has the focus once it is used, and the button is gone. */
  focusAfter: string;
  look?: 'plain' | 'strong';
}

/** A button that leads to what is agreed to before a coding agent is asked. */
export function UseAgent({ agent, state, focusAfter, look = 'plain' }: UseAgentProps) {
  const [isOpen, setOpen] = useState(false);
  const button = useFocusAfter<HTMLSpanElement>(focusAfter);
  return (
    <span ref={button}>
      <Button look={look} onClick={() => setOpen(true)}>
        Use it<span className="sr-only"> ({serverTitles[agent.kind]})</span>
      </Button>
      {isOpen && (
        <Suspense fallback={null}>
          <UseModel candidate={agentCandidate(agent)} state={state} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </span>
  );
}
