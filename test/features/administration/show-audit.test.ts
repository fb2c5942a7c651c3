import { describe, expect, test } from 'vitest';
import { fitsAuditFilter, parseAuditFilter } from '../../../src/features/administration/show-audit.ts';
import { auditEntry } from '../../support/builders/governance.ts';

const nowMs = Date.UTC(2026, 10, 20, 12);
const parse = (text: string, timeZone = 'UTC') => parseAuditFilter(text, { timeZone, nowMs, me: 'U00000ME' });
const everything = { person: undefined, words: [], fromMs: -Infinity, toMs: Infinity, isCsv: false };

describe('a filter of the audit trail', () => {
  test('is read in any order', () => {
    expect(parse('')).toEqual(everything);
    expect(parse('csv person:U00000ADA|ada')).toEqual({ ...everything, isCsv: true, person: 'U00000ADA' });
    expect(parse('me')).toEqual({ ...everything, person: 'U00000ME' });
    expect(parse('Close-Quiz since 7d')).toEqual({
      ...everything,
      words: ['close', 'quiz'],
      fromMs: Date.UTC(2026, 10, 13),
    });
    expect(parse('since yesterday 8 am csv', 'Europe/Berlin')).toEqual({
      ...everything,
      isCsv: true,
      fromMs: Date.UTC(2026, 10, 19, 7),
    });
    expect(parse('last week')).toMatchObject({ fromMs: Date.UTC(2026, 10, 9), toMs: Date.UTC(2026, 10, 16) });
    expect(() => parse('since 3/4')).toThrow('two different dates');
    expect(parse('since 2026-11-01', 'Europe/Berlin')).toEqual({ ...everything, fromMs: Date.UTC(2026, 9, 31, 23) });
  });

  test.each(['since', 'since kitchen', 'since 2026-13-01', '<!channel>', 'channel:C1'])(
    'says what it takes instead of “%s”',
    (text) => {
      expect(() => parse(text)).toThrow(/since 7d/);
    },
  );

  test('matches whom an entry is about, and names of people, things and operations', () => {
    expect(parse('by “Rosa Almeida” and csv')).toEqual({ ...everything, isCsv: true, words: ['rosa', 'almeida'] });
    const about = auditEntry({
      at: nowMs,
      by: 'U00000ADA',
      operation: 'suspend-user',
      targets: [{ kind: 'user', id: 'u-rosa', name: 'Rosa Almeida' }],
    });
    expect(fitsAuditFilter(about, parse('person:U0000ROSA'), { userId: 'u-rosa', nameOf: () => undefined })).toBe(true);
    expect(fitsAuditFilter(about, parse('person:U0000KIM'), { userId: 'u-kim', nameOf: () => undefined })).toBe(false);
    expect(fitsAuditFilter(about, parse('ada suspend'), { nameOf: () => 'Ada Okafor' })).toBe(true);
    expect(fitsAuditFilter(about, parse('ada close'), { nameOf: () => 'Ada Okafor' })).toBe(false);
  });
});
