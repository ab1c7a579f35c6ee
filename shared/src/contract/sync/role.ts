import { z } from 'zod';

/** What a member may do in a namespace. */
export const roles = ['owner', 'editor', 'viewer'] as const;
export const Role = z.enum(roles);
