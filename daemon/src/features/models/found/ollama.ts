import type { FoundModel, FoundServer } from '@reverie/shared/contract/system/models';
import { z } from 'zod';
import type { AskStranger, Heard } from './ask-stranger.ts';
import { MOST_MODELS, nameOf, tokens, whole } from './fields.ts';

const Version = z.object({ version: z.string().max(100) });

const Tags = z.object({
  models: z.array(
    z.object({
      name: nameOf,
      size: whole,
      // Newer versions say both at once; a model that runs elsewhere names its host.
      details: z.object({ context_length: tokens }).nullish().catch(null),
      capabilities: z.array(z.string()).nullish().catch(null),
      remote_host: z.string().nullish().catch(null),
      remote_model: z.string().nullish().catch(null),
    }),
  ),
});
type Tag = z.infer<typeof Tags>['models'][number];

const Show = z.object({
  model_info: z.record(z.string(), z.unknown()).catch({}),
  capabilities: z.array(z.string()).nullish().catch(null),
});

const Loaded = z.object({ models: z.array(z.object({ name: nameOf, context_length: tokens })) });

/** The version of an Ollama that answered `GET /api/version`; undefined where that was something else. */
export function ollamaVersion(heard: Heard): string | undefined {
  return heard.kind === 'said' && heard.status === 200
    ? Version.safeParse(heard.json).data?.version
    : undefined;
}

/**
 * What an Ollama has, by `/api/tags` (https://github.com/ollama/ollama/blob/main/docs/api.md); undefined where the list is not
 * Ollama's. Its context is what a loaded model was given (`/api/ps`), else what the model could read: Ollama gives less of it to small
 * machines (docs/context-length.mdx). Models that it passes on to another host are left out, for they are not on this machine.
 */
export async function foundOllama(
  ask: AskStranger,
  version: string,
): Promise<Omit<FoundServer, 'url' | 'consent'> | undefined> {
  const [tags, ps] = await Promise.all([ask('/api/tags'), ask('/api/ps')]);
  const listed = Tags.safeParse(jsonOf(tags));
  if (!listed.success) return undefined;
  const loaded = new Map(
    Loaded.safeParse(jsonOf(ps)).data?.models.map(({ name, context_length }) => [name, context_length]),
  );
  const here = listed.data.models
    .filter(({ remote_host, remote_model }) => !remote_host && !remote_model)
    .slice(0, MOST_MODELS);
  const models = await Promise.all(
    here.map(async (tag): Promise<FoundModel> => {
      const { capabilities, context } = await abilitiesOf(ask, tag);
      return {
        name: tag.name,
        bytes: tag.size,
        context: loaded.get(tag.name) ?? context,
        can: canOf(capabilities, tag.name),
      };
    }),
  );
  return { kind: 'ollama', version, models, needs_key: false };
}

/** What the list says of a model, or, before version 0.12, what `/api/show` says. */
async function abilitiesOf(
  ask: AskStranger,
  tag: Tag,
): Promise<{ capabilities: string[] | null; context: number | null }> {
  const context = tag.details?.context_length ?? null;
  if (tag.capabilities) return { capabilities: tag.capabilities, context };
  const shown = Show.safeParse(jsonOf(await ask('/api/show', { model: tag.name }))).data;
  if (!shown) return { capabilities: null, context };
  const { model_info: info, capabilities } = shown;
  const length = tokens.parse(info[`${String(info['general.architecture'])}.context_length`]);
  return { capabilities: capabilities ?? null, context: context ?? length };
}

/** Ollama keeps every model that talks to a schema (`format`). Before version 0.6.4 the name has to tell one that embeds. */
function canOf(capabilities: readonly string[] | null, name: string): FoundModel['can'] {
  if (capabilities === null) return /embed/iu.test(name) ? ['vectors'] : ['chat', 'schema'];
  return [
    ...(capabilities.includes('completion') ? (['chat', 'schema'] as const) : []),
    ...(capabilities.includes('tools') ? (['tools'] as const) : []),
    ...(capabilities.includes('embedding') ? (['vectors'] as const) : []),
  ];
}

function jsonOf(heard: Heard): unknown {
  return heard.kind === 'said' && heard.status === 200 ? heard.json : undefined;
}
