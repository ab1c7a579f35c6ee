import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type FoundServer, OfferedModel } from '@reverie/shared/contract/system/models';
import { z } from 'zod';

const FILE = join(import.meta.dirname, '../../../../data/models/offered.json');

/** The list in `daemon/data/models/offered.json`; each row says where its size and licence are from. */
const List = z.array(OfferedModel.extend({ source: z.string().min(1) }).strict()).min(1);

let read: OfferedModel[] | undefined;

/** What Ollama can pull, the best first. */
export function offeredModels(): readonly OfferedModel[] {
  read ??= List.parse(JSON.parse(readFileSync(FILE, 'utf8'))).map(({ source: _, ...model }) => model);
  return read;
}

/** What is offered and not had yet by any Ollama that was found. */
export function stillOffered(servers: readonly FoundServer[]): OfferedModel[] {
  const had = new Set(
    servers.filter(({ kind }) => kind === 'ollama').flatMap(({ models }) => models.map(({ name }) => name)),
  );
  return offeredModels().filter(({ name }) => !had.has(withTag(name)));
}

/** A model's name as Ollama lists it: one without a tag gets `:latest`. */
export function withTag(name: string): string {
  return name.includes(':') ? name : `${name}:latest`;
}
