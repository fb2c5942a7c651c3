import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { longestTime, parseTime, parseTimeOfDay } from '../../../src/operations/dates/time-expression.ts';
import { readTime, timeInWords, type TimeSetting } from '../../../src/operations/dates/typed-time.ts';
import { dateForms, writtenDate, type DateForm } from '../../../src/time/date-words.ts';
import { locales } from '../../../src/words/languages.ts';
import { wallClock } from '../../../src/time/wall-clock.ts';
import { runs } from '../../support/drawn.ts';

/** A Sunday. */
const nowMs = Date.parse('2026-11-22T10:15:30Z');
const wednesday = Date.parse('2026-11-25T10:00:00Z');
const read = (text: string, setting: Partial<TimeSetting> = {}) =>
  readTime(text, { nowMs, timeZone: 'UTC', direction: 'future', ...setting });
const inIso = (text: string, setting: Partial<TimeSetting> = {}) => {
  const time = read(text, setting);
  return time?.kind === 'moment' ? new Date(time.atMs).toISOString().replace(/(:00)?\.000Z$/, '') : time?.message;
};

test.each([
  ['today', '2026-11-22T00:00', '2026-11-22T00:00'],
  ['Tomorrow', '2026-11-23T00:00', '2026-11-23T00:00'],
  ['yesterday', '2026-11-21T00:00', '2026-11-21T00:00'],
  ['friday', '2026-11-27T00:00', '2026-11-20T00:00'],
  ['fri', '2026-11-27T00:00', '2026-11-20T00:00'],
  ['sunday', '2026-11-29T00:00', '2026-11-22T00:00'],
  ['on thurs', '2026-11-26T00:00', '2026-11-19T00:00'],
  ['sun 11am', '2026-11-22T11:00', '2026-11-15T11:00'],
  ['next friday', '2026-11-27T00:00', '2026-11-27T00:00'],
  ['last sunday', '2026-11-15T00:00', '2026-11-15T00:00'],
  ['last friday', '2026-11-20T00:00', '2026-11-20T00:00'],
  ['next week', '2026-11-23T00:00', '2026-11-23T00:00'],
  ['last week', '2026-11-09T00:00', '2026-11-09T00:00'],
  ['15 dec', '2026-12-15T00:00', '2025-12-15T00:00'],
  ['dec 15', '2026-12-15T00:00', '2025-12-15T00:00'],
  ['15th of December', '2026-12-15T00:00', '2025-12-15T00:00'],
  ['22 nov', '2026-11-22T00:00', '2026-11-22T00:00'],
  ['1 nov', '2027-11-01T00:00', '2026-11-01T00:00'],
  ['november', '2027-11-01T00:00', '2026-11-01T00:00'],
  ['29 feb', '2028-02-29T00:00', '2024-02-29T00:00'],
  ['15 dec 2026', '2026-12-15T00:00', '2026-12-15T00:00'],
  ['Dec 15, 2026', '2026-12-15T00:00', '2026-12-15T00:00'],
  ['15.12.', '2026-12-15T00:00', '2025-12-15T00:00'],
  ['15.12.2026', '2026-12-15T00:00', '2026-12-15T00:00'],
  ['2026-12-15', '2026-12-15T00:00', '2026-12-15T00:00'],
  ['2026-12-15T08:30', '2026-12-15T08:30', '2026-12-15T08:30'],
  ['25/12', '2026-12-25T00:00', '2025-12-25T00:00'],
  ['12/25/2026', '2026-12-25T00:00', '2026-12-25T00:00'],
  ['8am', '2026-11-23T08:00', '2026-11-22T08:00'],
  ['8:30 pm', '2026-11-22T20:30', '2026-11-21T20:30'],
  ['17:00', '2026-11-22T17:00', '2026-11-21T17:00'],
  ['noon', '2026-11-22T12:00', '2026-11-21T12:00'],
  ['12am', '2026-11-23T00:00', '2026-11-22T00:00'],
  ['tomorrow 8am', '2026-11-23T08:00', '2026-11-23T08:00'],
  ['tomorrow at 8 a.m.', '2026-11-23T08:00', '2026-11-23T08:00'],
  ['8am tomorrow', '2026-11-23T08:00', '2026-11-23T08:00'],
  ['15 dec 17:00', '2026-12-15T17:00', '2025-12-15T17:00'],
  ['Fri 27 Nov, 08:00', '2026-11-27T08:00', '2025-11-27T08:00'],
  ['2h', '2026-11-22T12:15:30', '2026-11-22T08:15:30'],
  ['30m', '2026-11-22T10:45:30', '2026-11-22T09:45:30'],
  ['3d', '2026-11-25T10:15:30', '2026-11-19T10:15:30'],
  ['1w', '2026-11-29T10:15:30', '2026-11-15T10:15:30'],
  ['in 2 hours', '2026-11-22T12:15:30', '2026-11-22T08:15:30'],
  ['an hour', '2026-11-22T11:15:30', '2026-11-22T09:15:30'],
  ['2 days ago', '2026-11-20T10:15:30', '2026-11-20T10:15:30'],
])('“%s” is %s in the future, %s in the past', (text, future, past) => {
  expect([inIso(text), inIso(text, { direction: 'past' })]).toEqual([future, past]);
});

