/** The content security policy of the page, whoever serves it: its own parts alone, no plugin, nothing inline. */
export const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  // The one below: every other page of ours refuses to be framed.
  "frame-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Where the page that draws diagrams is served, for a frame of the page. */
export const DIAGRAMS_AT = '/diagram.html';

/** It has no origin and loads nothing. Styles in it are its own business; of scripts a policy within it allows the one that it came with, by its hash. */
const DIAGRAMS_POLICY = [
  'sandbox allow-scripts',
  "default-src 'none'",
  "script-src 'unsafe-inline'",
  "style-src 'unsafe-inline'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'self'",
].join('; ');

/** What a part of the page carries, by its path. */
export function pageHeaders(path: string): Record<string, string> {
  const isForDiagrams = path === DIAGRAMS_AT;
  return {
    'Content-Security-Policy': isForDiagrams ? DIAGRAMS_POLICY : PAGE_POLICY,
    'X-Frame-Options': isForDiagrams ? 'SAMEORIGIN' : 'DENY',
    'Referrer-Policy': 'no-referrer',
  };
}
