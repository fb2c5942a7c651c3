import { expect, test, describe } from 'vitest';
import fc from 'fast-check';
import { readTime } from '../../../src/operations/dates/typed-time.ts';
import { dateForms, type DateForm } from '../../../src/time/date-words.ts';
import { dateFormat } from '../../../src/time/wall-clock.ts';
import { languageCodes, locales } from '../../../src/words/languages.ts';
import { runs } from '../../support/drawn.ts';

/** A Wednesday. */
const nowMs = Date.parse('2026-11-25T10:00:00Z');
const read = (text: string, direction: 'future' | 'past' = 'future') => {
  const time = readTime(text, { nowMs, timeZone: 'UTC', direction });
  return time?.kind === 'moment' ? new Date(time.atMs).toISOString().slice(0, 16) : time?.message;
};

/** What people say, with and without accents. */
const toCome: Readonly<Record<string, string>> = {
  'heute um 15 Uhr, heute 15 Uhr, heute 15:00 Uhr, heute um 15.00 Uhr': '2026-11-25T15:00',
  'aujourd’hui à 15 h, aujourd’hui à 15h, aujourd’hui à 15h00': '2026-11-25T15:00',
  'hoy a las 15, hoy a las 15:00, hoy a las 3 de la tarde': '2026-11-25T15:00',
  'vandaag om 15 uur, vandaag om 15.00 uur, vandaag om 15:00': '2026-11-25T15:00',
  'dziś o 15, dzisiaj o 15:00, dzis o godz. 15, dziś o godzinie 15': '2026-11-25T15:00',
  'morgen um 9, morgen 9 Uhr, morgen früh um 9 Uhr, morgen früh um 9, morgen früh': '2026-11-26T09:00',
  'demain à 9 h, demain à 9h, demain 9h, demain à 9 heures, demain matin, demain à 9 h du matin': '2026-11-26T09:00',
  'mañana a las 9, manana a las 9, mañana a las 9:00, mañana por la mañana, mañana a las 9 de la mañana':
    '2026-11-26T09:00',
  'morgen om 9 uur, morgen 9 uur, morgenochtend, morgen om 9': '2026-11-26T09:00',
  'jutro o 9, jutro rano, jutro o 9:00, jutro o godz. 9, o 9 jutro': '2026-11-26T09:00',
  'demain à 9h30, demain 9 h 30, morgen um 9:30 Uhr, morgen 9 Uhr 30, morgen om 9.30 uur, jutro o 9.30':
    '2026-11-26T09:30',
  'morgenavond, morgen Abend, morgen abend, demain soir, jutro wieczorem, morgen Abend um 6, jutro wieczorem o 18:00':
    '2026-11-26T18:00',
  'übermorgen, ubermorgen, uebermorgen, après-demain, apres-demain, pasado mañana, overmorgen, pojutrze':
    '2026-11-27T00:00',
  'Freitag, am Freitag, diesen Freitag, bis Freitag, bis zum Freitag': '2026-11-27T00:00',
  'vendredi, ce vendredi, avant vendredi, d’ici vendredi, jusqu’à vendredi, pour vendredi': '2026-11-27T00:00',
  'viernes, el viernes, este viernes, antes del viernes, para el viernes, hasta el viernes': '2026-11-27T00:00',
  'vrijdag, op vrijdag, deze vrijdag, voor vrijdag, tegen vrijdag, uiterlijk vrijdag': '2026-11-27T00:00',
  'piątek, piatek, w piątek, w ten piątek, do piątku, do piatku, na piątek': '2026-11-27T00:00',
  'nächsten Freitag, nachsten Freitag, naechsten Freitag, kommenden Freitag, nächste Woche Freitag, Freitag nächster Woche':
    '2026-12-04T00:00',
  'vendredi prochain, le vendredi prochain, vendredi de la semaine prochaine': '2026-12-04T00:00',
  'el próximo viernes, el proximo viernes, viernes próximo, el viernes que viene, viernes de la próxima semana':
    '2026-12-04T00:00',
  'volgende vrijdag, volgende week vrijdag, vrijdag volgende week, aanstaande vrijdag': '2026-12-04T00:00',
  'w przyszły piątek, w przyszly piatek, przyszły piątek, w następny piątek, w piątek w przyszłym tygodniu':
    '2026-12-04T00:00',
  'we wtorek, wtorek, do wtorku, Dienstag, mardi, martes, dinsdag': '2026-12-01T00:00',
  'w środę o 8, Mittwoch um 8, mercredi à 8 h, miércoles a las 8, woensdag om 8 uur': '2026-12-02T08:00',
  'in zwei Wochen, in 2 Wochen, dans deux semaines, en dos semanas, dentro de dos semanas, over twee weken':
    '2026-12-09T10:00',
  'za dwa tygodnie, za 2 tygodnie': '2026-12-09T10:00',
  'in einer Woche, dans une semaine, en una semana, over een week, za tydzień, za tydzien': '2026-12-02T10:00',
  'za 3 dni, za trzy dni, in drei Tagen, dans trois jours, en tres días, over drie dagen': '2026-11-28T10:00',
  'za 3 godziny, in 3 Stunden, dans 3 heures, dans 3 h, en 3 horas, over 3 uur': '2026-11-25T13:00',
  'in zwölf Tagen, in zwoelf Tagen, dans douze jours, en doce días, over twaalf dagen, za dwanaście dni':
    '2026-12-07T10:00',
  'Ende des Monats, Ende Monat, Monatsende, bis Monatsende, bis Ende des Monats, zum Monatsende': '2026-11-30T00:00',
  'fin du mois, la fin du mois, d’ici la fin du mois, avant la fin du mois, fin de mois': '2026-11-30T00:00',
  'fin de mes, final de mes, a finales de mes, antes de fin de mes': '2026-11-30T00:00',
  'eind van de maand, einde van de maand, einde maand, voor het einde van de maand': '2026-11-30T00:00',
  'do końca miesiąca, do konca miesiaca, koniec miesiąca, na koniec miesiąca': '2026-11-30T00:00',
  'Ende nächster Woche, fin de la semaine prochaine, eind volgende week, do końca przyszłego tygodnia':
    '2026-12-04T00:00',
  '3. Mai, 3 mai, le 3 mai, am 3. Mai, 3 de mayo, el 3 de mayo, 3 mei, 3 maja, do 3 maja, bis 3. Mai, bis zum 3. Mai':
    '2027-05-03T00:00',
  'jusqu’au 3 mai, avant le 3 mai, hasta el 3 de mayo, antes del 3 de mayo, tot 3 mei, voor 3 mei, dnia 3 maja':
    '2027-05-03T00:00',
  'le 1er mai, 1er mai, 1. Mai, 1º de mayo, 1 de mayo, 1 mei, 1 maja': '2027-05-01T00:00',
  '15 stycznia, 15 styczen, 15 sty, 15. Januar, 15 janvier, 15 de enero, 15 januari': '2027-01-15T00:00',
  '5 października, 5 pazdziernika, 5. Oktober, 5 octobre, 5 de octubre, 5 oktober': '2027-10-05T00:00',
  '12 grudnia 2027, 12 grudnia 2027 r., 12 grudnia 2027 roku, 12. Dezember 2027, 12 décembre 2027': '2027-12-12T00:00',
  'przyszły miesiąc, w przyszłym miesiącu, nächsten Monat, le mois prochain, el mes que viene, volgende maand':
    '2026-12-01T00:00',
  'w południe, mittags, midi, mediodía, al mediodía, à midi': '2026-11-25T12:00',
  'tomorrow, morgen, demain, mañana, Morgen': '2026-11-26T00:00',
  'by friday, end of the week': '2026-11-27T00:00',
  'nächste Woche, la semaine prochaine, la próxima semana, volgende week, end of the month, eom': '2026-11-30T00:00',
  'próximo mes': '2026-12-01T00:00',
  'in 1 Tag, en 1 día, dentro de un día': '2026-11-26T10:00',
  'in 3 Tagen, dans 3 jours, en 3 días, dentro de tres días, over 3 dagen': '2026-11-28T10:00',
  'en 2 semanas, over 2 weken': '2026-12-09T10:00',
  'in 6 Monaten, dans 6 mois, en seis meses, over 6 maanden': '2027-05-25T10:00',
  'tonight, heute Nacht, esta noche, vanavond, cette nuit': '2026-11-25T20:00',
  '15. Dezember, 15 décembre, 15 de diciembre, el día 15 de diciembre, hasta el día 15 de diciembre':
    '2026-12-15T00:00',
  'le 15 déc., 15-12-2026, 12-15-2026': '2026-12-15T00:00',
  '31.12, 31.12., 31/12, 31.12.26, 31.12.2026, end of december, Ende Dezember, bis Ende Dezember': '2026-12-31T00:00',
  'fin décembre, fin de diciembre, eind december, koniec grudnia, end of q4': '2026-12-31T00:00',
  'Montag 17:00, Montag um 17:00 Uhr, lundi à 17:00, lunes a las 17:00, maandag om 17:00': '2026-11-30T17:00',
  'in 3 years': '2029-11-25T10:00',
  'a year': '2027-11-25T10:00',
  'end of next year': '2027-12-31T00:00',
  'tomorrow morning': '2026-11-26T09:00',
  eod: '2026-11-25T17:00',
  '9999 years': 'That’s too many years.',
  'for 1h30, in 1h30, pour 1h30, pendant 1 h 30, durante 1h30, für 1h30, na 1h30, 1h30m, 1h 30min, 1.5h':
    '2026-11-25T11:30',
  '1,5h, 90min, 90 min': '2026-11-25T11:30',
  "until 18h, by 18h, jusqu’à 18h, jusqu'à 18 h, avant 18h, à 18h, hasta las 18h, a las 18h, tot 18 uur":
    '2026-11-25T18:00',
  'om 18 uur, bis 18 Uhr, do 18h, due 18 uur': '2026-11-25T18:00',
  '15 dec midnight, 15 dec 24:00, 15. Dezember 24 Uhr, 15 décembre à minuit': '2026-12-15T23:59',
  'end of february': '2027-02-28T00:00',
  'mid january, Mitte Januar, mi-janvier, mediados de enero, half januari, połowa stycznia': '2027-01-15T00:00',
  'beginning of january': '2027-01-01T00:00',
  'friday eod, eod friday': '2026-11-27T17:00',
  Q1: '2027-03-31T00:00',
};

