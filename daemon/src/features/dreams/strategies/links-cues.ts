/**
 * Words by which a note says that something is to be done about what it names. A note that lacks something and a note that has it are of use to
 * each other; two notes that name a street in passing are not, however rare its name. They are compared in the sentences around the name.
 */

/** How much a text says that something is wanted, amiss, or to be had: nothing, in passing, or plainly. */
export type Concern = 0 | 1 | 2;

const words = (list: string): RegExp =>
  new RegExp(
    `(?<![\\p{L}\\p{N}])(?:${list
      .split('\n')
      .map((line) => line.trim())
      .filter(Boolean)
      .join('|')})(?![\\p{L}])`,
    'iu',
  );

/** Whom something is missing, or what is amiss. */
const LACKS = words(`
wants?|wanted|wish(?:es|ed)? (?:for|to|we|he|she|they|i)|would (?:like|love|need)|(?:i|we|he|she|they|it)['’]d (?:like|love|want|need|give)
needs?|needed|in need of|could do with|short of|r[au]n out|running out|(?:look|looks|looked|looking) (?:out )?(?:all over|everywhere|for)|on the lookout
(?:search|searches|searched|searching|hunt|hunting|hunted|ask|asks|asked|asking) (?:everywhere|around|for|who|whether|if anybody|if anyone)
(?:nobody|no one|no (?:dealer|shop|library|supplier|museum|archive)\\p{L}*)(?: (?:here|there|at \\p{L}+ \\p{L}+|in \\p{L}+))? (?:knows?|has|have|stocks?|sells?|makes?|owns?|could|can|repairs?|dares?)
none (?:found|left|anywhere|to be had)|nowhere|no (?:spares?|spare parts|parts|fix|replacement|successor|supplier|cure|luck)|not to be had|unobtainable
(?:can|could)(?:['’]t|not|n['’]t) (?:find|get|be found|be had|open|read|afford|identify)|sold out|out of (?:stock|print)|discontinued|no longer (?:made|sold|built|supported|available)
is (?:missing|lacking)|lacks?|broke|broken|cracked|brittle|snapped|worn out|leaks?|leaked|leaking|drifts?|drifted|fails|failed|failing
crash(?:es|ed|ing)?|chokes?|hangs|hung up|jams|jammed|errors?|bugs?|faults?|faulty|defective|defects?|regression|warp(?:s|ed)|rots?|rotten|mouldy
complaint|complains? (?:of|about|that)|complained|stops|stopped with|reads nothing|off by|corrupts?|corrupted|loses|lost (?:data|writes|messages|rows|an hour)|throws|blames?|exploit|vulnerab\\p{L}+|CVE
where (?:can|could|would|do|does|to|on earth)|who (?:else )?(?:could|can|knows|has|would|might)|how (?:to|do|does|can|could)|unsolved|open question|a riddle
drips?|dead|dumb in|puzzles?|stolen|too dear|too expensive|in love with|dreams? of
damaged?|destroyed|ruin(?:s|ed)?|flood(?:s|ed|ing)?|under water|knee-high|burnt|burned down|storm (?:took|broke|tore|has)|torn|swell(?:s|ing)?|unsafe|dangerous|unattended
careful with|beware(?: of)?|watch out|warning|warns|contaminated|poisonous|allerg\\p{L}+|expires|expired|lapses|refused|rejected|turned down|stopped halfway|to have ready
braucht|brauchen|bräuchten?|sucht|suchen|gesucht|fehlt|fehlen|kaputt|defekt|nirgends|möchte|hätte gern\\p{L}*|cherch(?:e|ent|ons)|besoin|manque|introuvable|cassée?
busca|buscamos|falta|roto|necesit\\p{L}+|zoekt|zoeken|nodig|stuk|ontbreekt|trenger|mangler|leter etter|cerca|cerchiamo|manca|rotto
`);

