import { plainName } from '../../directory/names.ts';

/**
 * Words of dates, and the English for them. “%” is an article or a preposition that English leaves out. Names of months and weekdays come from Intl.
 *
 * chrono-node 2.10.3 was looked at for this and turned down: it knows no end of a month, and no weeks in Spanish or
 * Portuguese; it takes 3/4 for a day where this bot asks, finds dates within names, and has 9 MB.
 */
const words: Readonly<Record<string, string>> = {
  de: `heute=today morgen=tomorrow ubermorgen=day_after_tomorrow gestern=yesterday vorgestern=day_before_yesterday
    abend=evening nacht=night mittag=noon fruh=morning vormittag=morning nachmittag=afternoon
    nachste=next nachsten=next nachster=next nachstes=next kommende=next kommenden=next letzte=last letzten=last letzter=last
    letztes=last vergangene=last diese=this diesen=this dieser=this dieses=this
    woche=week wochen=weeks monat=month monats=month monate=months monaten=months jahr=year jahres=year jahre=years
    jahren=years tag=day tage=days tagen=days stunde=hour stunden=hours
    in=in vor=ago seit=% bis=by zum=% am=on um=at uhr= den=% der=% des=of des_=of ende=end einem=1 einer=1 ein=1 eine=1
    zwei=2 drei=3 vier=4 funf=5 sechs=6`,
  fr: `aujourd'hui=today demain=tomorrow apres-demain=day_after_tomorrow hier=yesterday avant-hier=day_before_yesterday
    soir=evening nuit=night midi=noon matin=morning apres-midi=afternoon
    prochain=next prochaine=next dernier=last derniere=last ce=this cet=this cette=this
    semaine=week semaines=weeks mois=month an=year ans=years annee=year jour=day jours=days heure=hour heures=hours
    dans=in il_y_a=ago depuis=% jusqu'a=by avant=by le=% la=% les=% l'=% de=of du=of d'=of a=at fin=end un=1 une=1 deux=2
    trois=3 quatre=4 cinq=5 six=6`,
  es: `hoy=today manana=tomorrow pasado_manana=day_after_tomorrow ayer=yesterday anteayer=day_before_yesterday
    noche=night mediodia=noon tarde=afternoon
    proximo=next proxima=next siguiente=next pasado=last pasada=last ultimo=last ultima=last este=this esta=this
    semana=week semanas=weeks mes=month meses=months ano=year anos=years dia=day dias=days hora=hour horas=hours
    en=in dentro_de=in hace=ago desde=% hasta=by antes_del=by el=% la=% los=% las=% de=of del=of a=at fin=end final=end finales=end
    un=1 una=1 dos=2 tres=3 cuatro=4 cinco=5 seis=6`,
  pt: `hoje=today amanha=tomorrow depois_de_amanha=day_after_tomorrow ontem=yesterday anteontem=day_before_yesterday
    noite=night meio-dia=noon manha=morning tarde=afternoon
    proximo=next proxima=next que_vem=next passado=last passada=last ultimo=last ultima=last este=this esta=this
    segunda=monday terca=tuesday quarta=wednesday quinta=thursday sexta=friday
    semana=week semanas=weeks mes=month meses=months ano=year anos=years dia=day dias=days hora=hour horas=hours
    em=in daqui_a=in dentro_de=in ha=ago desde=% ate=by o=% a=% os=% as=at na=% no=% de=of do=of da=of fim=end final=end
    um=1 uma=1 dois=2 duas=2 tres=3 quatro=4 cinco=5 seis=6`,
  nl: `vandaag=today morgen=tomorrow overmorgen=day_after_tomorrow gisteren=yesterday eergisteren=day_before_yesterday
    vanavond=tonight vannacht=tonight avond=evening nacht=night middag=afternoon ochtend=morning
    volgende=next komende=next vorige=last afgelopen=last deze=this dit=this
    week=week weken=weeks maand=month maanden=months jaar=year jaren=years dag=day dagen=days uur=hour uren=hours
    over=in in=in geleden=ago sinds=% tot=by voor=by op=on om=at de=% het=% van=of eind=end einde=end een=1 twee=2 drie=3
    vier=4 vijf=5 zes=6`,
};

