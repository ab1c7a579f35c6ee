import { stem } from '../../../language/porter.ts';

/**
 * Words that mean the same thing in notes about a life and about work: narrow on purpose, since two memories are compared by them. The first
 * of a line stands for all of it.
 */
const GROUPS = `
bicycle bike cycle fahrrad rad vélo
cellar basement keller souterrain
flat apartment wohnung
house haus
kitchen küche
garden garten
allotment schrebergarten
fridge refrigerator kühlschrank
freezer tiefkühler
boiler heating heater heizung
washing-machine washer waschmaschine
rubbish trash garbage waste refuse bin müll tonne
car auto wagen
doctor gp physician arzt ärztin hausarzt
dentist zahnarzt zahnärztin
paediatrician pediatrician kinderarzt
vet veterinarian tierarzt
appointment termin
tablet pill
medicine medication drug medikament
mother mum mom mama mutter
father dad papa vater
grandmother grandma granny oma
grandfather grandpa opa
child kid kind
nursery kindergarten daycare kita creche
school schule
teacher lehrer lehrerin
birthday geburtstag born anniversary
phone telephone mobile telefon handy
password passphrase kennwort passwort
code pin passcode combination
wifi wi-fi wlan
entrance entry eingang
door tür
rent miete
bill invoice rechnung
contract vertrag
insurance versicherung
salary wage pay-packet
price cost fee charge preis kosten
sample reading-raw
holiday vacation urlaub
train zug bahn
ticket fahrkarte
bookshop bookstore
shop store laden
film movie
begin start kick-off anfangen beginnen
end finish stop enden
close shut schließen
open öffnen
buy purchase kaufen bought
repair fix reparieren
allergic allergy allergisch intolerant intolerance
prefer favour
dislike hate detest loathe
like love enjoy adore mögen
headache migraine kopfschmerzen migräne
sick ill unwell krank
cough coughing husten
fever temperature-high fieber
tired exhausted
staging stage-env
production prod
database db datenbank
repository repo
directory folder
config configuration
server host machine
timeout timed-out time-out etimedout
flaky intermittent intermittently flake unreliable
crash segfault panic
error exception fehler
deploy deployment rollout
release publish
pipeline ci
test tests
log logs
backup sicherung
disk disc
memory-ram ram
bug defect
standup stand-up daily-meeting
colleague coworker co-worker
boss manager chef
customer client kunde
library lib package dependency
endpoint route
key schlüssel
lend borrow loan
dishwasher spülmaschine geschirrspüler
oven ofen
lamp light
leak leaking drip dripping
noise noisy loud
neighbour neighbor nachbar nachbarin
plumber klempner
electrician elektriker
deadline frist due fällig
expire lapse ablaufen
renew extend verlängern
wage-tax tax steuer
passport reisepass
licence license führerschein
swim swimming schwimmen
run running jog jogging
choir chor
practice rehearsal probe
lesson class unterricht
piano klavier
violin geige
dog hund
cat katze
fish fisch
meat fleisch
milk milch
nut nuts nuss
bread brot
monday montag lundi
tuesday dienstag mardi
wednesday mittwoch mercredi
thursday donnerstag jeudi
friday freitag vendredi
saturday samstag samedi
sunday sonntag dimanche
january januar janvier jan
february februar février feb
march märz mars
april avril apr
may mai
june juni juin jun
july juli juillet jul
august août aug
september septembre sep sept
october oktober octobre oct
november novembre nov
december dezember décembre dec
leave depart departure
arrive arrival
store save hold
require need
live reside residence wohnen wohnt
install setup set-up
answer reply respond response
send mail email e-mail
choose pick select
forbid ban prohibit
permit allow
delete remove erase
stay remain keep kept stayed
switch change swap replace
collect empty fetch
refuse reject decline
receive accept
limit cap maximum max
minimum min
repeat retry
wait delay
quick fast
small little tiny
big large huge
broke defective faulty kaputt
fail failure failing
lose lost loss
hurt ache pain painful sore
stomach belly tummy
throat hals
sleep slept asleep
late delayed belated verspätet
cancel cancelled
forget forgot forgotten vergessen
medic clinic hospital
spare replacement
screw bolt
battery akku
lawn grass
shed hut schuppen
hallway corridor flur
bathroom bath bad
bedroom schlafzimmer
attic loft dachboden
stairs staircase treppe
gate tor
coffee espresso kaffee
tea tee
breakfast frühstück
lunch mittagessen
dinner supper abendessen
cake kuchen
birthday-party party
gift present geschenk
glasses spectacles brille
shoe boot
trousers pants
jacket coat
vaccination vaccine jab impfung
prescription rezept
blood-pressure hypertension
physio physiotherapy physiotherapist
gym fitness
hike hiking
cinema kino
bookkeeper accountant steuerberater
lawyer attorney anwalt
landlord vermieter
tenant mieter
mortgage kredit
bank bankverbindung
subscription abo
membership member mitglied
mould mold
roof dach
gutter dachrinne
find found
bring brought
eat ate eaten
drink drank drunk
go went gone
come came
give gave given
speak spoke spoken
write wrote written
drive drove driven
break broke broken
choose chose chosen
fall fell fallen
fly flew flown
grow grew grown
hear heard
meet met
read reading
ride rode ridden
ring rang rung
sell sold
send sent
sing sang sung
teach taught
throw threw thrown
wear wore worn
win won
build built
catch caught
feel felt
feed fed
hang hung
spend spent
stand stood
steal stole stolen
stick stuck
sweep swept
swear swore
wake woke woken
pay paid
`;

const MEANT = new Map<string, string>();
for (const line of GROUPS.trim().split('\n')) {
  const words = line.split(' ');
  for (const word of words) MEANT.set(stem(word), stem(words[0] ?? word));
}

const known = new Map<string, string>();

/** What a word is compared as: its stem, or that of the first of its synonyms. Takes lower case. */
export function meaningOf(word: string): string {
  const found = known.get(word);
  if (found !== undefined) return found;
  const root = stem(word);
  const meant = MEANT.get(root) ?? root;
  // A namespace has some ten thousand words; beyond that they are no words but identifiers.
  if (known.size < 100_000) known.set(word, meant);
  return meant;
}
