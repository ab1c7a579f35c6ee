import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { areThereQuery } from './queries.ts';
import { mentionsIn, withLinks } from './mentions.ts';

/** A message's text with the keys that it mentions as links, where there are such memories in its namespace. */
export function useLinked(text: string, namespace: string): string {
  const mentions = useMemo(() => mentionsIn(text), [text]);
  const { data: known = [] } = useQuery(areThereQuery(namespace, mentions));
  return known.length === 0 ? text : withLinks(text, new Set(known));
}
