import type { Received } from '@reverie/shared/contract/route';
import { getAttachment, type memoryAttachments } from '@reverie/shared/contract/memories/attachments';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { call } from '../../../platform/daemon/api.ts';
import { formatBytes } from '../../../platform/format.ts';
import { Button } from '../../../ui/Button.tsx';
import type { Attaching } from '../../../ui/reading/note-target.ts';
import type { MemoryAddress } from '../address.ts';
import css from './Attached.module.css';
import { attachmentsQuery, pictureQuery } from './attached.queries.ts';
import { labelOf } from './picture-label.ts';

type Attachment = Received<typeof memoryAttachments>['attachments'][number];

/** How far from what is seen a picture is fetched, as the observer reads it. */
const NEAR = '600px';

interface AttachmentsProps {
  /** The note whose links name them. */
  of: MemoryAddress;
  /** What stands in a link. */
  written: string;
  as: Attaching;
  /** What is shown where the note has nothing that is called so. */
  otherwise: ReactNode;
}

/** A picture or document that a note names, where it is stored. */
export default function Attached({ of, written, as, otherwise }: AttachmentsProps) {
  const { data: all } = useQuery(attachmentsQuery(of));
  if (!all) return null;
  const named = written.replace(/[#^].*$/su, '').trim();
  const found =
    all.attachments.find(({ link }) => link === written) ??
    all.attachments.find(({ link }) => link === named);
  if (!found) return otherwise;
  const { namespace } = of;
  return as.isEmbed && found.type.startsWith('image/') ? (
    <Picture namespace={namespace} attachment={found} as={as} />
  ) : (
    <Document namespace={namespace} attachment={found} as={as} />
  );
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
  if (isError) return <small>{alt} (could not be fetched)</small>;
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
    <Button disabled={saving.isPending} onClick={() => saving.mutate()} title={`Save ${name}`}>
      {as.label || name} <small>{saving.isError ? 'could not be fetched' : formatBytes(size)}</small>
    </Button>
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
