// The routes of memories under one noun; the page loads that of their keys later than the others.
export * from '../contract/memories/memories.ts';
export * from '../contract/memories/memory-keys.ts';
