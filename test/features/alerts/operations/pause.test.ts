import { describe, expect, test } from 'vitest';
import { pauseAlerts, readPauseEnd } from '../../../../src/features/alerts/operations/pause-and-resume.ts';
import { InvalidInputError, type TextInput } from '../../../../src/operations/text-input.ts';

const nowMs = Date.parse('2026-11-21T12:00:00Z');
const endOf = (typed: string | undefined, timeZone = 'UTC') => readPauseEnd(typed, { nowMs, timeZone });

function readings(line: string): readonly TextInput[] {
  const read = pauseAlerts.parse?.(line) ?? [];
  return 'inputs' in read ? read.inputs : read;
}

const likeliest = (line: string) => readings(line)[0];

describe('a pause', () => {
  test.each([
    ['', undefined, undefined],
    ['for 2h', undefined, '2h'],
    ['2 for 2h', '2', '2h'],
    ['Fire safety until 2026-12-01', 'Fire safety', '2026-12-01'],
    ['until 2026-12-01 Fire safety', 'Fire safety', '2026-12-01'],
    ['Fit for duty', 'Fit for duty', undefined],
    ['“Ready for 2027” for 3 days', 'Ready for 2027', '3 days'],
    ['»Fire safety« for 2h', 'Fire safety', '2h'],
    ["'Fire for 2 safety'", 'Fire for 2 safety', undefined],
    ['O’Brien’s quiz for 2h', 'O’Brien’s quiz', '2h'],
    ['until tomorrow', undefined, 'tomorrow'],
    ['Fire safety until tomorrow 8am', 'Fire safety', 'tomorrow 8am'],
    ['Fit for duty for 2h', 'Fit for duty', '2h'],
    ['Ready for Monday', 'Ready for Monday', undefined],
    ['Ready for an hour', 'Ready', 'an hour'],
    ['“Ready for Monday”', 'Ready for Monday', undefined],
    ['“Ready 2h”', 'Ready 2h', undefined],
    ['Ready 2h', 'Ready 2h', undefined],
  ])('splits “%s” into subscription and time', (line, subscription, time) => {
    expect(likeliest(line)).toEqual({
      ...(subscription !== undefined && { subscription: [subscription] }),
      ...(time !== undefined && { time: [time] }),
    });
  });

  test.each([
    ['Ready 2h', [{ subscription: ['Ready'], time: ['2h'] }]],
    ['friday', [{ time: ['friday'] }]],
    ['“Ready 2h”', []],
    ['“Ready” 2h', [{ subscription: ['Ready'], time: ['2h'] }]],
    ['Ready for 2 moons', [{ subscription: ['Ready'], time: ['2 moons'] }]],
    ['Ready until dark', [{ subscription: ['Ready'], time: ['until dark'] }]],
    ['Ready for Easter', []],
  ])('that can be read in other ways, “%s”, is then %j', (line, others) => {
    expect(readings(line).slice(1)).toEqual(others);
  });

  test.each([
    ['for 30m', '2026-11-21T12:30:00Z'],
    ['for 2h', '2026-11-21T14:00:00Z'],
    ['2 hours', '2026-11-21T14:00:00Z'],
    ['for 3d', '2026-11-24T12:00:00Z'],
    ['until 2026-12-01', '2026-12-01T00:00:00Z'],
    ['until tomorrow', '2026-11-22T00:00:00Z'],
    ['until friday 8am', '2026-11-27T08:00:00Z'],
    ['tomorrow 8am', '2026-11-22T08:00:00Z'],
    ['until 15 dec', '2026-12-15T00:00:00Z'],
  ])('“%s” sets the end of the pause', (typed, end) => {
    expect(endOf(typed)).toBe(Date.parse(end));
  });

  test('until a date ends at the start of the date in the time zone', () => {
    expect(endOf('until 2026-12-01', 'Europe/Berlin')).toBe(Date.parse('2026-11-30T23:00:00Z'));
  });

  test('without a time does not end by itself', () => {
    expect(endOf(undefined)).toBeNull();
  });

  test.each([
    'for ever',
    'for 0h',
    'until 2026-11-20',
    'until 2026-13-01',
    'until 2026-02-30',
    'for 400d',
    'until 3/4',
    'until yesterday',
    'until 30 feb',
  ])('refuses “%s” and repeats the input', (typed) => {
    expect(() => endOf(typed)).toThrow(InvalidInputError);
    expect(() => endOf(typed)).toThrow(typed);
  });
});
