/** Words of questions, English, German, Spanish and French, that say nothing of what is sought, beside those that the index leaves out. */
export const OTHER_STOP_WORDS: ReadonlySet<string> = new Set(
  `der das den dem des ein eine einen einem einer eines und oder aber nicht kein keine keinen ist
    sind waren wird werden wurde wurden haben hatte hatten ich du er sie es wir ihr mich dich sich
    uns euch mein meine meinen meiner unser unsere dein sein seine im in am an auf aus bei mit nach
    seit von vom zu zum zur fur uber unter vor durch gegen ohne um als wie wo wer wen wem was wann
    warum wieso welche welcher welches welchen wieviel viel viele denn noch schon auch nur so dass ob
    heisst heißt el la los las un una unos unas y o pero no era eran fue fueron ser ha han habia yo
    tu ella nosotros me te se nos mi su sus nuestro nuestra del al en con de por para sin desde hasta
    que quien quienes cual cuales cuando donde como cuanto cuanta cuantos cuantas hay esta estan le
    les et ou mais ne est sont etait etaient fut je il elle nous vous ils elles moi toi mon ma mes ta
    tes sa ses notre votre au aux dans avec pour par sans sous depuis jusque qui quoi quel quelle
    quels quelles quand comment pourquoi combien ce cet cette ces t much many per must`.split(/\s+/),
);

/** Words that build a question and are not in its answer: what *kind* of, the *name* of, does he *still*. */
const SCAFFOLD: ReadonlySet<string> = new Set(
  `kind kinds sort sorts type types list name names named called person people thing things still currently current present
  presently nowadays exactly ever rather mean means meaning old long often fast far big high low large date day days time times year
  years month months week weeks hour hours part parts reason use uses used using get gets got give gives gave need needs go goes went
  going come comes came make makes made take takes took keep keeps put want wants say says said tells told ask asked happen happens
  happened wer wie heisst namen tag jahr art llama nombre dia ano nom jour annee`.split(/\s+/),
);

export function isScaffold(word: string): boolean {
  return SCAFFOLD.has(word);
}