const rowsOf = (table: Readonly<Record<string, string>>) =>
  Object.entries(table).flatMap(([texts, moment]) => texts.split(', ').map((text): [string, string] => [text, moment]));

test.each(rowsOf(toCome))('“%s” is to come at %s', (text, moment) => {
  expect(read(text)).toBe(moment);
});

const past: Readonly<Record<string, string>> = {
  'seit Montag, depuis lundi, desde el lunes, sinds maandag, od poniedziałku, od poniedzialku, Montag':
    '2026-11-23T00:00',
  'gestern, hier, ayer, gisteren, wczoraj': '2026-11-24T00:00',
  'letzte Woche, la semaine dernière, la semana pasada, vorige week, w zeszłym tygodniu, zeszły tydzień':
    '2026-11-16T00:00',
  'vor drei Tagen, il y a trois jours, hace tres días, drie dagen geleden, trzy dni temu, 3 dni temu':
    '2026-11-22T10:00',
  'vor einer Woche, il y a une semaine, hace una semana, een week geleden, tydzień temu': '2026-11-18T10:00',
  'letzte 7 Tage, die letzten 7 Tage, les 7 derniers jours, los últimos 7 días, afgelopen 7 dagen, ostatnie 7 dni':
    '2026-11-18T10:00',
  'diese Woche, cette semaine, esta semana, deze week, w tym tygodniu, ten tydzień': '2026-11-23T00:00',
  'letzten Monat, le mois dernier, el mes pasado, vorige maand': '2026-10-01T00:00',
  'last 7 days, past week, vor 7 Tagen, il y a 7 jours, hace 7 días, 7 dagen geleden': '2026-11-18T10:00',
  yesterday: '2026-11-24T00:00',
};

