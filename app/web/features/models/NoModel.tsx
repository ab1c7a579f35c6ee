import type { ModelPart } from '@reverie/shared/contract/models';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { modelsQuery } from './queries.ts';
import css from './NoModel.module.css';
import { usesModel } from './words.ts';

const LINES: Readonly<Record<Exclude<ModelPart, 'vectors'>, string>> = {
  ask: 'No language model is used for questions.',
  dreams: 'No language model is used for dreams.',
};

/** One quiet line where a part uses no model, with the way to one; nothing for who may not choose it. */
export function NoModel({ part, isOwner }: { part: keyof typeof LINES; isOwner: boolean }) {
  const { data } = useQuery({ ...modelsQuery, enabled: isOwner, refetchInterval: false });
  const use = data?.uses.find((one) => one.part === part);
  if (!use || usesModel(use)) return null;
  return (
    <p className={css['line']}>
      {LINES[part]} <Link to="/models">What one would change</Link>
    </p>
  );
}
