import type { FoundServer } from '@reverie/shared/contract/system/models';
import { askStranger, type Patience } from './ask-stranger.ts';
import { foundLmStudio, foundLockedLmStudio, foundOlderLmStudio } from './lm-studio.ts';
import { foundOllama, ollamaVersion } from './ollama.ts';
import { foundByList } from './openai-list.ts';

/** Asks all places side by side; those where a model server answers, in the order of the places. */
export async function findServers(places: readonly string[], patience?: Patience): Promise<FoundServer[]> {
  const found = await Promise.all(places.map((place) => findServer(place, patience)));
  return found.filter((server) => server !== undefined);
}

/** The model server at an address, told by the shape of its answers; undefined where there is none. */
export async function findServer(url: string, patience?: Patience): Promise<FoundServer | undefined> {
  const ask = askStranger(url, patience);
  const first = await ask('/api/version');
  // What does not answer this does not answer anything in time.
  if (first.kind === 'nothing') return undefined;
  const version = ollamaVersion(first);
  const ollama = version === undefined ? undefined : await foundOllama(ask, version);
  if (ollama) return { ...ollama, url, consent: null };
  const [list, older, openAi] = await Promise.all([
    ask('/api/v1/models'),
    ask('/api/v0/models'),
    ask('/v1/models'),
  ]);
  const found =
    foundLmStudio(list) ??
    foundOlderLmStudio(older) ??
    foundLockedLmStudio(openAi) ??
    (await foundByList(ask, openAi));
  return found && { ...found, url, consent: null };
}