test.each(rowsOf(past))('“%s” was at %s', (text, moment) => {
  expect(read(text, 'past')).toBe(moment);
});

const names = [
  'maja, Maja, Rosa Maja, sierpnia, Uhr, godz, na, w, o, a, die, de, que, en, Montag Café, Freitagskreis, heure, uur, r',
  'Sexta Feira Salsa, pour, bis, fällig, tydzień, banana, Freitag banane, la, de la, fin, 15 dec 25:00, week, semana, mes',
];

test.each(names.flatMap((some) => some.split(', ')))('“%s” is no time', (text) => {
  expect(read(text)).toBeUndefined();
});

test('words of two languages are no time', () => {
  expect(
    ['nächsten vendredi', 'demain um 9', 'do vrijdag', 'w lundi', 'mañana à midi'].map((text) => read(text)),
  ).toEqual(Array.from({ length: 5 }, () => undefined));
});

test('the last day of January is a month before the last day of February', () => {
  const january = Date.parse('2027-01-31T10:00:00Z');
  const time = readTime('in a month', { nowMs: january, timeZone: 'UTC', direction: 'future' });
  expect(time).toEqual({ kind: 'moment', atMs: Date.parse('2027-02-28T10:00:00Z'), isDay: true });
});

const dayMs = 24 * 60 * 60_000;
const timeZone = 'UTC';
const days: readonly DateForm[] = ['day', 'dayOfYear', 'weekday', 'weekdayAndYear'];
const moments: readonly DateForm[] = ['weekdayTime', 'weekdayTimeAndYear', 'momentWithoutZone'];

