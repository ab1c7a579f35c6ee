import { z } from 'zod';
import { Key, limitOf, NamespaceOrDefault } from '../fields.ts';
import { route } from '../route.ts';

const tag = 'attachments';
const scope = 'read';

const AttachmentText = z
  .object({
    pages: z.int().describe('Pages with text'),
    characters: z.int(),
    left_out: z
      .enum(['encrypted', 'broken', 'empty', 'limit'])
      .optional()
      .describe(
        'Why there is no text, or not all: it wants a password, cannot be read, has pictures of pages alone, or goes on beyond 2,000 pages, 2,000,000 characters, or the time and memory that one file gets',
      ),
  })
  .meta({ id: 'AttachmentText' });

const Attachment = z
  .object({
    path: z.string().describe('Relative to the folder out of which it came, with `/`'),
    hash: z.string().describe('SHA-256 of its bytes, in hexadecimal: by it `attachments_get` answers them'),
    size: z.int().describe('Bytes'),
    type: z
      .enum([
        ...(['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif', 'image/svg+xml'] as const),
        'application/pdf',
      ])
      .describe('By what it holds, not by its name'),
    text: AttachmentText.optional().describe(
      'What search finds of it; missing where it is no PDF, or still to be read',
    ),
  })
  .meta({ id: 'Attachment' });

/** A picture or PDF below a folder that was not stored, or a PDF that was not read, or another file that a note names. */
export const AttachmentLeftOut = z
  .object({
    path: z.string(),
    reason: z
      .enum([
        ...(['not_named', 'too_large', 'other_type', 'link', 'unreadable', 'changed', 'duplicate'] as const),
        ...(['full', 'no_text'] as const),
      ])
      .describe(
        '`not_named`: no note names it. `other_type`: it is no picture and no PDF by what it holds. `link`: links are not followed. `changed`: it was written while it was read. `duplicate`: another folder of the namespace has a file at this path. `full`: all together would be too large. `no_text`: it is stored, and search finds nothing of it, or not all',
      ),
    detail: z.string(),
  })
  .meta({ id: 'AttachmentLeftOut' });
export type AttachmentLeftOut = z.infer<typeof AttachmentLeftOut>;

export const listAttachments = route({
  id: 'attachments_list',
  method: 'GET',
  weight: 'heavy',
  path: '/attachments',
  scope,
  reach: { can: ['read'], absent: ['query.namespace'] },
  tag,
  summary: 'Pictures and PDFs that the notes of a namespace brought from their folder',
  query: z.strictObject({
    namespace: NamespaceOrDefault,
    after: z.string().max(4096).optional().describe('`next` of the page before'),
    limit: limitOf(1000, 1000),
  }),
  status: 200,
  response: z.object({
    attachments: z.array(Attachment).describe('In the order of their paths'),
    next: z.string().nullable().describe('`after` for the next page; null at the end'),
  }),
  problems: [],
});

export const memoryAttachments = route({
  id: 'memory_attachments',
  method: 'GET',
  weight: 'heavy',
  path: '/memory/attachments',
  scope,
  reach: { can: ['read'], absent: ['query.namespace'] },
  tag,
  summary: 'Pictures and PDFs that a memory names',
  description:
    '`![[picture.png]]`, `![](folder/picture.png)` and `[[paper.pdf]]` lead to files of the folder out of which the notes of the namespace came, as links lead to notes.',
  query: z.strictObject({ key: Key, namespace: NamespaceOrDefault }),
  status: 200,
  response: z.object({
    attachments: z
      .array(
        Attachment.extend({ link: z.string().describe('What the link names, as written, decoded') }).meta({
          id: 'LinkedAttachment',
        }),
      )
      .describe('What it names and is there, each link once; at most 1,000'),
  }),
  problems: ['memory_not_found'],
});

export const getAttachment = route({
  id: 'attachments_get',
  method: 'GET',
  path: '/attachments/{hash}',
  scope,
  reach: { can: ['read'], absent: ['query.namespace'] },
  tag,
  summary: 'The bytes of a picture or PDF',
  description:
    'With the type that its bytes have, the hash as `ETag`, and a policy by which nothing of it runs. 404 for whatever the namespace does not have.',
  params: z.strictObject({
    hash: z.string().regex(/^[\da-f]{64}$/u, 'must be 64 digits of hexadecimal, as `hash` of an attachment'),
  }),
  query: z.strictObject({ namespace: NamespaceOrDefault }),
  status: 200,
  answers: 'file',
  response: z.instanceof(Blob).meta({ override: { type: 'string', format: 'binary' } }),
  problems: ['not_found'],
});
