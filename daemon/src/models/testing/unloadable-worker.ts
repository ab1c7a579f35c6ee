import { setInterval } from 'node:timers';

// A thread that says nothing, and does not end.
setInterval(() => undefined, 1_000);
