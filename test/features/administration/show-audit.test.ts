import { describe, expect, test } from 'vitest';
import { fitsAuditFilter, parseAuditFilter } from '../../../src/features/administration/audit-filter.ts';
import { auditEntry } from '../../support/builders/governance.ts';

const nowMs = Date.UTC(2026, 10, 20, 12);
const parse = (text: string, timeZone = 'UTC') => parseAuditFilter(text, { timeZone, nowMs });

describe('a filter of the audit trail', () => {
  test('is parsed in any order', () => {
    expect(parse('')).toEqual({ isCsv: false });
    expect(parse('csv person:U00000ADA|ada')).toEqual({ isCsv: true, person: 'U00000ADA' });
    expect(parse('Close-Quiz since 7d')).toEqual({
      isCsv: false,
      words: ['close', 'quiz'],
      sinceMs: nowMs - 7 * 86_400_000,
    });
    expect(parse('since yesterday 8 am csv', 'Europe/Berlin')).toEqual({
      isCsv: true,
      sinceMs: Date.UTC(2026, 10, 19, 7),
    });
    expect(() => parse('since 3/4')).toThrow('two different dates');
    expect(parse('since 2026-11-01', 'Europe/Berlin')).toEqual({ isCsv: false, sinceMs: Date.UTC(2026, 9, 31, 23) });
  });

  test.each(['since', 'since kitchen', 'since 2026-13-01', '<!channel>', 'channel:C1'])(
    'says what it takes instead of “%s”',
    (text) => {
      expect(() => parse(text)).toThrow(/since 7d/);
    },
  );

  test('matches person, operation and time', () => {
    const entry = auditEntry({ at: nowMs, by: 'U00000ADA', operation: 'close-quiz' });
    for (const text of [
      '',
      'person:U00000ADA',
      'close-quiz',
      'since 2026-11-20',
      'person:U00000ADA close-quiz since 1d',
    ])
      expect(fitsAuditFilter(entry, parse(text))).toBe(true);
    for (const text of ['person:U00000TOM', 'open-quiz', 'since 2026-11-21'])
      expect(fitsAuditFilter(entry, parse(text))).toBe(false);
  });

  test('matches whom an entry is about, and names of people, things and operations', () => {
    expect(parse('by “Rosa Almeida” and csv')).toEqual({ isCsv: true, words: ['rosa', 'almeida'] });
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
