import { z } from 'zod';

/** The limits of the interface; sizes in bytes of UTF-8 unless the name says otherwise. */
export const limits = {
  keyBytes: 512,
  namespaceBytes: 128,
  valueBytes: 1024 * 1024,
  metadataBytes: 64 * 1024,
  metadataDepth: 16,
  batchItems: 1000,
  batchBytes: 16 * 1024 * 1024,
  listMax: 1000,
  listDefault: 50,
  keysMax: 10_000,
  searchMax: 200,
  searchDefault: 10,
  queryBytes: 8192,
  wordings: 7,
} as const;

const utf8 = new TextEncoder();

/** Bytes that a text takes in UTF-8. */
export function byteLength(text: string): number {
  return utf8.encode(text).length;
}

const CONTROL = /[\u0000-\u001f\u007f-\u009f]/;

function shown(value: string): string {
  const cut = value.length > 60 ? `${value.slice(0, 60)}…` : value;
  return JSON.stringify(cut);
}

interface TextRule {
  what: string;
  maxBytes: number;
  /** Above the limit it is content that is too large (413), not a wrong field (400). */
  content?: true;
  control?: 'allowed';
  refused?: readonly string[];
}

/** Marks an issue that is answered 413, when nothing else is wrong. */
export const TOO_LARGE = { tooLarge: true } as const;

/** A non-empty text of at most `maxBytes` bytes of UTF-8; its errors name the value and what is allowed. */
function text({ what, maxBytes, content, control, refused = [] }: TextRule) {
  return z
    .string({
      error: (issue) => (issue.input === undefined ? `is required: ${what}` : `must be a string: ${what}`),
    })
    .superRefine((value, context) => {
      const refuse = (message: string) => context.addIssue({ code: 'custom', message });
      if (value.length === 0) return refuse(`is empty; allowed: ${what}`);
      // Three bytes are the most that one UTF-16 unit takes: only texts near the limit need counting.
      if (value.length * 3 > maxBytes) {
        const bytes = byteLength(value);
        const message = `${shown(value)} has ${bytes} bytes; allowed: ${what}`;
        if (bytes > maxBytes && content)
          return context.addIssue({ code: 'custom', message, params: TOO_LARGE });
        if (bytes > maxBytes) return refuse(message);
      }
      if (!value.isWellFormed())
        return refuse(`${shown(value)} has a lone surrogate, which UTF-8 cannot hold; allowed: ${what}`);
      if (control !== 'allowed' && CONTROL.test(value))
        return refuse(`${shown(value)} has a control character; allowed: ${what}`);
      if (refused.includes(value)) return refuse(`${shown(value)} is reserved; allowed: ${what}`);
    })
    .meta({ minLength: 1, maxLength: maxBytes, description: what });
}

export const Key = text({
  what: '1 to 512 bytes of UTF-8 without control characters',
  maxBytes: limits.keyBytes,
});

/** In the `namespace` of search, ask and list: every namespace of the account that the key may read. */
export const EVERY_NAMESPACE = '*';

const NAMESPACE = {
  what: '1 to 128 bytes of UTF-8 without control characters, not "." or ".."',
  maxBytes: limits.namespaceBytes,
  refused: ['.', '..'],
} as const;

/** One namespace, `*` among them: that was a name like any other before it came to mean every namespace. */
export const NamespaceOfOld = text(NAMESPACE);

/** One namespace. */
export const Namespace = NamespaceOfOld.refine((name) => name !== EVERY_NAMESPACE, {
  error: '"*" means every namespace, which search, ask and list alone take; name one here',
}).meta({
  ...NamespaceOfOld.meta(),
  description: `${NAMESPACE.what}, and not "*"`,
});

/** The namespace of a request; `default` where it is omitted. */
export const NamespaceOrDefault = Namespace.default('default');

/** One namespace, or `*` for every one that the key may read. */
export const NamespaceOrEvery = NamespaceOfOld.meta({
  ...NamespaceOfOld.meta(),
  description: `${NAMESPACE.what}; "*" is every namespace of the account that the key may read`,
});

export const Value = text({
  what: '1 byte to 1 MiB of UTF-8',
  maxBytes: limits.valueBytes,
  content: true,
  control: 'allowed',
});

export const Query = text({
  what: '1 to 8192 bytes of UTF-8',
  maxBytes: limits.queryBytes,
  control: 'allowed',
});

/** What a score by another wording than the query's own is worth (docs/decisions/0032). */
export const WORDING_WORTH = 0.95;

