import type { FoundModel, FoundServer } from '@reverie/shared/contract/system/models';
import { z } from 'zod';
import type { Heard } from './ask-stranger.ts';
import { MOST_MODELS, nameOf, tokens, whole } from './fields.ts';

const Listed = z.object({
  models: z.array(
    z.object({
      type: z.enum(['llm', 'embedding']),
      key: nameOf,
      size_bytes: whole,
      max_context_length: tokens,
      loaded_instances: z.array(z.object({ config: z.object({ context_length: tokens }) })),
      capabilities: z.object({ trained_for_tool_use: z.boolean() }).nullish().catch(null),
    }),
  ),
});

const ListedBefore = z.object({
  data: z.array(
    z.object({
      id: nameOf,
      type: z.enum(['llm', 'vlm', 'embeddings']),
      state: z.string(),
      max_context_length: tokens,
      loaded_context_length: tokens,
      capabilities: z.array(z.string()).nullish().catch(null),
    }),
  ),
});

type Found = Omit<FoundServer, 'url' | 'consent'>;

/** An LM Studio from 0.4.0 on, by `GET /api/v1/models` (https://lmstudio.ai/docs/developer/rest/list); it tells no version. */
export function foundLmStudio(heard: Heard): Found | undefined {
  if (heard.kind !== 'said') return undefined;
  const listed = Listed.safeParse(heard.json).data;
  if (!listed) return undefined;
  return found(
    listed.models.map(({ type, key, size_bytes, max_context_length, loaded_instances, capabilities }) => ({
      name: key,
      bytes: size_bytes,
      context: loaded_instances[0]?.config.context_length ?? max_context_length,
      can: canOf(type === 'embedding', capabilities?.trained_for_tool_use === true),
    })),
  );
}

/** An LM Studio from 0.3.6 on, by `GET /api/v0/models` (https://lmstudio.ai/docs/developer/rest/endpoints). */
export function foundOlderLmStudio(heard: Heard): Found | undefined {
  if (heard.kind !== 'said') return undefined;
  const listed = ListedBefore.safeParse(heard.json).data;
  if (!listed) return undefined;
  return found(
    listed.data.map(({ id, type, max_context_length, loaded_context_length, capabilities }) => ({
      name: id,
      bytes: null,
      context: loaded_context_length ?? max_context_length,
      can: canOf(type === 'embeddings', capabilities?.includes('tool_use') === true),
    })),
  );
}

const Refusal = z.object({ error: z.union([z.string(), z.object({ message: z.string() })]) });

/** An LM Studio that wants a token (https://lmstudio.ai/docs/developer/core/authentication): it says so in words of its own. */
export function foundLockedLmStudio(heard: Heard): Found | undefined {
  if (heard.kind !== 'said' || heard.status !== 401) return undefined;
  const error = Refusal.safeParse(heard.json).data?.error;
  const message = typeof error === 'string' ? error : error?.message;
  if (message?.includes('LM Studio') !== true) return undefined;
  return { ...found([]), needs_key: true };
}

/** LM Studio keeps every model that talks to a schema (https://lmstudio.ai/docs/developer/openai-compat/structured-output). */
function canOf(embeds: boolean, tools: boolean): FoundModel['can'] {
  if (embeds) return ['vectors'];
  return tools ? ['chat', 'schema', 'tools'] : ['chat', 'schema'];
}

function found(models: FoundModel[]): Found {
  return { kind: 'lm-studio', version: null, models: models.slice(0, MOST_MODELS), needs_key: false };
}
