export { type Clock, systemClock } from '@reverie/shared/time/clock';

/** Whatever starts returns how to stop it. */
export type Stop = () => void;