test.each([
  ['3/4', 'That could be two different dates or times. Type it like “3 apr”.'],
  ['11/4/2026', 'That could be two different dates or times. Type it like “11 apr 2026”.'],
  ['8.10', 'That could be two different dates or times. Type it like “8:10”.'],
  ['30 feb', 'There’s no 30 Feb.'],
  ['2026-02-29', 'There’s no 29 Feb.'],
  ['99999w', 'That’s too many days.'],
])('“%s” gets the sentence “%s”', (text, message) => {
  expect(read(text)).toMatchObject({ kind: 'problem', message });
});

test.each([
  '',
  'kitchen',
  '7',
  '8',
  '15',
  '25:00',
  '8:60',
  '13pm',
  '0am',
  'dec 32',
  '15 foo',
  'next',
  'in',
  'tomorrow kitchen',
  '2026-13-01',
  '12345-01-01',
  'next tomorrow',
  '0/4',
  'last 3 words of a quiz',
])('“%s” is no time', (text) => {
  expect(read(text)).toBeUndefined();
});

test('a day without a year is the next or the last on which the date exists, and today’s date is today', () => {
  expect(inIso('29 feb', { nowMs: Date.parse('2097-01-01T00:00:00Z') })).toBe('2104-02-29T00:00');
  expect(inIso('22 nov 9am')).toBe('2027-11-22T09:00');
});

test('“next friday” from Monday to Sunday is the Friday of the week after', () => {
  const days = Array.from({ length: 8 }, (_, index) => Date.parse('2026-11-23T12:00:00Z') + index * 86_400_000);
  expect(days.map((day) => inIso('next friday', { nowMs: day })?.slice(0, 10))).toEqual([
    ...Array.from({ length: 7 }, () => '2026-12-04'),
    '2026-12-11',
  ]);
});

describe('in a time zone', () => {
  test('days begin at its midnight', () => {
    expect(inIso('tomorrow', { timeZone: 'Asia/Tokyo' })).toBe('2026-11-22T15:00');
    expect(inIso('8am', { timeZone: 'America/New_York' })).toBe('2026-11-22T13:00');
  });

  test('days are days of the wall clock, and hours are hours', () => {
    const beforeTheChange = Date.parse('2026-10-24T10:00:00Z');
    const berlin = { timeZone: 'Europe/Berlin', nowMs: beforeTheChange };
    expect(inIso('1d', berlin)).toBe('2026-10-25T11:00');
    expect(inIso('24h', berlin)).toBe('2026-10-25T10:00');
  });

  test('a time that a clock change skips is the first moment after the gap', () => {
    expect(inIso('29 mar 2:30am', { timeZone: 'Europe/Berlin', nowMs: Date.parse('2026-03-28T12:00:00Z') })).toBe(
      '2026-03-29T01:00',
    );
  });
});

test('the longest moment at the beginning of some words is taken', () => {
  const lengthIn = (line: string) => longestTime(line.split(' '))?.length;
  expect(
    ['7d kitchen', '15 dec kitchen', '15 dec 2026 8:30 pm kitchen', 'next friday', 'kitchen 7d', 'monday monday'].map(
      lengthIn,
    ),
  ).toEqual([1, 2, 5, 2, undefined, 1]);
});

