import { EVERY_NAMESPACE } from '@reverie/shared/contract/fields';
import { useQuery } from '@tanstack/react-query';
import css from './NamespaceDot.module.css';
import { namespacesQuery } from './queries.ts';

/** The face of a namespace, beside its name: its sign on its colour, else a dot of it; a ring for every one. */
export function NamespaceDot({ of }: { of: string }) {
  // What the page has fetched anyway: a row asks for nothing of its own.
  const { data } = useQuery({ ...namespacesQuery, enabled: false });
  const face = data?.find(({ namespace }) => namespace === of);
  return <Face colour={of === EVERY_NAMESPACE ? 'every' : face?.colour} sign={face?.sign} />;
}

/** A face as it is, or as it would be. */
export function Face({ colour = 'none', sign }: { colour?: string | undefined; sign?: string | undefined }) {
  return (
    <span className={css['face']} data-colour={colour} data-sign={sign !== undefined} aria-hidden="true">
      {sign}
    </span>
  );
}
