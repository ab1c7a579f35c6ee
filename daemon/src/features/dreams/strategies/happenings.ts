import { stem } from '../../../language/porter.ts';

/**
 * Kinds of things that happen, each with the phrases by which people and logs tell of it: an error is told by its code, its message, and
 * what somebody saw of it. Narrow on purpose, since a recurrence is held together by them.
 */
const LINES = `
disk full: enospc|no space left|disk full|out of disk|full disk|disk at 100|100 disk|at 100 disk|ran out of space|out of space|server full|disk usage|volume full|partition full|storage full|ate all the disk|filled the disk|disk filled
out of memory: oom|oom-killed|out of memory|oomkilled|heap out of memory|exit code 137|killed by the kernel|memory limit|ran out of ram|ram full|hit maxmemory|swap full|swapping
database locked: sqlite_busy|database is locked|database locked|writer lock|lock timeout|could not obtain lock|lock wait
deadlock: deadlock|deadlocked|deadlocks|40p01
connection reset: econnreset|connection reset|dropped the socket|closed the connection|connection closed|connection dropped|lost connection|lost its connection|disconnected|socket hang up|broken pipe|epipe|reconnect
connection refused: econnrefused|connection refused|unreachable|enotfound|host not found|ehostunreach|could not resolve|dns failure|nxdomain
timed out: etimedout|timed out|time out|timeout|timeouts|deadline exceeded|504|gateway timeout|took too long|hung|hangs|hanging|froze|frozen|freezes|stuck
too many requests: 429|rate limit|rate limited|rate-limited|too many requests|throttled|throttling|quota exceeded|over quota|out of quota|quota
server error: 500|502|503|internal server error|bad gateway|service unavailable|error page|outage|went down|is down|was down|offline
crash: crash|crashed|crashes|segfault|sigsegv|core dump|panic|panicked|crashloop|restarted itself|died|exit code|aborted|bluescreen|blue screen
certificate: certificate expired|cert expired|tls cert|x509|certificate ran out|expired certificate|ssl error|could not renew the certificate|renew the certificate|certificate renewal|certificate
permission denied: eacces|permission denied|forbidden|403|401|unauthorized|unauthorised|access denied|token expired|expired token|login failed|invalid token
port in use: eaddrinuse|address already in use|port in use|port taken|port already
flaky test: flaky|flake|flaked|green on retry|green on rerun|green on re-run|passed on retry|passed on rerun|passed on the second|rerun passed|re-run was green|rerun|re-run|went red|ci red|red on main|randomly failing|fails randomly|failed once|second attempt|second run|passes locally|third rerun
build broke: build broke|broke the build|build failed|build failing|pipeline failed|pipeline red|main is red|compile error|does not compile|lockfile conflict|merge conflict|conflict in
deploy failed: deploy failed|deploy died|rollback|rolled back|had to roll back|failed deploy|release failed|deploy stuck
backup failed: backup failed|no backup|backup did not run|backup skipped|backup incomplete|dump failed
clock: clock drift|clock skew|off by one hour|wrong timezone|daylight saving|summer time bug
wrong data: duplicate rows|duplicates|double booking|double-booked|shown twice|booked twice|charged twice|double charge|counted twice|idempotency
by hand: edited by hand|edit by hand|by hand again|do not edit|hand-edited
no internet: wifi down|wi-fi down|no wifi|no wi-fi|wifi gone|internet down|no internet|internet gone|router|connection gone|network down|no network|vpn dropped|vpn down|wlan
printer: paper jam|jammed|printer jam|jam|jams|paper stuck|out of toner|printer refused|printer offline|toner
projector: projector|beamer|hdmi|no picture|no sound|microphone|mic failed|video call broke
power cut: power cut|power outage|no power|blackout|fuse|tripped|breaker|lights out|electricity gone|stromausfall|sicherung
no heating: boiler|heating|radiators cold|radiator|hot water|cold shower|lukewarm|burner|pilot|no warm water|heizung|kein warmwasser
low pressure: pressure low|low pressure|lost pressure|under 1 bar|topped up|refilled|pressure down|lost air
leak: leak|leaks|leaked|leaking|puddle|drip|drips|dripping|water on the floor|flooded|flood|wet ceiling|stain on the ceiling|damp|pfütze|überschwemmung|läuft aus|undicht|dripped
blocked drain: blocked drain|drain blocked|clogged|sink blocked|toilet blocked|backed up|verstopft|plunger
mould: mould|mold|schimmel
will not start: would not start|wouldn't start|didn't start|does not start|doesn't start|won't start|not start|no start|only clicks|only clicked|just clicks|flat battery|battery flat|dead battery|battery dead|jump leads|jump start|jump-start|starter|charger|springt nicht an
breakdown: broke down|breakdown|towed|tow truck|warning light|engine light|overheated|panne
puncture: puncture|flat tyre|flat tire|tyre flat|punctured|inner tube|platten
late train: train late|train cancelled|cancelled train|train dropped|missed the train|missed connection|missed the connection|ice cancelled|was cancelled|regional train|replacement bus|delayed|delay|stranded|tram late|bus late|bus did not come
traffic: traffic jam|stuck in traffic|motorway closed|tailback|gridlock
late: late|late again|overran|ran over|ran late|ran long|kept us waiting|waited for|waited|left late|late out|stayed until|stayed late|stood me up|no-show|did not show|didn't show|verspätet
overtime: overtime|late night|until midnight|worked late|worked the weekend
cancelled: cancelled|called off|fell through|skipped|skip|dropped out|no bouldering|no climbing|no gym|no training|no swimming|no choir|missed training|went home instead|too tired to go|ausgefallen|abgesagt|bailed
locked out: locked out|locked|no key|hall key|forgot the key|forgot my key|lost the key|key inside|locksmith|could not get in|stood outside|nobody had the key|ausgesperrt
forgot: forgot|forgotten|left behind|left it|left at home|left on the|without his|without her|no kit|vergessen|oublié
lost: lost|misplaced|mislaid|cannot find|can't find|could not find|missing|vanished|disappeared|gone missing|verloren
parcel: parcel|parcels|package|packages|delivery|courier|dhl|ups|hermes|dpd|gls|paket|päckchen|colis|delivered|tracking
never came: nothing in the hall|never came|never arrived|not delivered|nothing delivered|not received|still not here
out of stock: out of stock|sold out|not available|unavailable|allocation only|back order|backorder|no stock|ran out|ran out of|run out of|empty again|none left|nothing left|shortage|short supply|nicht lieferbar|ausverkauft
overdue: overdue|unpaid|reminder|sent a reminder|dun|no transfer|no payment|did not pay|not paid|late payment|still owes|mahnung
dispute: chargeback|dispute|disputed|refund|refunded|claim|claimed
overcharged: overcharged|billed twice|wrong invoice|wrong amount|double charged|charged again|surprise bill
complaint: complaint|complained|complains|complain|objects|objected|wants it gone|has written again|letter from|beschwerde|beschwert|angry note
noise: noise|noisy|loud|barking|barked|car alarm|alarm went off|alarm|howled|drilling|party upstairs|music until|bass until|lärm|banging|slammed
woke at night: woke at|woke up at|awake at|awake from|awake since|could not sleep|couldn't sleep|slept badly|no sleep|insomnia|sleepless|up half the night|up at three|kept us up|nightmare|bad night|lay awake|schlaflos
headache: headache|headaches|migraine|splitting head|kopfschmerzen|migräne|aura|sumatriptan|throbbing|dark room|lay in the dark|maux de tête
back pain: back pain|backache|lower back|stiff back|back gave|back went|lumbago|hexenschuss|rückenschmerzen|hot water bottle
knee: knee|knees|swollen|swelled|iced|can't bend|cannot bend|limping
stomach: stomach|nausea|sick after|threw up|vomited|vomiting|diarrhoea|heartburn|cramps|belly|bauchweh|bauchschmerzen|mal au ventre|queasy
allergy: rash|hives|itching|itchy|sneezing|sneezed|wheeze|wheezing|asthma|inhaler|allergic reaction|puffy eyes|red eyes|antihistamine|hay fever|ausschlag
fever: fever|temperature of|feverish|infection|ear infection|flu|a cold|cough|coughing|tonsillitis|sore throat|bronchitis|fieber|husten|antibiotics
nosebleed: nosebleed|nose bleed|bloody nose|nasenbluten
dizzy: dizzy|dizziness|fainted|lightheaded|light-headed|vertigo|schwindel|palpitations
toothache: toothache|tooth hurt|filling fell|zahnschmerzen|crown came off
low mood: panic attack|cried|in tears|melt-down|meltdown|tantrum|screamed|homesick|wütend
quarrel: argued|argument|quarrel|quarrelled|fight|fought|row over|shouted|streit|gestritten
bite: tick|bitten|bite|stung|sting|wasp|zecke
pests: mouse|mice|rat|moths|ants|slugs|slug|snails|aphids|wasps|pigeons|fox|marten|maus|rodent|caterpillars|ate the|eaten by|ate my|dug up
pet sick: cat threw up|dog threw up|hairball|cat sick|vomited on the carpet|limped
brings prey: brought in a|live mouse|half a bird
school kit: gym kit|sports bag|pe kit|trainers|gym class|lunchbox|forgot his|forgot her|swim bag|turnbeutel|sportzeug
school called: school rang|school called|kita called|kita rang|nursery rang|nursery called|pick up early|picked up early|home from kita|home from school
won: won|wins|first place|took the trophy|trophy|beat us|came first|carried home
phone call: long call|call with|called from|rang|on the phone|on speaker|phoned|phone call|telefoniert|video call with|zoom with
eating out: fish and chips|chippy|takeaway|take-away|pizza night|curry night|ordered in|ramen|chip shop|pizzeria|dinner at
fell: fell|slipped|tripped over|tumbled|crashed into|gestürzt
burnt: burnt|burned|boiled over|overflowed|ran over the pan|smoke alarm|angebrannt
broke: broke|broken|snapped|cracked|came off|fell off|torn|ripped|kaputt|shattered|came apart
double booked: double booking|double-booked|somebody had our room|room was taken|already taken|in our room
blocked way: parked in|parked across|blocked the|blocks the|in front of our|zugeparkt|our space
bins: bins|bin not|not emptied|rubbish not|mülltonne|not collected|missed collection
hand restart: restarted it|restart helped|had to restart|rebooted|reboot|power cycled|reset helped|turned it off and on|unplugged|neu gestartet|relight|retried by hand|reset it|bounced
meeting long: ran over|overran|stand-up took|standup took|meeting ran|an hour over
weather: frost|frozen pipe|ice on|storm|gale|hail|heatwave|flooded road|snowed in|cold night|cold morning|cold snap
`;

