/** Before a surname. */
export const TITLES =
  /^(?:dr|prof|professor|mr|mrs|ms|miss|frau|herrn?|sir|st|saint|mme|madame|monsieur|senor|senora|captain|father|sister|aunt|uncle|tante|onkel)$/u;
/** What makes a name that of a street, a school, or another place that everybody names. */
export const STREETS =
  /^(?:street|road|lane|avenue|square|drive|close|terrace|crescent|hill|way|row|court|gate|station|airport|strasse|str|platz|allee|weg|gasse|rue|place|boulevard|plaza|calle|via|north|south|east|west|hospital|university|school|park|bridge|river|town|village|high|academy|college|primary)$/u;
/** Words that no English text has, of German, where every noun has a capital. */
export const GERMAN =
  /(?<![\p{L}])(?:der|die|das|den|und|ist|hat|nicht|mit|für|ein|eine[nmrs]?|auf|wir|ich|im|vom|zum|zur|dem|sind|beim|bei|ihr|nur|sie|wird|von|aus|nach|noch|auch|oder|dass|aber|wenn|seit|bis|über|unter|ohne|kein|keine|mein|unser|liegt|kommt|haben|wieder|schon|immer|heute|gestern|morgen|erst|sehr|hatte|waren|wurde|musste|muss|herrn?|frau|kaputt|\p{Ll}*[äöüß]\p{Ll}*)(?![\p{L}])/gu;
/** Words that no English text has, of French, Spanish and Italian. */
export const ROMANCE =
  /(?<![\p{L}])(?:le|les|des|du|un|au|aux|est|et|il|elle|nous|vous|avec|pour|dans|que|qui|pas|une|sur|chez|sans|[ldnsjc]['’]\p{Ll}+|el|los|las|una|por|para|con|del|hoy|esta|che|della|per|sono|non|\p{Ll}*[éèêàçùñ]\p{Ll}*)(?![\p{L}])/gu;

/** `tree-shaken`, `follow-up`: words that are joined to say something of others, or that English writes so. */
export const JOINED =
  /(?:ed|en|ing|ly|er|ers|up|in|out|off|on|down|free|like|old|day|days|term|time|year|week|month|hour|minute|metre|style|size|only|based|wide|long|proof|friendly|specific|side|end|level|two|one|by|of|to|fro|law|laws)$/u;
