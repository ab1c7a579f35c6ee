const LEADS_OUT = new Set(['http:', 'https:', 'mailto:']);
/** As the source of a picture an SVG runs no script and fetches nothing; it is never made a part of the page. */
const PICTURE =
  /^data:image\/(?:(?:png|jpeg|gif|webp);base64,[\w+/=]+|svg\+xml(?:;charset=utf-8|;utf8)?(?:;base64,[\w+/=]+|,[\w%.~!*'();:@&=+$/?#-]+))$/i;
/** Longer addresses lead nowhere that a person would want to go, and a note may repeat one ten thousand times. */
const LONGEST = 2_048;

/** Where a link of a note may lead, as the browser reads it; undefined where it must not, or is no whole address. */
export function linkTo(href: string): string | undefined {
  if (href.length > LONGEST) return undefined;
  const url = URL.parse(href);
  return url && LEADS_OUT.has(url.protocol) ? url.href : undefined;
}

/** Which picture of a note may be shown: one that it carries itself, or one of the page's own origin, by its path. */
export function pictureAt(src: string): string | undefined {
  if (PICTURE.test(src)) return src;
  if (!src.startsWith('/') || src.length > LONGEST) return undefined;
  // The browser reads `/\elsewhere` and `//elsewhere` as other hosts; so does this.
  const url = URL.parse(src, 'https://own.invalid');
  return url?.origin === 'https://own.invalid' ? url.pathname + url.search : undefined;
}

/** The path of a link to something beside a note, without its escapes; undefined for an address of the web, or of another program. */
export function pathIn(href: string): string | undefined {
  if (href === '' || href.length > LONGEST || /^(?:[a-z][a-z\d+.-]*:|\/\/)/i.test(href)) return undefined;
  try {
    return decodeURIComponent(href);
  } catch {
    // A percent sign that stands for itself.
    return href;
  }
}
