import type { Strategy } from '@reverie/shared/contract/dream-strategies';
import type { DreamView } from '../dream-view.ts';
import type { Proposal } from '../proposal.ts';

/** Finds by structure alone, without a model. Pure over the view: the same view gives the same proposals in the same order, best first. */
export type Finder = (view: DreamView) => readonly Proposal[];

/** What is found by structure, by strategy; the others need a model, or a question. */
export type Finders = Readonly<Partial<Record<Strategy, Finder>>>;