interface Phrase {
  readonly words: readonly string[];
  readonly happening: string;
}

const stems = new Map<string, string>();
const BY_FIRST = new Map<string, Phrase[]>();
for (const line of LINES.trim().split('\n')) {
  const colon = line.indexOf(': ');
  const happening = line.slice(0, colon);
  for (const phrase of line.slice(colon + 2).split('|')) {
    const words = wordsOf(phrase);
    const [first = ''] = words;
    BY_FIRST.set(first, [...(BY_FIRST.get(first) ?? []), { words, happening }]);
  }
}

/** The kinds of things that a text tells of as happening, with the stems of the words that say so. */
export function happeningsIn(text: string): Map<string, Set<string>> {
  const words = wordsOf(text);
  const found = new Map<string, Set<string>>();
  for (const [at, word] of words.entries())
    for (const { words: phrase, happening } of BY_FIRST.get(word) ?? [])
      if (phrase.every((one, index) => words[at + index] === one))
        found.set(happening, new Set([...(found.get(happening) ?? []), ...phrase]));
  return found;
}

function wordsOf(text: string): string[] {
  const words =
    text
      .toLowerCase()
      .replaceAll('’', "'")
      .match(/[\p{L}\p{N}_]+(?:['-][\p{L}\p{N}_]+)*/gu) ?? [];
  return words.map((word) => {
    const known = stems.get(word);
    if (known !== undefined) return known;
    const stemmed = stem(word);
    if (stems.size < 50_000) stems.set(word, stemmed);
    return stemmed;
  });
}
