import { expect, test } from 'vitest';
import { readTime } from '../../../src/operations/dates/typed-time.ts';

/** A Wednesday. */
const nowMs = Date.parse('2026-11-25T10:00:00Z');
const read = (text: string, direction: 'future' | 'past' = 'future') => {
  const time = readTime(text, { nowMs, timeZone: 'UTC', direction });
  return time?.kind === 'moment' ? new Date(time.atMs).toISOString().slice(0, 16) : time?.message;
};

test.each([
  ['tomorrow', ['tomorrow', 'morgen', 'demain', 'mañana', 'Morgen'], '2026-11-26T00:00'],
  ['the day after', ['übermorgen', 'après-demain', 'pasado mañana', 'overmorgen'], '2026-11-27T00:00'],
  ['friday', ['by friday', 'bis Freitag', 'vendredi', 'hasta el viernes', 'vrijdag'], '2026-11-27T00:00'],
  [
    'next friday',
    ['nächsten Freitag', 'vendredi prochain', 'el próximo viernes', 'volgende vrijdag'],
    '2026-12-04T00:00',
  ],
  ['next week', ['nächste Woche', 'la semaine prochaine', 'la próxima semana', 'volgende week'], '2026-11-30T00:00'],
  ['next month', ['nächsten Monat', 'le mois prochain', 'próximo mes', 'volgende maand'], '2026-12-01T00:00'],
  ['in 1 day', ['in 1 Tag', 'en 1 día', 'dentro de un día'], '2026-11-26T10:00'],
  [
    'in 3 days',
    ['in drei Tagen', 'in 3 Tagen', 'dans 3 jours', 'en 3 días', 'dentro de tres días', 'over 3 dagen'],
    '2026-11-28T10:00',
  ],
  ['in 2 weeks', ['in zwei Wochen', 'dans deux semaines', 'en 2 semanas', 'over 2 weken'], '2026-12-09T10:00'],
  ['in 6 months', ['in 6 Monaten', 'dans 6 mois', 'en seis meses', 'over 6 maanden'], '2027-05-25T10:00'],
  [
    'end of month',
    ['end of the month', 'eom', 'Ende des Monats', 'Ende Monat', 'fin du mois', 'fin de mes', 'eind van de maand'],
    '2026-11-30T00:00',
  ],
  ['tonight', ['tonight', 'heute Nacht', 'esta noche', 'vanavond', 'cette nuit'], '2026-11-25T20:00'],
  [
    '15 dec',
    [
      '15. Dezember',
      '15 décembre',
      '15 de diciembre',
      'el día 15 de diciembre',
      'hasta el día 15 de diciembre',
      'le 15 déc.',
    ],
    '2026-12-15T00:00',
  ],
  ['31 dec', ['31.12', '31.12.', '31/12', '31.12.26', '31.12.2026'], '2026-12-31T00:00'],
  [
    'monday at five',
    ['Montag 17:00', 'Montag um 17:00 Uhr', 'lundi à 17:00', 'lunes a las 17:00', 'maandag om 17:00'],
    '2026-11-30T17:00',
  ],
])('%s is understood as %j', (_, texts, moment) => {
  expect(texts.map((text) => [text, read(text)])).toEqual(texts.map((text) => [text, moment]));
});

test.each([
  [['letzte Woche', 'la semaine dernière', 'la semana pasada', 'vorige week'], '2026-11-16T00:00'],
  [['letzten Monat', 'le mois dernier', 'el mes pasado', 'vorige maand'], '2026-10-01T00:00'],
  [['last 7 days', 'past week', 'vor 7 Tagen', 'il y a 7 jours', 'hace 7 días', '7 dagen geleden'], '2026-11-18T10:00'],
  [['yesterday', 'gestern', 'hier', 'ayer', 'gisteren'], '2026-11-24T00:00'],
])('%j is in the past', (texts, moment) => {
  expect(texts.map((text) => [text, read(text, 'past')])).toEqual(texts.map((text) => [text, moment]));
});

test.each([
  ['in 3 years', '2029-11-25T10:00'],
  ['a year', '2027-11-25T10:00'],
  ['end of next year', '2027-12-31T00:00'],
  ['end of the week', '2026-11-27T00:00'],
  ['tomorrow morning', '2026-11-26T09:00'],
  ['eod', '2026-11-25T17:00'],
  ['9999 years', 'That’s too many years.'],
])('“%s” is %s', (text, moment) => {
  expect(read(text)).toBe(moment);
});

test.each(['banana', 'Freitag banane', 'la', 'de la', 'fin', '15 dec 25:00', 'week', 'semana', 'Fire', 'mes'])(
  '“%s” is no time',
  (text) => {
    expect(read(text)).toBeUndefined();
  },
);

test('the last day of January is a month before the last day of February', () => {
  const january = Date.parse('2027-01-31T10:00:00Z');
  const time = readTime('in a month', { nowMs: january, timeZone: 'UTC', direction: 'future' });
  expect(time).toEqual({ kind: 'moment', atMs: Date.parse('2027-02-28T10:00:00Z'), isDay: true });
});
