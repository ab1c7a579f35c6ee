import { z } from 'zod';
import { checkEmail } from '../accounts/email.ts';

/** An e-mail address, as it is counted and written to. */
export const Email = z
  .string({ error: (issue) => (issue.input === undefined ? 'is required' : 'must be a string') })
  .transform((given, context) => {
    const checked = checkEmail(given);
    if (checked.ok) return checked.email;
    context.addIssue({ code: 'custom', message: checked.message });
    return z.NEVER;
  })
  .meta({ format: 'email', maxLength: 254 });
