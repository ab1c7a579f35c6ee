import type { SentenceParts } from '@reverie/shared/contract/events/memory-words';

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