/** One in each month, and each weekday. */
const shown = Array.from({ length: 12 }, (_, month) => Date.UTC(2026, month, 3 + month * 2, 14, 5));

describe.each(languageCodes)('a date as the bot shows it in %s', (language) => {
  test.each([...days, ...moments])('is understood when it is typed: %s', (form) => {
    const isDay = days.includes(form);
    const wrong = shown.flatMap((atMs) => {
      const typed = dateFormat(locales[language], dateForms[form], timeZone).format(atMs);
      const time = readTime(typed, { nowMs: atMs - 3 * dayMs, timeZone, direction: 'future' });
      const isRead =
        time?.kind === 'moment' &&
        (isDay ? Math.floor(time.atMs / dayMs) === Math.floor(atMs / dayMs) : time.atMs === atMs);
      return isRead ? [] : [typed];
    });
    expect(wrong).toEqual([]);
  });
});

test('every date as the bot shows it, in any language, form and zone, is understood when it is typed soon before', () => {
  const zones = ['UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kolkata', 'Pacific/Auckland'];
  const from = Date.UTC(2026, 0, 1) / 60_000;
  const to = Date.UTC(2032, 0, 1) / 60_000;
  fc.assert(
    fc.property(
      fc.constantFrom(...languageCodes),
      fc.constantFrom(...days, ...moments),
      fc.constantFrom(...zones),
      fc.integer({ min: from, max: to }),
      fc.integer({ min: 2, max: 180 }),
      (language, form, zone, minute, daysBefore) => {
        const atMs = minute * 60_000;
        const format = dateFormat(locales[language], dateForms[form], zone);
        const typed = format.format(atMs);
        const typedMs = atMs - daysBefore * dayMs;
        const time = readTime(typed, { nowMs: typedMs, timeZone: zone, direction: 'future' });
        expect([typed, time?.kind]).toEqual([typed, 'moment']);
        if (time?.kind !== 'moment') return;
        // An hour that the clock shows twice is one of the two.
        expect(format.format(time.atMs)).toBe(typed);
        // The longest day has 25 hours.
        expect(Math.abs(time.atMs - atMs)).toBeLessThan(dayMs + dayMs / 24);
      },
    ),
    { numRuns: runs(1_000) },
  );
});