/** January 1970 began on a Thursday. */
const someMonday = Date.UTC(1970, 0, 5);
const dayMs = 24 * 60 * 60_000;

/** For a language, its words of dates and the English for them, and the words with which one of these begins. */
interface Dictionary {
  english: ReadonlyMap<string, string>;
  beginnings: ReadonlySet<string>;
}

const dictionaries: readonly Dictionary[] = Object.entries(words).map(([language, pairs]) => {
  const own = pairs
    .split(/\s+/)
    .map((pair) => pair.split('=').map((word) => word.replaceAll('_', ' ')) as [string, string]);
  const english = new Map([...namesOf(language, 'month'), ...namesOf(language, 'weekday'), ...own]);
  return { english, beginnings: new Set([...english.keys()].map((phrase) => phrase.split(' ', 1).join())) };
});

/** The longest words that stand together, such as “il y a”. */
const wordsTogether = 3;

function namesOf(language: string, what: 'month' | 'weekday'): [string, string][] {
  const dates = Array.from({ length: what === 'month' ? 12 : 7 }, (_, index) =>
    what === 'month' ? Date.UTC(1970, index, 15) : someMonday + index * dayMs,
  );
  return dates.flatMap((date) =>
    (['long', 'short'] as const).flatMap((style): [string, string][] => {
      const inLanguage = (locale: string, length: 'long' | 'short') =>
        new Intl.DateTimeFormat(locale, { [what]: length, timeZone: 'UTC' }).format(date);
      const name = plainName(inLanguage(language, style)).replace(/\.$/, '');
      return [[name, inLanguage('en', 'long').toLowerCase()]];
    }),
  );
}

/** A date in German, French, Spanish, Portuguese or Dutch, in English words; once for each language of which it has nothing but words. */
export function inOtherLanguages(text: string): string[] {
  const plain = plainName(text).replaceAll(/\b([ld]'|jusqu'a)\s*/g, '$1 ');
  return dictionaries.flatMap((dictionary) => translated(plain.split(' '), dictionary) ?? []).map(inEnglishOrder);
}

function translated(typed: readonly string[], dictionary: Dictionary): string | undefined {
  const english: string[] = [];
  for (let at = 0; at < typed.length;) {
    const word = typed[at] ?? '';
    const phrase = phraseAt(typed, at, dictionary);
    if (phrase) english.push(phrase.english);
    else if (/^\d/.test(word)) english.push(word);
    else return undefined;
    at += phrase?.length ?? 1;
  }
  // An article begins the next word; at the end, it belongs to a name.
  return english.at(-1) === '%' ? undefined : english.filter((word) => word !== '%' && word !== '').join(' ');
}

/** The longest words at an index that the dictionary knows. */
function phraseAt(
  typed: readonly string[],
  at: number,
  { english, beginnings }: Dictionary,
): { english: string; length: number } | undefined {
  if (!beginnings.has(typed[at]?.replace(/[.,]$/, '') ?? '')) return undefined;
  for (let length = wordsTogether; length > 0; length -= 1) {
    const phrase = typed.slice(at, at + length).join(' ');
    const inEnglish = english.get(phrase.replace(/[.,]$/, ''));
    if (inEnglish !== undefined) return { english: inEnglish, length };
  }
  return undefined;
}

/** “friday next” as “next friday”, “ago 3 days” as “3 days ago”. */
function inEnglishOrder(text: string): string {
  return text
    .replace(/^(\w+) (next|last)$/, '$2 $1')
    .replace(/^ago (.+)$/, '$1 ago')
    .replace(/\bend (?=week|month|year|next|this|last)/, 'end of ')
    .replace(/\bend of (\w+) (next|last)$/, 'end of $2 $1')
    .replace(/\bthis (evening|night|afternoon)\b/, 'today $1')
    .replace(/\b(?:of|at) (night|evening|morning|afternoon)\b/, '$1')
    .replace(/\bof year (?=\d)/, '');
}
