import type { AuditEntry } from '../../src/domain/audit-chain.ts';

/** Ada closes a quiz by command. */
export function auditEntry(overrides: Partial<AuditEntry> = {}): AuditEntry {
  return {
    at: Date.UTC(2026, 0, 2, 3, 4, 5),
    correlationId: 'a1b2c3d4',
    by: 'U00000ADA',
    operation: 'close-quiz',
    action: 'done',
    through: 'command',
    targets: [{ kind: 'quiz', id: 'q-1', name: 'Fire safety' }],
    ...overrides,
  };
}
