import { expect, test, vi } from 'vitest';
import type { AuditEntry } from '../../src/domain/audit-chain.ts';
import { createWorkspaceGuard } from '../../src/slack/connection/entry.ts';
import type { OwnWorkspace } from '../../src/slack/people/people.ts';

/** Delivers a payload, by default an event from the workspace T2. */
async function knock(
  ownWorkspace: () => Promise<OwnWorkspace | undefined>,
  body: object = { team_id: 'T2', user_id: 'U2' },
) {
  const audited: [string, AuditEntry][] = [];
  const next = vi.fn<() => Promise<void>>(async () => {});
  const guard = createWorkspaceGuard({
    ownWorkspace,
    audit: async (...entry) => void audited.push(entry),
    now: () => 1,
    newCorrelationId: () => 'r',
  });
  const context: { teamId?: string } = {};
  const args = { body, next, context };
  const passed = guard(args as unknown as Parameters<typeof guard>[0]);
  return { passed, next, audited, context };
}

const own = (teamId: string, enterpriseId?: string): OwnWorkspace => ({ teamId, enterpriseId });

test('an event waits until the workspace of the bot is known', async () => {
  const { promise, resolve } = Promise.withResolvers<OwnWorkspace>();
  const { passed, next, audited } = await knock(() => promise);
  resolve(own('T1'));
  await passed;
  expect(next).not.toHaveBeenCalled();
  expect(audited).toMatchObject([['T1', { by: 'U2', operation: 'enter', action: 'refused' }]]);
});

test.each([
  ['from the workspace of the bot', own('T2'), undefined],
  ['while Slack does not name the workspace of the bot', undefined, undefined],
  [
    'from another workspace of its organization',
    own('T1', 'E1'),
    { team: { id: 'T2' }, enterprise: { id: 'E1' }, user: { id: 'U2', team_id: 'T2' } },
  ],
  [
    'without a workspace, from its organization',
    own('E1', 'E1'),
    { team: null, enterprise: { id: 'E1' }, user: { id: 'U2', team_id: 'T2' } },
  ],
  ['of a command in its organization', own('E1', 'E1'), { team_id: 'T2', enterprise_id: 'E1', user_id: 'U2' }],
  ['that names only the workspace of the person', own('T2'), { team: null, user: { id: 'U2', team_id: 'T2' } }],
])('accepts a payload %s', async (_, ownWorkspace, body) => {
  const { passed, next, audited, context } = await knock(async () => ownWorkspace, body);
  await passed;
  expect(next).toHaveBeenCalledOnce();
  expect(audited).toEqual([]);
  expect(context.teamId).toBe(ownWorkspace?.teamId);
});

test.each([
  ['of another organization', { team: { id: 'T2' }, enterprise: { id: 'E2' }, user: { id: 'U2' } }],
  [
    'that names only the foreign workspace of the person',
    { team: null, enterprise: null, user: { id: 'U2', team_id: 'T2' } },
  ],
])('refuses a payload %s', async (_, body) => {
  const { passed, next } = await knock(async () => own('T1', 'E1'), body);
  await passed;
  expect(next).not.toHaveBeenCalled();
});
