import type { SentenceParts } from './memory-words.ts';

/** A sentence, with what things are called standing out. */
export function Said({ sentence }: { sentence: SentenceParts }) {
  return sentence.map((part, at) =>
    typeof part === 'string' ? (
      part
    ) : (
      <strong key={at}>
        <bdi>{part.name}</bdi>
      </strong>
    ),
  );
}
