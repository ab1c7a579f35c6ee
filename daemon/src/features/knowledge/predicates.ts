/** Words by which people ask for a predicate, beside its own. */
const ALIASES: Readonly<Record<string, string>> = {
  lives_in: 'live home city town address residence reside moved based',
  works_at: 'work job employer company employed workplace',
  works_as: 'work job profession occupation role does',
  born: 'birth born birthplace birthday',
  birthday: 'born birth birthday date turn',
  spouse: 'married wife husband partner marry',
  wife: 'married spouse',
  husband: 'married spouse',
  allergic_to: 'allergy allergic allergies intolerant eat',
  likes: 'like love enjoy favourite preference prefer',
  prefers: 'prefer preference favourite like',
  dislikes: 'dislike hate avoid',
  uses: 'use tool package manager library',
  version: 'version upgraded release running',
  runs_on: 'run host hosted machine server deployed',
  port: 'port listen number',
  address: 'address url reachable where',
  depends_on: 'depend need require dependency',
  written_in: 'written language',
  located_in: 'where kept stored located place',
  cost: 'cost price much paid pay money',
  weight: 'weigh weight heavy',
  age: 'age old years',
  name: 'name called named',
  speaks: 'speak language languages',
  plays: 'play instrument sport',
  has: 'have own owns got',
  drives: 'drive car',
  due: 'due deadline until',
  expires: 'expire expiry end valid until',
  date: 'date when day',
  time: 'time when clock',
  is: 'who what role job position',
};

/** Further words that find a predicate. */
export function aliasesOf(predicate: string): string {
  return ALIASES[predicate] ?? '';
}