/** Further wordings of a query or a question, beside it. */
export const Wordings = z
  .array(Query)
  .max(limits.wordings, {
    error: `has more than ${limits.wordings} wordings; allowed: up to ${limits.wordings} beside the query or question itself`,
  })
  .default([]);

/** Levels of nesting of a JSON value: 1 for `{}`, 2 for `{a: {}}`; counting stops above `cap`. */
function depthOf(value: unknown, cap: number): number {
  if (typeof value !== 'object' || value === null) return 0;
  if (cap === 0) return 1;
  let deepest = 0;
  for (const inner of Object.values(value)) deepest = Math.max(deepest, depthOf(inner, cap - 1));
  return deepest + 1;
}

export type JsonObject = Record<string, unknown>;

export const Metadata = z
  .record(z.string(), z.unknown(), { error: 'must be a JSON object' })
  .superRefine((value, context) => {
    if (depthOf(value, limits.metadataDepth + 1) > limits.metadataDepth) {
      context.addIssue({ code: 'custom', message: `is nested deeper than ${limits.metadataDepth} levels` });
      return;
    }
    const serialised = JSON.stringify(value);
    const bytes = byteLength(serialised);
    if (bytes > limits.metadataBytes)
      context.addIssue({
        code: 'custom',
        message: `has ${bytes} bytes serialised; allowed: ${limits.metadataBytes}`,
        params: TOO_LARGE,
      });
    if (/\\ud[89a-f]/i.test(serialised) && !wellFormed(value))
      context.addIssue({ code: 'custom', message: 'has a lone surrogate, which UTF-8 cannot hold' });
  })
  .meta({ description: 'A JSON object of at most 64 KiB serialised and 16 levels' });

function wellFormed(value: unknown): boolean {
  if (typeof value === 'string') return value.isWellFormed();
  if (typeof value !== 'object' || value === null) return true;
  return Object.entries(value).every(([name, inner]) => name.isWellFormed() && wellFormed(inner));
}

/** RFC 3339 with milliseconds, in UTC: `2026-11-20T09:30:00.000Z`. */
export const DateTime = z.iso
  .datetime({
    offset: true,
    error: wrongValue('a date and time of RFC 3339, such as 2026-11-20T09:30:00.000Z'),
  })
  .meta({ format: 'date-time' });

/** The day that a memory gives itself, the same in every zone: `2026-09-14`. */
export const NotedAt = z.iso
  .date()
  .optional()
  .describe(
    'The day that it gives itself, the same in every zone: in its name (`2026-09-14.md`, `14.09.2026 …`, `2026_09_14`, `20260914`), a property (`date:`, `created:` …), or its first heading. Missing where it gives none',
  );

/** A date-time of a request, in the form that is stored: UTC with milliseconds. */
export const DateTimeInput = DateTime.transform((given) => new Date(given).toISOString());

/** A page size: whole, at least 1; above `max` it is lowered to it. */
export function limitOf(max: number, fallback: number) {
  return WholeFromOne.default(fallback).transform((given) => Math.min(given, max));
}

export const WholeFromOne = z
  .number({ error: wrongValue('a whole number of at least 1') })
  .int({ error: wrongValue('a whole number of at least 1') })
  .min(1, { error: wrongValue('a whole number of at least 1') });

export const WholeFromZero = z
  .number({ error: wrongValue('a whole number of at least 0') })
  .int({ error: wrongValue('a whole number of at least 0') })
  .min(0, { error: wrongValue('a whole number of at least 0') });

export const Threshold = z
  .number({ error: wrongValue('a number from 0 to 1') })
  .min(0, { error: wrongValue('a number from 0 to 1') })
  .max(1, { error: wrongValue('a number from 0 to 1') });

export const TrueOrFalse = z.boolean({ error: wrongValue('true or false') });

function wrongValue(allowed: string) {
  return ({ input }: { input?: unknown }) => {
    const written = typeof input === 'string' ? shown(input) : (JSON.stringify(input) ?? 'missing');
    return `is ${written}; must be ${allowed}`;
  };
}

/** The same schema for a query string, where every number comes as text. */
export function inQuery<T extends z.ZodType>(schema: T) {
  return z.preprocess((given) => {
    const number = typeof given === 'string' && given.trim() !== '' ? Number(given) : NaN;
    // What is no number stays as it was written, for the error to name it.
    return Number.isNaN(number) ? given : number;
  }, schema);
}

/** How long a link that invites is good, in seconds: a week where nothing is said, a month at most. */
export const InviteSeconds = z
  .int()
  .min(60)
  .max(30 * 86_400)
  .default(7 * 86_400);
