import type { Received } from '@reverie/shared/contract/route';
import { getAttachment, type memoryAttachments } from '@reverie/shared/contract/attachments';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { call } from '../../../platform/api.ts';
import { formatBytes } from '../../../platform/format.ts';
import type { Attaching, NoteLinks } from '../../../ui/reading/note-target.ts';
import css from './Attached.module.css';
import { pictureQuery } from './around.queries.ts';
import { labelOf } from './picture-label.ts';

type Attachment = Received<typeof memoryAttachments>['attachments'][number];

/** How far from what is seen a picture is fetched, as the observer reads it. */
const NEAR = '600px';

/** Draws the attachments of a note by what stands in its links. */
export function attachedIn(
  namespace: string,
  attachments: readonly Attachment[],
): NonNullable<NoteLinks['attached']> {
  const byLink = new Map(attachments.map((one) => [one.link, one]));
  return (written, as): ReactNode => {
    const found = byLink.get(written) ?? byLink.get(written.replace(/[#^].*$/su, '').trim());
    if (!found) return undefined;
    return as.isEmbed && found.type.startsWith('image/') ? (
      <Picture namespace={namespace} attachment={found} as={as} />
    ) : (
      <Document namespace={namespace} attachment={found} as={as} />
    );
  };
}

interface AttachedProps {
  namespace: string;
  attachment: Attachment;
  as: Attaching;
}

function nameOf({ path }: Attachment): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** A picture, fetched once it is nearly seen. */
function Picture({ namespace, attachment, as }: AttachedProps) {
  const place = useRef<HTMLSpanElement>(null);
  const isNear = useNear(place);
  const { data: src, isError } = useQuery({
    ...pictureQuery(namespace, attachment.hash),
    enabled: isNear,
  });
  const { alt, width, height } = labelOf(as.label, nameOf(attachment));
  if (isError) return <span className={css['failed']}>{alt} (could not be fetched)</span>;
  return (
    <span ref={place} className={css['picture']} data-testid="attached" aria-busy={src === undefined}>
      {src !== undefined && (
        <img
          src={src}
          alt={alt}
          title={alt}
          loading="lazy"
          decoding="async"
          {...(width !== undefined && { style: { inlineSize: width, ...(height && { blockSize: height }) } })}
        />
      )}
    </span>
  );
}

function useNear(place: React.RefObject<HTMLElement | null>): boolean {
  const [isNear, setNear] = useState(false);
  useEffect(() => {
    const element = place.current;
    if (isNear || !element) return undefined;
    const observer = new IntersectionObserver(
      (entries) => setNear((was) => was || entries.some((entry) => entry.isIntersecting)),
      { rootMargin: NEAR },
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, [place, isNear]);
  return isNear;
}

/** A document, or a picture that is only linked to, which is saved as a file. */
function Document({ namespace, attachment, as }: AttachedProps) {
  const { hash, size } = attachment;
  const name = nameOf(attachment);
  const saving = useMutation({
    mutationFn: async () =>
      saveAs(name, await call(getAttachment, { params: { hash }, query: { namespace } })),
  });
  return (
    <button
      type="button"
      className={css['document']}
      disabled={saving.isPending}
      onClick={() => saving.mutate()}
      title={`Save ${name}`}
    >
      {as.label || name} <small>{saving.isError ? 'could not be fetched' : formatBytes(size)}</small>
    </button>
  );
}

function saveAs(name: string, bytes: Blob): void {
  const href = URL.createObjectURL(bytes);
  const link = document.createElement('a');
  link.href = href;
  link.download = name;
  link.click();
  // The browser has begun to read it by then.
  setTimeout(() => URL.revokeObjectURL(href), 60_000);
}
