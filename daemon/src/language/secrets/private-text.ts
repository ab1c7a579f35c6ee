/** What a person marked as private, with its marks; one that is not closed is private to its end. */
export const PRIVATE_TEXT = /<\s{0,8}private\s{0,8}>[\s\S]*?(?:<\s{0,8}\/\s{0,8}private\s{0,8}>|$)/giu;