test.each([
  ['8am', 480],
  ['8:30 pm', 1_230],
  ['08.30', 510],
  ['12 AM', 0],
  ['noon', 720],
  ['midnight', 0],
  ['23:59', 1_439],
])('“%s” is a time of day', (text, minutes) => {
  expect(parseTimeOfDay(text)).toBe(minutes);
});

test.each(['8', '24:00', '13pm', 'morning', ''])('“%s” is no time of day', (text) => {
  expect(parseTimeOfDay(text)).toBeUndefined();
});

const zones = fc.constantFrom(
  'UTC',
  'Europe/Berlin',
  'America/Havana',
  'Asia/Beirut',
  'Australia/Lord_Howe',
  'Pacific/Auckland',
  'Pacific/Apia',
);
const moments = fc.integer({ min: Date.parse('2000-01-01'), max: Date.parse('2037-12-31') });

test('any moment is read back from its words, by the wall clock', () => {
  fc.assert(
    fc.property(
      moments,
      fc.integer({ min: 60_000, max: 3 * 365 * 86_400_000 }),
      zones,
      fc.constantFrom('past' as const, 'future' as const),
      (now, apart, timeZone, direction) => {
        const atMs = direction === 'future' ? now + apart : now - apart;
        const words = timeInWords(atMs, { nowMs: now, timeZone });
        const time = readTime(words, { nowMs: now, timeZone, direction });
        const { shownAt } = wallClock(timeZone);
        const toTheMinute = Math.floor(shownAt(atMs) / 60_000) * 60_000;
        // Around a change of the clock, the same minute of the wall clock can be before and after now.
        fc.pre(direction === 'future' ? toTheMinute > shownAt(now) : toTheMinute <= shownAt(now));
        expect(time).toEqual({ kind: 'moment', atMs: expect.any(Number), isDay: false });
        expect(time?.kind === 'moment' && shownAt(time.atMs)).toBe(toTheMinute);
      },
    ),
  );
});

test.each(Object.entries(locales))('what the bot writes of a moment in %s is read back as that moment', (_, locale) => {
  const forms = Object.keys(dateForms).filter((form) => !form.startsWith('month')) as DateForm[];
  fc.assert(
    fc.property(
      moments,
      fc.integer({ min: 2 * 24 * 60, max: 300 * 24 * 60 }),
      zones,
      fc.constantFrom(...forms),
      (now, minutes, zone, form) => {
        const begun = Math.floor(now / 60_000) * 60_000;
        const atMs = begun + minutes * 60_000;
        const { shownAt, firstMomentOf } = wallClock(zone);
        // What a clock that is put back shows twice is the first of both.
        fc.pre(firstMomentOf(shownAt(atMs)) === atMs);
        const isToTheMinute = /time|moment/i.test(form);
        const day = firstMomentOf(Math.floor(shownAt(atMs) / 86_400_000) * 86_400_000);
        const text = writtenDate(locale, zone, { form, atMs, zone }) ?? '';
        expect({ text, ...readTime(text, { nowMs: begun, timeZone: zone, direction: 'future' }) }).toEqual({
          text,
          kind: 'moment',
          atMs: isToTheMinute ? atMs : day,
          isDay: !isToTheMinute,
        });
      },
    ),
    { numRuns: runs(2_000) },
  );
});

test.each([
  ['15 dec 17:00 UTC', '2026-12-15T17:00'],
  ['17:00 utc+5:30', '2026-11-25T11:30'],
  ['15. Dez. 2026, 17:00 MEZ', '2026-12-15T16:00'],
  ['15 jul 17:00 CEST', '2027-07-15T15:00'],
  ['15 dec 17:00 EST', 'EST isn’t your time zone. Type the time in yours, or in UTC.'],
  ['15 dec EST', undefined],
])('%s, typed in Berlin, is %s', (text, means) => {
  expect(inIso(text, { nowMs: wednesday, timeZone: 'Europe/Berlin' })).toBe(means);
});

