import { ContentTypeNotSupportedError, RequestMalformedError } from '@a2a-js/sdk/errors';
import { askMemory } from '@reverie/shared/contract/search/ask';
import { startDream } from '@reverie/shared/contract/dreams/dreams';
import { Namespace } from '@reverie/shared/contract/fields';
import { leaveOutNulls } from '@reverie/shared/contract/nulls-left-out';
import { inPlainWords } from '@reverie/shared/contract/plain-words';
import { z } from 'zod';
import { MEDIA_TYPES } from './card.ts';

const Part = z.looseObject({
  text: z.string().optional(),
  data: z.unknown().optional(),
  raw: z.unknown().optional(),
  url: z.unknown().optional(),
  mediaType: z.string().max(256).optional(),
});

const Id = z.string().min(1).max(200);

/** What `SendMessage` takes, as far as it is read here (section 3.2.1 of the specification). */
export const SendMessageParams = z.looseObject({
  message: z.looseObject({
    messageId: Id,
    role: z.literal('ROLE_USER'),
    parts: z.array(Part).min(1).max(100),
    contextId: z.string().max(200).optional(),
    taskId: z.string().max(200).optional(),
    metadata: z.looseObject({ namespace: Namespace.optional() }).nullish(),
  }),
  configuration: z
    .looseObject({
      acceptedOutputModes: z.array(z.string().max(256)).max(100).optional(),
      historyLength: z.int().min(0).optional(),
      returnImmediately: z.boolean().optional(),
    })
    .nullish(),
});
export type UserMessage = z.infer<typeof SendMessageParams>['message'];

const Skill = z.looseObject({ skill: z.enum(['ask', 'dream']) });

/** What a message asks for. */
export type Instruction =
  | { skill: 'ask'; body: z.output<typeof askMemory.body> }
  | { skill: 'dream'; body: z.output<typeof startDream.body> };

/** Reads what a message asks for. Throws what A2A answers to one that cannot be read. */
export function readInstruction({ parts, metadata }: UserMessage): Instruction {
  for (const part of parts) refuseForeign(part);
  const question = parts
    .flatMap(({ text }) => text ?? [])
    .join('\n')
    .trim();
  const datas = parts.flatMap(({ data }) => (data === undefined ? [] : [data]));
  if (datas.length > 1) throw new RequestMalformedError('A message has one data part at most');
  const there = metadata?.namespace === undefined ? {} : { namespace: metadata.namespace };
  if (datas.length === 0)
    return /^dream[.!]?$/i.test(question)
      ? { skill: 'dream', body: parse(startDream.body, there) }
      : { skill: 'ask', body: parse(askMemory.body, { question, ...there }) };
  const { skill, ...said } = parse(Skill, datas[0]);
  if (skill === 'dream') return { skill, body: parse(startDream.body, { ...there, ...said }) };
  const asked = question === '' ? {} : { question };
  return { skill, body: parse(askMemory.body, { ...asked, ...there, ...said }) };
}

function refuseForeign({ text, data, raw, url, mediaType = '' }: z.infer<typeof Part>): void {
  if (raw !== undefined || url !== undefined)
    throw new ContentTypeNotSupportedError('Files are not read; send text, or JSON as a data part');
  if ((text === undefined) === (data === undefined))
    throw new RequestMalformedError('A part has either `text` or `data`');
  const [type = ''] = mediaType.split(';', 1);
  if (type !== '' && !MEDIA_TYPES.some((known) => known === type.trim().toLowerCase()))
    throw new ContentTypeNotSupportedError(
      `${JSON.stringify(mediaType)} is not read; send ${MEDIA_TYPES.join(' or ')}`,
    );
}

/** Parses what came in. Throws `RequestMalformedError` that names the first wrong fields. */
export function parse<S extends z.ZodType>(schema: S, given: unknown): z.output<S> {
  const result = schema.safeParse(leaveOutNulls(schema, given), { error: inPlainWords });
  if (result.success) return result.data;
  const wrong = result.error.issues
    .slice(0, 5)
    .map(({ path, message }) => `${path.map(String).join('.') || 'it'} ${message}`);
  throw new RequestMalformedError(wrong.join('; '));
}
