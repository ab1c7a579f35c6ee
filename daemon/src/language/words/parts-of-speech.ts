/** A word of a text with what it is: compromise's tags, such as `Noun`, `Verb`, `ProperNoun`, `Person`, `Place`. */
export interface TaggedWord {
  readonly text: string;
  readonly tags: ReadonlySet<string>;
}

/** The words of an English text with their parts of speech. Some 2 ms for 250 bytes. */
export type TagWords = (text: string) => TaggedWord[];

interface Term {
  text: string;
  tags: string[];
}

let loading: Promise<TagWords> | undefined;

/** Loads the tagger, some 200 ms the first time: for threads in the background, and never at the start of the daemon. */
export function loadTagWords(): Promise<TagWords> {
  loading ??= import('compromise/two').then(({ default: nlp }) => (text) => {
    const sentences = nlp(text).json() as { terms: Term[] }[];
    return sentences.flatMap(({ terms }) =>
      // What compromise reads between the words (`isn't` is `is` and `not`) has no text.
      terms.filter((term) => term.text !== '').map((term) => ({ text: term.text, tags: new Set(term.tags) })),
    );
  });
  return loading;
}
