import { describe, expect, test } from 'vitest';
import { absenceIn, findAbsences } from '../../../src/features/imports/titles.ts';

const saidBy = (title: string, cell: string) => {
  const columns = findAbsences([title], () => [cell], new Set());
  const absence = absenceIn([cell], columns, '2026-11-30');
  return absence === undefined ? 'here' : absence.isUnclear ? 'unclear' : 'gone';
};

describe('a column that says who is gone', () => {
  test.each([
    ['Termination Date', '2026-11-29', 'gone'],
    ['Termination Date', '2026-11-30', 'here'],
    ['Termination Date', '2026-12-31T00:00:00', 'here'],
    ['Termination Date', '9999-12-31', 'here'],
    ['Termination Date', '', 'here'],
    ['Termination Date', 'open', 'here'],
    ['Termination Date', '29 Nov 2026', 'gone'],
    ['Termination Date', 'Dec 1, 2026', 'here'],
    ['Termination Date', '46355', 'gone'],
    ['Termination Date', '46357', 'here'],
    // 3 April or 4 March: both are past.
    ['End date', '03/04/2026', 'gone'],
    // 12 January 2026 or 1 December.
    ['End date', '12/01/2026', 'unclear'],
    ['End date', '31/12/2026', 'here'],
    ['End date', '2026-13-45', 'unclear'],
    ['Austritt', '29.11.26', 'gone'],
    ['Austritt', '1.12.2026', 'here'],
    ['Terminated', 'Yes', 'gone'],
    ['Terminated', '2026-01-31', 'gone'],
    ['Terminated', 'perhaps', 'unclear'],
    ['Suspended', '0', 'here'],
    ['Gesperrt', 'ja', 'gone'],
    ['Active', 'FALSE', 'gone'],
    ['Active', 'Full-time', 'here'],
    ['Attivo', 'Vero', 'here'],
    ['Attivo', 'Falso', 'gone'],
    ['Employee status', 'Terminated - voluntary', 'gone'],
    ['Employee status', 'On leave', 'here'],
    ['Estado', 'Baja', 'gone'],
    ['Status', 'Nieaktywny', 'gone'],
    ['Estado', 'Baja California', 'here'],
    ['Type', 'Multi-Channel Guest', 'gone'],
    ['Type', 'Trainer', 'here'],
    ['Notes', 'Terminated', 'here'],
  ])('%s: %s means %s', (title, cell, verdict) => {
    expect(saidBy(title, cell)).toBe(verdict);
  });
});
