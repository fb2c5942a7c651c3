import { createMessagePreferences } from '../features/alerts/direct-messages/preferences.ts';
import { createChannelLanguages } from '../features/alerts/channel-languages.ts';
import { createIdentity } from '../directory/identity.ts';
import { createAuditPosting } from '../governance/audit/audit-posts.ts';
import { createAgents } from '../slack/agents.ts';
import { createSlackConnection } from '../slack/connection/connection.ts';
import { createPeople } from '../slack/people/people.ts';
import { createPersonLanguages } from '../slack/people/person-languages.ts';
import { closedReason } from '../slack/errors.ts';
import { createPlatform } from '../slack/platform.ts';
import { createWorkflowSteps } from '../slack/workflow-steps/workflow-steps.ts';
import { createInOwnNames } from '../words/render.ts';
import type { Account } from './account.ts';
import type { Foundation } from './foundation.ts';

export type Workspace = ReturnType<typeof createWorkspace>;

/** The workspace: its people, channels and files, who of the quiz account they are, its agents and its workflows. */
export function createWorkspace(
  { config, clock, timeouts, storage, mail, oneAtATime, stopping, observability, renderIn, log }: Foundation,
  { api, ranks, directory: { users } }: Account,
) {
  const { owners, timeZone } = config;
  const { now } = clock;
  const channelLanguages = createChannelLanguages({
    store: storage.kv('channel-languages'),
    defaultLanguage: config.language,
    now,
  });
  const connection = createSlackConnection({
    ...config.slack,
    names: config.names,
    // Who people are is asked over the connection, too.
    readers: {
      languageOfPerson: (personId) => languages.languageOf(personId),
      languageOfChannel: channelLanguages.of,
      personOfDirectMessages: (conversationId) => slack.openDirectMessages.personOf(conversationId),
    },
    renderIn,
    defaultLanguage: config.language,
    observability,
    clock,
  });
  const { client, teamId } = connection;
  const people = createPeople({
    client,
    kept: storage.kv('slack-people'),
    locales: storage.kv('slack-locales'),
    own: connection.identity.confirm,
    teamId,
    sleep: clock.sleep,
    now,
  });
  const languages = createPersonLanguages({
    people,
    chosen: storage.kv('person-languages'),
    teamId,
    language: config.language,
    timeoutMs: timeouts.language,
    log,
    now,
  });
  const identity = createIdentity({
    api,
    users,
    people,
    owners,
    limits: config.rights,
    now,
    onRank: ranks.note,
  });
  const slack = createPlatform({
    connection,
    ...config.slack,
    approvals: config.approvals,
    storage,
    users,
    api: api.users,
    identity,
    people,
    owners,
    timeZone,
    managerField: config.managerField,
    log,
    clock,
  });
  const platform = { name: 'Slack', inOwnNames: createInOwnNames(config.names), closedReason };
  const auditPosting = createAuditPosting({
    channelId: config.auditChannel,
    channel: slack.channel,
    trail: storage.audit,
    names: slack.auditNames,
    administrators: slack.administrators,
    onNobodyNotified: (facts) => slack.undelivered.count('audit_channel', facts),
    mail,
    teamId,
    timeZone,
    log,
    now,
    sleep: (ms) => clock.sleep(ms, stopping.signal),
  });
  return {
    ...slack,
    auditPosting,
    connection,
    channelLanguages,
    teamId,
    identity,
    people,
    languages,
    platform,
    preferences: createMessagePreferences(storage.kv('direct-messages')),
    agents: createAgents({
      isEnabled: config.mcpEnabled,
      signingSecret: config.slack.signingSecret,
      names: config.names,
      storage,
      oneAtATime,
      now,
    }),
    workflowSteps: createWorkflowSteps({
      isEnabled: config.workflowStepsEnabled,
      ...config.slack,
      storage,
      mail,
      connection,
      platform,
      profilesOf: slack.profilesOf,
      log,
      now,
    }),
    /** Called when an entry was put on the audit trail. */
    onRecorded: auditPosting.wake,
  };
}