test('whatever is typed, reading it is total, and the direction holds for moments that name no day or year', () => {
  const words = fc.constantFrom(
    'today',
    'tomorrow',
    'next',
    'last',
    'friday',
    'sun',
    'dec',
    'feb',
    '15',
    '29',
    '30',
    '8am',
    '8:30',
    'pm',
    '17:00',
    'at',
    'on',
    'in',
    '2h',
    '3',
    'weeks',
    'ago',
    '15.12.',
    '3/4',
    '2026-12-15',
    'week',
    'of',
    'the',
    ',',
    '🦊',
  );
  fc.assert(
    fc.property(
      fc.oneof(
        fc.array(words, { maxLength: 9 }).map((some) => some.join(' ')),
        fc.string(),
      ),
      moments,
      zones,
      (text, now, timeZone) => {
        const time = readTime(text, { nowMs: now, timeZone, direction: 'future' });
        expect(time === undefined).toBe(parseTime(text.trim().split(/\s+/)) === undefined);
        expect(time?.kind !== 'moment' || Number.isInteger(time.atMs)).toBe(true);
      },
    ),
  );
  fc.assert(
    fc.property(
      fc.constantFrom('mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'),
      fc.constantFrom('', ' 8am', ' 23:59'),
      moments,
      zones,
      (weekday, time, now, timeZone) => {
        const next = readTime(weekday + time, { nowMs: now, timeZone, direction: 'future' });
        const last = readTime(weekday + time, { nowMs: now, timeZone, direction: 'past' });
        const { shownAt } = wallClock(timeZone);
        expect(next?.kind === 'moment' && shownAt(next.atMs) > shownAt(now)).toBe(true);
        expect(last?.kind === 'moment' && shownAt(last.atMs) - shownAt(now) < 26 * 3_600_000).toBe(true);
      },
    ),
  );
});

describe('a day', () => {
  test.each([
    ['mon 18 dec', ['18 dec 2026', '21 dec 2026']],
    ['thursday 15 december', ['15 dec 2026', '17 dec 2026']],
    ['Montag, 18. Dezember', ['18 dec 2026', '21 dec 2026']],
    ['hasta mar', ['tuesday', '1 march']],
    ['bis 15.12', ['15:12', '15 dec']],
    ['3-4-2026', ['3 apr 2026', '4 mar 2026']],
    ['1h30', ['90min', '1:30']],
  ])('that does not fit its weekday, or is two, is asked: “%s”', (text, meant) => {
    expect(read(text, { nowMs: wednesday })).toMatchObject({ kind: 'problem', meanings: meant });
  });
});

const spoken = (text: string, direction: 'future' | 'past' = 'future') => inIso(text, { nowMs: wednesday, direction });

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
  'fri 18 dec': '2026-12-18T00:00',
  'mid january, Mitte Januar, mi-janvier, mediados de enero, half januari, połowa stycznia': '2027-01-15T00:00',
  'beginning of january': '2027-01-01T00:00',
  'friday eod, eod friday': '2026-11-27T17:00',
  Q1: '2027-03-31T00:00',
};

const rowsOf = (table: Readonly<Record<string, string>>) =>
  Object.entries(table).flatMap(([texts, moment]) => texts.split(', ').map((text): [string, string] => [text, moment]));

test.each(rowsOf(toCome))('“%s” is to come at %s', (text, moment) => {
  expect(spoken(text)).toBe(moment);
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
  expect(spoken(text, 'past')).toBe(moment);
});

const names = [
  'maja, Maja, Rosa Maja, sierpnia, Uhr, godz, na, w, o, a, die, de, que, en, Montag Café, Freitagskreis, heure, uur, r',
  'Sexta Feira Salsa, pour, bis, fällig, tydzień, banana, Freitag banane, la, de la, fin, 15 dec 25:00, week, semana, mes',
];

test.each(names.flatMap((some) => some.split(', ')))('“%s” is no time', (text) => {
  expect(spoken(text)).toBeUndefined();
});

test('words of two languages are no time', () => {
  expect(
    ['nächsten vendredi', 'demain um 9', 'do vrijdag', 'w lundi', 'mañana à midi'].map((text) => spoken(text)),
  ).toEqual(Array.from({ length: 5 }, () => undefined));
});

test('the last day of January is a month before the last day of February', () => {
  const january = Date.parse('2027-01-31T10:00:00Z');
  expect(read('in a month', { nowMs: january })).toEqual({
    kind: 'moment',
    atMs: Date.parse('2027-02-28T10:00:00Z'),
    isDay: true,
  });
});
