import { isLookAlike } from './look-alike.ts';

/** Octets of an address at most: what SMTP carries between angle brackets (RFC 5321, erratum 1690). */
export const MAX_EMAIL_BYTES = 254;
const MAX_LOCAL_BYTES = 64;

/** What browsers take for `<input type="email">` (WHATWG), with at least two labels in the domain. */
const LOCAL = /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/;
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/;
const NOT_ASCII = /[^\u0000-\u007f]/;

export type CheckedEmail = { ok: true; email: string } | { ok: false; message: string };

const wrong = (message: string): CheckedEmail => ({ ok: false, message });

/**
 * An e-mail address as it is counted and written to: without spaces around it, in lower case. What is
 * refused is told in words that follow the name of the field. Line ends never pass, so that no address
 * can add a header to a mail; nor do letters that look like others, for people read these addresses.
 */
export function checkEmail(given: string): CheckedEmail {
  const email = given.replaceAll(/^ +| +$/g, '').toLowerCase();
  if (email === '') return wrong('is empty; allowed: an e-mail address');
  if (CONTROL.test(given))
    return wrong('has a control character; allowed: one e-mail address and nothing else');
  const at = email.lastIndexOf('@');
  if (at < 1) return wrong('is not an e-mail address; allowed: one such as you@example.org');
  const [local, domain] = [email.slice(0, at), email.slice(at + 1)];
  if (NOT_ASCII.test(local))
    return wrong('has letters beyond ASCII before the @, which can look like others; allowed: ASCII');
  if (NOT_ASCII.test(domain))
    return wrong(
      'has letters beyond ASCII in its domain, which can look like others; give the domain in its ASCII form (xn--…)',
    );
  if (email.length > MAX_EMAIL_BYTES || local.length > MAX_LOCAL_BYTES)
    return wrong(`is too long; allowed: ${MAX_EMAIL_BYTES} bytes in all and ${MAX_LOCAL_BYTES} before the @`);
  const labels = domain.split('.');
  const isAddress = LOCAL.test(local) && labels.length > 1 && labels.every((label) => LABEL.test(label));
  if (!isAddress || /^\d+$/.test(labels.at(-1) ?? ''))
    return wrong('is not an e-mail address; allowed: one such as you@example.org');
  if (labels.some(isLookAlike))
    return wrong(
      'has a domain that looks like another one: its letters are of several scripts, or stand for Latin ones',
    );
  return { ok: true, email };
}
