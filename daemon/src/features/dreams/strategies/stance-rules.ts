import { meaningOf } from './synonyms.ts';

/** `must not`: an allergy or a diet; `taste`: likes and dislikes; `does`: eats or drinks it; `can`: is able or allowed to. */
export type StanceKind = 'must not' | 'taste' | 'does' | 'can';

export interface Rule {
  readonly pattern: RegExp;
  readonly how: StanceKind;
  readonly isFor: boolean;
  /** Where what it is about stands: only after the words, or on both sides. */
  readonly where: 'after' | 'around';
  readonly what?: readonly string[];
}

const words = (said: string): RegExp => new RegExp(`(?<![\\p{L}'’])(?:${said})(?![\\p{L}])`, 'giu');
const NOT =
  "(?:does not|doesn['’]t|do not|don['’]t|did not|didn['’]t|never|no longer|cannot|can['’]t|can not|won['’]t|must not|mustn['’]t|may not|isn['’]t|is not|not)";
const MEALS =
  '(?:has|have) (?=[^.;]{2,30}(?:on toast|for (?:breakfast|lunch|dinner)))|eats?|ate|eaten|eating|drinks?|drank|devour(?:s|ed)|gobbled|tucked into|had (?:a|an|the|some|two|three|seconds|another|his|her)|took|takes|was given|got through|asked for|wolfed|scoffed|tasted|tried|second helping|seconds|cleared (?:his|her) plate|went for|picked|stroked|petted|orders?|ordered|munched|finished (?:a|the|his|her|my|all|every|our|off)|helped (?:himself|herself) to|polished off|isst|aß|trinkt';
const TASTES =
  "likes?|loves?|loved|enjoys?|enjoyed|adores?|fond of|fan of|keen on|crazy about|mad about|favou?rites?|can['’]t get enough of|mag|liebt";

/** What one can or cannot do, of nothing or of something; the verb is compared, too. */
export const ABILITIES =
  /(?<!\p{L})(?:can(?:not|['’]t| not)|does(?: not|n['’]t)|do(?: not|n['’]t)|never|won['’]t|is(?: not|n['’]t) (?:able|allowed) to|refuses to)\s(?:\p{Ll}+ly\s)?(?<verb>\p{Ll}{3,})|(?<does>speaks|has|owns|wears|plays|reads|eats|drinks|takes|knows|supports|accepts)\sno\s/giu;
export const ALONE = new Set(
  'drive swim smoke ski cook dance sing fly cycle iron snore knit'.split(' ').map(meaningOf),
);

export const THINGS = new Set('open close shut lock'.split(' ').map(meaningOf));
export const VERBS = new Set([
  ...THINGS,
  ...ALONE,
  ...'speak have own wear play read know support accept eat drink take'.split(' ').map(meaningOf),
]);

export const RULES: readonly Rule[] = [
  {
    pattern: words(
      "allerg(?:ic|isch) (?:to|auf|gegen)|intolerant (?:to|of)|can(?:not|['’]t) tolerate|reacts? badly to|avoids?|steers clear of|off limits",
    ),
    how: 'must not',
    isFor: false,
    where: 'after',
  },
  { pattern: words('allerg(?:y|ies|ie)|intolerance'), how: 'must not', isFor: false, where: 'around' },
  {
    pattern: words('coeliac|celiac|gluten-free'),
    how: 'must not',
    isFor: false,
    where: 'around',
    what: ['gluten'],
  },
  {
    pattern: words('lactose[- ](?:intolerant|free)|lactose intolerance'),
    how: 'must not',
    isFor: false,
    where: 'around',
    what: ['dairy'],
  },
  {
    pattern: words('vegetarian|veggie|vegetarier(?:in)?|végétarien(?:ne)?'),
    how: 'must not',
    isFor: false,
    where: 'around',
    what: ['meat', 'fish'],
  },
  {
    pattern: words('vegan(?:er(?:in)?)?'),
    how: 'must not',
    isFor: false,
    where: 'around',
    what: ['meat', 'fish', 'dairy', 'egg'],
  },
  { pattern: words('pescatarian'), how: 'must not', isFor: false, where: 'around', what: ['meat'] },
  {
    pattern: words(
      "teetotall?er|teetotal|(?:doesn['’]t drink|does not drink|never drinks)(?=\\s*[.,;!]|$)|doesn['’]t drink alcohol|abstinent",
    ),
    how: 'must not',
    isFor: false,
    where: 'around',
    what: ['alcohol'],
  },
  {
    pattern: words(`${NOT} (?:\\p{L}+ ){0,2}(?:eat|eats|eating|drink|drinks|touch|touches|have|stomach)`),
    how: 'must not',
    isFor: false,
    where: 'after',
  },
  {
    pattern: words(`${NOT} (?:\\p{L}+ ){0,2}(?:like|likes|love|enjoy|care for|fan of|keen on|fond of)`),
    how: 'taste',
    isFor: false,
    where: 'after',
  },
  {
    pattern: words(
      "can(?:not|['’]t) (?:stand|bear|abide)|hates?|hated|dislikes?|loathes?|detests?|despises?|no fan of|sick of|hasst",
    ),
    how: 'taste',
    isFor: false,
    where: 'after',
  },
  { pattern: words(TASTES), how: 'taste', isFor: true, where: 'after' },
  { pattern: words(MEALS), how: 'does', isFor: true, where: 'around' },
];

/** What belongs to what on a plate. */
const FOODS = `
fish: trout salmon tuna cod herring anchovy mackerel sardine haddock plaice halibut carp pike sushi sashimi forelle lachs thunfisch fischstäbchen
shellfish: shrimp prawn crab lobster mussel oyster clam scallop seafood
meat: beef pork chicken ham sausage steak lamb bacon turkey burger schnitzel salami mince veal duck goose bolognese meatball wurst kebab chorizo
nut: walnut almond hazelnut cashew pistachio pecan peanut marzipan nutella praline frangipane satay
dairy: milk cheese yoghurt yogurt cream butter quark mozzarella parmesan ice-cream latte cappuccino feta käse
egg: omelette omelet frittata meringue mayonnaise scrambled quiche
gluten: bread pasta wheat noodle baguette pizza croissant couscous spaghetti brot
alcohol: wine beer gin whisky whiskey vodka rum champagne prosecco cocktail cider wein bier
penicillin: amoxicillin ampicillin flucloxacillin
pollen: birch hazel grass
caffeine: coffee espresso cappuccino latte
`;
export const PART_OF = new Map<string, string[]>();
for (const line of FOODS.trim().split('\n')) {
  const [whole = '', parts = ''] = line.split(': ');
  for (const part of parts.split(' ')) {
    const term = meaningOf(part);
    PART_OF.set(term, [...(PART_OF.get(term) ?? []), meaningOf(whole)]);
  }
}

/** What stands with food without being it. */
export const SUBSTITUTE = words(
  'vegan|plant-based|oat|soy|soya|alcohol-free|decaf|gluten-free|lactose-free|dairy-free|egg-free|vegetarian|without|instead of',
);

export const NATIONS =
  /^(?:January|February|March|April|May|June|July|August|September|October|November|December)$|(?:days?|ish|ese|ian|French|German|Dutch|Greek|Czech)$/u;
