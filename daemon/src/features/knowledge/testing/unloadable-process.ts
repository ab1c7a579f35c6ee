import { setInterval } from 'node:timers';

// A process whose parsers are never loaded: it says nothing, and does not end.
setInterval(() => undefined, 1_000);
