import { named, say } from '../../../src/domain/said.ts';
import type { ApprovalRequest } from '../../../src/domain/approval-request.ts';
import type { AuditEntry } from '../../../src/domain/audit-chain.ts';
import { QuizApiError } from '../../../src/quiz-api/errors.ts';

/** An open request by Uma to suspend Rosa. */
export function approvalRequest(overrides: Partial<ApprovalRequest> = {}): ApprovalRequest {
  return {
    id: 'request-1',
    teamId: 'T0SANDBOX',
    operation: 'suspend-user',
    input: { user: ['u-rosa'] },
    requesterId: 'U00000UMA',
    reason: 'She has left',
    createdAt: 1_000,
    remindAt: 2_000,
    expiresAt: 3_000,
    asked: {
      action: say`suspend ${named('Rosa Almeida')}`,
      effect: say`They couldn’t sign in until someone reinstates them.`,
      details: [{ label: 'User', value: 'Rosa Almeida' }],
      targets: [{ kind: 'user', id: 'u-rosa', name: 'Rosa Almeida', facts: { Type: 'respondent' } }],
    },
    state: 'open',
    isReminded: false,
    failures: 0,
    posts: { messages: [] },
    ...overrides,
  };
}

/** The messages of an open request that reviewers and requester see as it is. */
export const posted = {
  messages: [{ channel: 'C1', ts: '1' }],
  shown: 'open after 0 failures',
  requester: { channel: 'D1', ts: '2' },
  told: 'open after 0 failures',
} as const;

/** An entry for a quiz that Ada closed with a command. */
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

type Failing = ConstructorParameters<typeof QuizApiError>;

/** A call of the quiz service that failed for this reason, by default one that changes something. */
export function serviceError(
  reason: Failing[0],
  { method = 'POST', ...details }: NonNullable<Failing[3]> & { method?: string } = {},
): QuizApiError {
  return new QuizApiError(reason, { operation: 'call', method, path: '/v1/path' }, `ended with ${reason}`, details);
}
