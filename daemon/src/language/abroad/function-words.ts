import type { Abroad } from './inflection.ts';

/** Words of grammar and of questions, by language, folded as the index folds them; those that are English words, too, are left out. */
export const FUNCTION_WORDS: Readonly<Record<Abroad, string>> = {
  de: `im am ins der die das den dem des ein eine einen einem einer eines und oder nicht kein keine keinen ist sind war waren wird werden wurde wurden
    hat haben hatte hatten kann konnen soll sollen sollte muss mussen darf durfen mochte mochten ich du er sie es wir ihr mich mir dich dir ihm ihn ihnen
    uns euch mein meine meinen meinem meiner dein deine sein seine unser unsere unserem unseren wer wen wem wessen welche welcher welches welchen welchem
    wann wie warum wieso weshalb wo wohin woher wovon womit wozu worauf auf aus bei beim bis durch fur gegen mit nach seit uber um unter vom von vor
    zu zum zur zwischen als auch aber dann denn doch noch nur schon sehr mehr wenn weil dass damit`,
  es: `el la los las un una unos unas y o pero no es son era eran fue fueron ser esta estan estaba hay ha han he hemos tengo tiene tienen tenemos yo tu
    usted nosotros ellos ellas mi mis tus su sus nuestro nuestra nuestros lo le les se nos que quien quienes cual cuales cuando cuanto cuanta cuantos
    cuantas donde adonde como por para con sin sobre entre desde hasta hacia del al de en este esta estos estas ese esa eso muy mas ya tambien porque`,
  fr: `le la les un une des du de et ou mais ne pas est sont etait etaient sera etre ai as avons avez ont avait je tu il elle nous vous ils elles mon ma
    mes ton ta tes son sa ses notre nos votre vos leur leurs ce cette ces cet que qui quoi quel quelle quels quelles quand comment combien pourquoi ou
    dans sur sous avec sans pour par entre depuis jusqu chez vers aux au en y se lui me te plus tres aussi deja encore qu est-ce`,
  it: `il lo la i gli le un uno una e o ma non sono era erano essere ho hai ha abbiamo hanno io tu lui lei noi voi loro mio mia miei tuo suo sua nostro
    che chi cosa quale quali quando quanto quanti dove come perche di da in con su per tra fra del della dei delle nel nella al alla dal sul questo questa`,
  pt: `em num numa ha pelo pela voce o os um uma uns umas e ou mas nao foi sao era ser esta estao tem temos eu tu ele ela nos eles elas meu minha meus seu sua nosso que quem
    qual quais quando quanto quantos onde como por porque para com sem sobre entre desde ate do da dos das no na nos nas ao este esta isso muito mais`,
  nl: `de het een en of maar niet geen zijn was waren wordt worden werd heeft hebben had ik jij hij zij wij jullie mij jou hem haar ons onze mijn
    jouw wie wat welke wanneer hoe waarom waar met van voor naar uit bij door over onder tussen tot sinds ook nog al dan als dat die deze dit`,
};

/** Words of grammar of English and of another language, too: they tell neither. */
export const SHARED_WORDS = 'a an do had he i in is me no of on was we will';

/** Words of English grammar and questions. */
export const ENGLISH_WORDS =
  'the a an of to in on at for from with by and or not is are was were be been do does did has have had will would can could should i you he she it ' +
  'we they me my your his her its our their this that these those what which who whom whose when where why how there any some no ' +
  'about after again also because before both but down each even first him into just like more most much never new next now off only other out please same since ' +
  'some still such than them then through too under until up us very via while yes yet';
