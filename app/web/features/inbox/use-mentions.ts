import { useQueries } from '@tanstack/react-query';
import { useMemo } from 'react';
import { isThereQuery } from './queries.ts';
import { mentionsIn, withLinks } from './mentions.ts';

/** A message's text with the keys that it mentions as links, where there are such memories in its namespace. */
export function useLinked(text: string, namespace: string): string {
  const mentions = useMemo(() => mentionsIn(text), [text]);
  const answers = useQueries({ queries: mentions.map((key) => isThereQuery(namespace, key)) });
  const known = new Set(mentions.filter((_, at) => answers[at]?.data === true));
  return known.size === 0 ? text : withLinks(text, known);
}
