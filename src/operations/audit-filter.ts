import type { AuditEntry } from '../domain/audit-chain.ts';
import { beginningOfDay } from '../time/wall-clock.ts';
import { InvalidInputError } from './operation.ts';

/** Which entries of the audit trail are looked at, and how they are wanted. What is missing narrows nothing. */
export interface AuditFilter {
  /** Slack id of who did it. */
  by?: string;
  /** Name of the operation. */
  operation?: string;
  /** Milliseconds since the epoch. */
  sinceMs?: number;
  isCsv: boolean;
}

const dayMs = 86_400_000;

/**
 * Reads a filter as people type it: a mention, the name of an operation, `since 2026-11-01` or `since 7d`,
 * and `csv`, in any order.
 * @throws {InvalidInputError}
 */
export function parseAuditFilter(text: string, { timeZone, nowMs }: { timeZone: string; nowMs: number }): AuditFilter {
  const filter: AuditFilter = { isCsv: false };
  const words = text.split(/\s+/).filter((word) => word !== '').values();
  for (const word of words) {
    const personId = /^<@([UW][A-Z0-9]+)(?:\|[^>]*)?>$/.exec(word)?.[1];
    if (personId !== undefined) filter.by = personId;
    else if (word.toLowerCase() === 'csv') filter.isCsv = true;
    else if (word.toLowerCase() === 'since') filter.sinceMs = readSince(words.next().value ?? '', timeZone, nowMs);
    else if (/^[a-z]+(-[a-z]+)+$/i.test(word)) filter.operation = word.toLowerCase();
    else throw invalid(`“${word}” is none of: @somebody, an operation such as close-quiz, since 2026-11-01, since 7d, csv.`);
  }
  return filter;
}

export function fitsAuditFilter({ by, operation, at }: AuditEntry, filter: AuditFilter): boolean {
  if (filter.by !== undefined && by !== filter.by) return false;
  if (filter.operation !== undefined && operation !== filter.operation) return false;
  return filter.sinceMs === undefined || at >= filter.sinceMs;
}

function readSince(word: string, timeZone: string, nowMs: number): number {
  const days = /^(\d{1,4})d$/i.exec(word)?.[1];
  if (days !== undefined) return nowMs - Number(days) * dayMs;
  const sinceMs = beginningOfDay(word, timeZone);
  if (sinceMs === undefined) throw invalid('After “since” comes a day or a number of days, such as since 2026-11-01 or since 7d.');
  return sinceMs;
}

function invalid(message: string): InvalidInputError {
  return new InvalidInputError('filter', message);
}
