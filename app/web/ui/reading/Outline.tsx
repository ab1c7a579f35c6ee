import { useEffect, useState } from 'react';
import { Icon } from '../Icon.tsx';
import { jumpTo } from './Blocks.tsx';
import type { Heading } from './layout/laid-out.ts';
import css from './Outline.module.css';

/** Fewer headings are seen at a glance. */
const WORTH_IT = 4;

/** The headings of a long note, to jump to; the one that is being read is marked. Ids are as they stand in the page. */
export function Outline({ headings }: { headings: readonly Heading[] }) {
  const [isOpen, setOpen] = useState(false);
  const current = useCurrent(headings);
  if (headings.length < WORTH_IT) return null;
  return (
    <nav className={css['outline']} aria-label="Outline">
      <button type="button" className={css['toggle']} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <Icon name="list" /> Outline
      </button>
      <ol className={css['list']} data-open={isOpen}>
        {headings.map(({ id, level, text }) => (
          <li key={id} data-level={Math.min(level, 4)}>
            <a
              href={`#${id}`}
              dir="auto"
              aria-current={id === current ? 'location' : undefined}
              onClick={(event) => {
                event.preventDefault();
                jumpTo(id);
              }}
            >
              {text === '' ? 'Untitled' : text}
            </a>
          </li>
        ))}
      </ol>
    </nav>
  );
}

/** The heading that is being read: the last one that came into the upper part of the window. */
function useCurrent(headings: readonly Heading[]): string | undefined {
  const [current, setCurrent] = useState<string>();
  const ids = headings.map(({ id }) => id).join(' ');
  useEffect(() => {
    const seen = new Set<string>();
    const observer = new IntersectionObserver(
      (entries) => {
        for (const { target, isIntersecting } of entries)
          if (isIntersecting) seen.add(target.id);
          else seen.delete(target.id);
        const top = headings.find(({ id }) => seen.has(id));
        if (top) setCurrent(top.id);
      },
      { rootMargin: '0px 0px -65% 0px' },
    );
    for (const { id } of headings) {
      const element = document.getElementById(id);
      if (element) observer.observe(element);
    }
    return () => observer.disconnect();
    // Headings with the same ids are the same elements.
  }, [ids]);
  return current ?? headings[0]?.id;
}
