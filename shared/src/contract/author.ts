import { z } from 'zod';

/** The e-mail address of a person, as a key of scope owner is told it; a narrower one is told the name in it. */
export const PersonAddress = z
  .string()
  .describe('E-mail address; a key of scope read or write is told what stands before the @ only');

/** The name in an e-mail address: what stands before the last @. */
export function nameInAddress(address: string): string {
  const at = address.lastIndexOf('@');
  return at < 0 ? address : address.slice(0, at);
}

/** Who wrote something, and where: a person who shares it, or another device of one's own. */
export const Author = z
  .object({
    id: z.string().nullable().describe('The device, as sync knows it; null while this machine is not linked'),
    person: PersonAddress.nullable(),
    device: z.string().nullable().describe('Name of the device; null where it is not known, or not linked'),
    self: z.boolean().describe('Whether it was written by yourself, here or on another device'),
  })
  .meta({ id: 'Author' });
export type Author = z.infer<typeof Author>;

/** Says who wrote something in a few words: `you on laptop`, `bob@example.org on desk`. */
export function authorName({ person, device, self }: Author): string {
  const who = self ? 'you' : (person ?? 'somebody who left');
  return device === null ? who : `${who} on ${device}`;
}

/** The same as the subject of a sentence; an e-mail address is written as it is. */
export function authorSubject(author: Author): string {
  const name = authorName(author);
  return author.self || author.person === null ? name.charAt(0).toUpperCase() + name.slice(1) : name;
}

/** Says whose a version is: `yours (laptop)`, `that of bob@example.org (desk)`. */
export function authorOwns({ person, device, self }: Author): string {
  const whose = self ? 'yours' : `that of ${person ?? 'somebody who left'}`;
  return device === null ? whose : `${whose} (${device})`;
}
