import type { FoundModel, FoundServer } from '@reverie/shared/contract/system/models';
import { z } from 'zod';
import type { AskStranger, Heard } from './ask-stranger.ts';
import { MOST_MODELS, nameOf, tokens, whole } from './fields.ts';

const Listed = z.object({
  object: z.literal('list'),
  data: z.array(
    z.object({
      id: nameOf,
      owned_by: z.string().nullish().catch(null),
      /** vLLM's. */
      max_model_len: tokens,
      /** llama.cpp's; null while the model is loaded. */
      meta: z.object({ n_ctx: tokens, n_ctx_train: tokens, size: whole }).nullish().catch(null),
    }),
  ),
});
type Entry = z.infer<typeof Listed>['data'][number];

const Loading = z.object({ error: z.object({ code: z.literal(503), type: z.literal('unavailable_error') }) });
const Props = z.object({
  default_generation_settings: z.object({ n_ctx: tokens }),
  build_info: z.string().max(100).nullish().catch(null),
  chat_template_caps: z.object({ supports_tools: z.boolean() }).nullish().catch(null),
});
const Version = z.object({ version: z.string().max(100) });
const Refusal = z.object({ error: z.object({ message: z.string() }) });
const Unauthorized = z.object({ error: z.literal('Unauthorized') });

type Found = Omit<FoundServer, 'url' | 'consent'>;

/**
 * A server with OpenAI's list of models, by what `GET /v1/models` answered: llama.cpp and vLLM sign theirs, any other is just
 * compatible. Undefined where it is none; a reply that only wants a key is one where it has the form of OpenAI's errors, or vLLM's.
 */
export async function foundByList(ask: AskStranger, heard: Heard): Promise<Found | undefined> {
  if (heard.kind !== 'said') return undefined;
  if (heard.status === 401 || heard.status === 403) return foundLocked(ask, heard);
  // llama.cpp answers every path in this way until its model is there.
  if (heard.status === 503)
    return Loading.safeParse(heard.json).success ? server('llama-cpp', []) : undefined;
  const listed = heard.status === 200 ? Listed.safeParse(heard.json).data : undefined;
  if (!listed) return undefined;
  const entries = listed.data.slice(0, MOST_MODELS);
  if (entries.some(({ owned_by }) => owned_by === 'llamacpp')) return foundLlamaCpp(ask, entries);
  if (entries.some(({ owned_by }) => owned_by === 'vllm')) return foundVllm(ask, entries);
  if (entries.some(({ owned_by }) => owned_by === 'organization_owner'))
    return server('lm-studio', plain(entries));
  return server('openai-compatible', plain(entries));
}

/**
 * llama.cpp's server (https://github.com/ggml-org/llama.cpp/blob/master/tools/server/README.md): its list is open to all, `/props` wants
 * the key where there is one. It does not tell whether its model embeds, so the name has to.
 */
async function foundLlamaCpp(ask: AskStranger, entries: readonly Entry[]): Promise<Found> {
  const heard = await ask('/props');
  const props = heard.kind === 'said' && heard.status === 200 ? Props.safeParse(heard.json).data : undefined;
  const models = entries.map(({ id, meta }) => ({
    name: id,
    bytes: meta?.size ?? null,
    context: props?.default_generation_settings.n_ctx ?? meta?.n_ctx ?? meta?.n_ctx_train ?? null,
    can: canOf(id, props?.chat_template_caps?.supports_tools === true ? ['schema', 'tools'] : ['schema']),
  }));
  const isLocked = heard.kind === 'said' && heard.status === 401;
  return { ...server('llama-cpp', models), version: props?.build_info ?? null, needs_key: isLocked };
}

/** vLLM (https://docs.vllm.ai/en/latest/serving/openai_compatible_server.html): a limit on the list, the version apart from it. */
async function foundVllm(ask: AskStranger, entries: readonly Entry[]): Promise<Found> {
  const models = entries.map(({ id, max_model_len }) => ({
    name: id,
    bytes: null,
    context: max_model_len,
    can: canOf(id, ['schema']),
  }));
  return { ...server('vllm', models), version: await versionOf(ask) };
}

/** vLLM guards what is below /v1 alone, so that its version is told to all. */
async function foundLocked(
  ask: AskStranger,
  { json }: Extract<Heard, { kind: 'said' }>,
): Promise<Found | undefined> {
  if (Refusal.safeParse(json).success) return { ...server('openai-compatible', []), needs_key: true };
  if (!Unauthorized.safeParse(json).success) return undefined;
  const version = await versionOf(ask);
  return version === null ? undefined : { ...server('vllm', []), version, needs_key: true };
}

async function versionOf(ask: AskStranger): Promise<string | null> {
  const heard = await ask('/version');
  const said = heard.kind === 'said' && heard.status === 200 ? Version.safeParse(heard.json).data : undefined;
  return said?.version ?? null;
}

/** Nothing in the list tells what a model is for: its name is the last resort. */
function plain(entries: readonly Entry[]): FoundModel[] {
  return entries.map(({ id }) => ({ name: id, bytes: null, context: null, can: canOf(id, []) }));
}

function canOf(name: string, more: FoundModel['can']): FoundModel['can'] {
  return /embed/iu.test(name) ? ['vectors'] : ['chat', ...more];
}

function server(kind: FoundServer['kind'], models: FoundModel[]): Found {
  return { kind, version: null, models, needs_key: false };
}
