import type { SessionFormat } from './format.ts';

export const sessionFormats: readonly SessionFormat[] = [];
