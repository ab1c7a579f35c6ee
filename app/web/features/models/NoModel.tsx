import { type ModelPart, serverTitles } from '@reverie/shared/contract/system/models';
import { Link } from '@tanstack/react-router';
import css from './NoModel.module.css';
import { UseAgent, useAgentOffer } from './UseAgent.tsx';
import { usesModel } from './words.ts';

const LINES: Readonly<Record<Exclude<ModelPart, 'vectors'>, string>> = {
  ask: 'No language model is used for questions.',
  dreams: 'No language model is used for dreams.',
};

interface NoModelProps {
  part: keyof typeof LINES;
  isOwner: boolean;
  /** What has the focus after this line has gone. */
  focusAfter: string;
}

/** One quiet line where a part uses no model, with the way to one: the coding agent of this machine first. Nothing for who may not choose it. */
export function NoModel({ part, isOwner, focusAfter }: NoModelProps) {
  const { state, use, agent } = useAgentOffer(part, isOwner);
  if (!state || !use || usesModel(use)) return null;
  return (
    <div className={css['line']}>
      <span>{LINES[part]}</span>
      {agent && (
        <>
          <span>{serverTitles[agent.kind]} is on this machine.</span>
          <UseAgent agent={agent} state={state} focusAfter={focusAfter} />
        </>
      )}
      <Link to="/models">What one would change</Link>
    </div>
  );
}
