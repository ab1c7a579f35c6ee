import { serveExtractor } from '../extraction-host.ts';

// A process whose parsers are not there.
serveExtractor(() => Promise.reject(new Error('the parsers cannot be loaded')));
