import { EVERY_NAMESPACE } from '@reverie/shared/contract/fields';
import css from './NamespaceDot.module.css';
import { hueOf } from './queries.ts';

/** The colour of a namespace, beside its name; a ring for every one. */
export function NamespaceDot({ of }: { of: string }) {
  return <span className={css['dot']} data-hue={of === EVERY_NAMESPACE ? 'all' : hueOf(of)} />;
}