/** Who has it, gives it, or knows about it. */
const HAS = words(`
sells?|selling|for sale|estate sale|auction(?:ed|eer)?|up for|clear(?:s|ing|ed)? out|clearing|(?:gives?|giving|given) (?:up|away)|get(?:s|ting)? rid of|got rid of
for nothing|free of charge|to be had|unused|spares|lends?|lent|loans? out|rents? out|hires? out|(?:can|could|may) be (?:hired|rented|borrowed|had|bought|booked|ordered)
offers?|offered|swaps?|discount|per cent off|percent off|% off|bargain|at cost|half price|owes? (?:me|us|him|her|them)|favours?|fixed|reglues?|repairs|restores|mends|rewinds|reconditions
patch|workaround|cure[ds]?|remedy|the trick|trick is|recommends?|recommended|swears? by|advised|advisory|changelog|release notes|newsletter|mailing list
means that|means the|withdrawn|withdrew|recall(?:s|ed)?(?= (?:of|all|every|in|notice|for)|:)|drops? support|dropped support|will drop|deprecated|end of life|unmaintained|archived|fixed upstream|upstream
closes (?:its|down|for|in|at)|closing down|gives notice|is to be given up|discontinues|stopped making
knows (?:an?|some(?:one|body)|how|the owner|people)|has (?:a|an|two|three|four|five|six|some|several|plenty|dozens of|twenty|boxes of)(?: (?:spare|old|unused))? \\p{Ll}+ (?:left|to spare|over|of)
(?:can|could|will|would) (?:help|lend|get (?:us|me|him|her|hold)|mail|take (?:people|us|me|him|her|them)|fix|repair|swap|put in a word|show (?:us|me|him|her)|introduce)
(?:cousin|sister|brother|uncle|aunt|friend|nephew|niece|neighbour|son|daughter|father|mother|colleague)(?:['’]s (?:\\p{L}+ )?)? (?:on the|runs|works|owns|lends|has|keeps|farms|builds|teaches|manages|is (?:at|with|a|the))
guide at|(?:sits|is) on the (?:board|jury|committee)|on the \\p{L}+ board|decides (?:on|about|who|which|whether)|promises to|gives (?:up to|money|grants)|gave [£€$]|pays? (?:half|for all|towards)|could pay
licen[cs]e|compiled|calibrat\\p{L}+|reader of|specialis\\p{L}+ in|expert (?:on|in|for)|author of|maintains|maintainer
verkauft|zu verkaufen|abzugeben|verschenkt|verleiht|leiht|vermietet|kennt (?:einen|eine|jemand\\p{L}*)|repariert|prête|à vendre|vend|donne|répare|vende|regala|presta|arregla
guarantee[ds]?|warranty|takes (?:on )?(?:private |new )?(?:work|orders|commissions|students|pupils|patients|clients)|has (?:nothing on|time|room)|is free (?:from|after|in|on)|on request|open to|may come|gives lessons
te koop|verkoopt|leent|weet hoe|selger|til salgs|ledig|låner|in vendita|vendita|ripara|noleggia|presta
`);

/** What may be meant so, or only said. */
const SLIGHT = words(`
best|only decent|cheap(?:er|est)?|rents?|sold|bought|found|gave|paid|pays?|quote[ds]?|estimate|euros?|pounds?|hours?|tip|explains?|explained|manual|thread|talk
turn(?:s|ed) out|closes|closed|available|in stock|in its box|in the box|fits|works? (?:at|for)|worked (?:at|for)|unknown|nobody|missing|free|hopes?|hoped|hunt
wrong|unless|wonder(?:s|ed)?|whether|ask(?:s|ed)?|problem|trouble|cause|seller|buyer|lives in|owner|decides|letter|promise[ds]?|stands empty|meaning|means|contract|receipt|papers
`);
const ASKED = /[?]/u;
/** `Ask Ansgar, he knows it.` */
const REFERRED = /(?<!\p{L})[Aa]sk (?:for )?(?:(?:the|an?|old|Mr|Mrs|Ms|Dr)\.? )?\p{Lu}\p{Ll}/u;
const PRICED = /[£€$]\s?\d|\d\s?[£€$]/u;

export interface Concerns {
  readonly lacks: Concern;
  readonly has: Concern;
}

/** What the sentences around a name say of what is wanted and what there is. */
export function concernsOf(text: string): Concerns {
  const isSlight = SLIGHT.test(text) || ASKED.test(text) || PRICED.test(text);
  return {
    lacks:
      LACKS.test(text) || REFERRED.test(text) || (ASKED.test(text) && SLIGHT.test(text))
        ? 2
        : isSlight
          ? 1
          : 0,
    has: HAS.test(text) ? 2 : isSlight ? 1 : 0,
  };
}
