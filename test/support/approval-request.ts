import type { ApprovalRequest } from '../../src/domain/approval-request.ts';

/** Uma asks to suspend Rosa. */
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
      effect: 'Rosa Almeida cannot sign in until they are reinstated.',
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
