import { expect, test, vi } from 'vitest';
import type { AuditEntry } from '../../src/domain/audit-chain.ts';
import { createWorkspaceGuard } from '../../src/slack/workspace-guard.ts';

/** Delivers an event from the workspace T2. */
async function knock(ownTeamId: () => Promise<string | undefined>) {
  const audited: [string, AuditEntry][] = [];
  const next = vi.fn<() => Promise<void>>(async () => {});
  const gate = createWorkspaceGuard({ ownTeamId, audit: async (...entry) => void audited.push(entry), now: () => 1, newCorrelationId: () => 'r' });
  const args = { body: { team_id: 'T2', user_id: 'U2' }, next };
  const formState = gate(args as unknown as Parameters<typeof gate>[0]);
  return { formState, next, audited };
}

test('an event waits until the workspace of the bot is known', async () => {
  const { promise, resolve } = Promise.withResolvers<string>();
  const { formState, next, audited } = await knock(() => promise);
  resolve('T1');
  await formState;
  expect(next).not.toHaveBeenCalled();
  expect(audited).toMatchObject([['T1', { by: 'U2', operation: 'enter', action: 'refused' }]]);
});

test.each([['if it comes from the workspace of the bot', 'T2'], ['if Slack does not name the workspace of the bot', undefined]])('accepts an event %s', async (_, own) => {
  const { formState, next, audited } = await knock(async () => own);
  await formState;
  expect(next).toHaveBeenCalledOnce();
  expect(audited).toEqual([]);
});
