import { serveExtractor } from './extraction-host.ts';

// Loaded in here, so that what cannot be loaded is told.
serveExtractor(async () => (await import('./extract.ts')).loadExtractor());
