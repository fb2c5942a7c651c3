import { createMessagePreferences } from '../features/delivery/person-view.ts';
import { createAnnouncementChannel, createRefused, createUndelivered } from '../slack/announcing/post.ts';
import { createFileReader, createFileSender } from '../slack/files.ts';
import { createChannelLanguages } from '../features/alerts/channel-languages.ts';
import { createIdentity } from '../directory/identity.ts';
import { createSharedState } from '../durable/shared-state.ts';
import { createStepRunner } from '../features/workflows/run-step.ts';
import { createStepGrants } from '../features/workflows/step-grants.ts';
import { createLookFor } from '../features/workflows/waiting.ts';
import { createNotifyOnce } from '../health/health.ts';
import { createWorkflows } from '../features/workflows/workflows.ts';
import { createAuditPosting } from '../governance/audit/audit-machine.ts';
import type { Governance } from '../governance/governance.ts';
import { createAgents } from '../slack/agents.ts';
import { createAuditNames } from '../slack/announcing/audit-names.ts';
import { createAdministratorNotice, createNotifier } from '../slack/announcing/notifier.ts';
import { createSlackConnection } from '../slack/connection/client.ts';
import { closedReason } from '../slack/errors.ts';
import {
  createFindAdministrators,
  createFindColleague,
  createFindRecipient,
  createIsMember,
  createReach,
} from '../slack/people/addresses.ts';
import { createWhoHasLeft } from '../slack/people/departed.ts';
import { createFindCompanies, createMembersOf } from '../slack/people/members.ts';
import { createOpenDirectMessages, createOpeningTurn } from '../slack/people/direct-messages.ts';
import { createDoNotDisturb } from '../slack/people/do-not-disturb.ts';
import { createManagers } from '../slack/people/managers.ts';
import { createPeople, createPersonLanguages } from '../slack/people/people.ts';
import { createComplete } from '../slack/workflow-steps/steps.ts';
import { createInOwnNames } from '../words/render.ts';
import { knownTimeZone } from '../time/wall-clock.ts';
import type { Account } from './account.ts';
import type { Foundation } from './foundation.ts';

export type Workspace = ReturnType<typeof createWorkspace>;

/** The workspace: its people, channels and files, who of the quiz account they are, its agents and its workflows. */
export function createWorkspace(foundation: Foundation, { api, ranks, directory: { users } }: Account) {
  const { config, clock, timeouts, storage, mail, oneAtATime, stopping, log, metrics, renderIn } = foundation;
  const { owners, timeZone } = config;
  const { botToken, apiUrl, signingSecret } = config.slack;
  const { now, sleep } = clock;
  const channelLanguages = createChannelLanguages({
    store: storage.kv('channel-languages'),
    defaultLanguage: config.language,
    now,
  });
  const connection = createSlackConnection({
    ...config.slack,
    proxies: config.proxies,
    names: config.names,
    // Who people are is asked over the connection, too.
    readers: {
      languageOfPerson: (personId) => languages.languageOf(personId),
      languageOfChannel: channelLanguages.of,
      personOfDirectMessages: (conversationId) => openDirectMessages.personOf(conversationId),
    },
    renderIn,
    defaultLanguage: config.language,
    log,
    metrics,
    clock,
  });
  const { client, postingClient, teamId, knownTeamId } = connection;
  const own = connection.identity.confirm;
  const shared = { ...foundation, client, own, users, timeZone, now, sleep };

  const people = createPeople({
    ...shared,
    kept: storage.kv('slack-people'),
    locales: storage.kv('slack-locales'),
    teamId,
  });
  const languages = createPersonLanguages({
    ...shared,
    people,
    chosen: storage.kv('person-languages'),
    teamId,
    language: config.language,
    timeoutMs: timeouts.language,
  });
  const identity = createIdentity({ api, users, people, owners, limits: config.rights, now, onRank: ranks.note });
  const findColleague = createFindColleague({
    ...shared,
    people,
    colleagues: storage.kv('slack-colleagues'),
    teamId: knownTeamId,
  });
  const administrators = createFindAdministrators({ users, owners, findColleague });
  const openDirectMessages = createOpenDirectMessages({
    client,
    conversations: storage.kv('slack-conversations'),
    teamId: knownTeamId,
  });
  const { quietUntil, isVisible } = createDoNotDisturb(shared);
  const membersOf = createMembersOf(client);
  const undelivered = createUndelivered({ ...shared, counters: storage.counters, metrics: connection.metrics });
  const refused = createRefused({ ...shared, counters: storage.counters });
  const posting = { ...shared, client: postingClient, administrators, openDirectMessages };
  const channel = createAnnouncementChannel(botToken, connection.clientOptions, openDirectMessages);
  const platform = { name: 'Slack', inOwnNames: createInOwnNames(config.names), closedReason };
  const auditPosting = createAuditPosting({
    ...posting,
    channelId: config.auditChannel,
    channel,
    trail: storage.audit,
    names: createAuditNames({ client, people, now }),
    onNobodyNotified: (facts) => undelivered.count('audit_channel', facts),
    mail,
    teamId,
    sleep: (ms) => sleep(ms, stopping.signal),
  });

  const notifyOnce = createNotifyOnce({ storage, oneAtATime, tellAdministrators: createAdministratorNotice(posting) });

  return {
    connection,
    teamId,
    channelLanguages,
    people,
    languages,
    identity,
    platform,
    openDirectMessages,
    findCompanies: createFindCompanies({ client, log }),
    undelivered,
    refused,
    countRefused: refused.count,
    administrators,
    membersOf,
    channel,
    managers: createManagers({
      ...shared,
      people,
      field: config.managerField,
      kept: storage.kv('slack-managers'),
      teamId: knownTeamId,
    }),
    reach: createReach({ findColleague, identity, timeZone }),
    whoHasLeft: createWhoHasLeft({ people, identity }),
    /** Whether Slack lets the bot see do-not-disturb; undefined before it was asked. */
    seesDoNotDisturb: isVisible,
    recipients: {
      findRecipient: createFindRecipient({ ...shared, api: api.users, identity, findColleague }),
      findPerson: async (personId: string) => {
        const { outsider, timeZone: zone } = await people.of(personId);
        return outsider === undefined
          ? ({ kind: 'found', personId, timeZone: knownTimeZone(zone) ?? timeZone } as const)
          : ({ kind: 'nobody', reason: 'no_person' } as const);
      },
      isMember: createIsMember({ users, now }),
      openingTurn: createOpeningTurn({ knows: openDirectMessages.knows, now }),
      quietUntil,
    },
    sendFile: createFileSender(client, {
      renderFor: async (personId) => renderIn(personId === undefined ? 'en' : await languages.languageOf(personId)),
    }),
    readFile: createFileReader({ client, token: botToken, apiUrl, membersOf }),
    profilesOf: people.profilesOf,
    notifier: createNotifier({ ...posting, ...config.approvals, onNobodyTold: undelivered.count }),
    notifyOnce,
    auditPosting,
    /** Called when an entry was put on the audit trail. */
    onRecorded: auditPosting.wake,
    preferences: createMessagePreferences(storage.kv('direct-messages')),
    agents: createAgents({
      isEnabled: config.mcpEnabled,
      signingSecret,
      names: config.names,
      storage,
      oneAtATime,
      now,
    }),
    workflowSteps: workflowSteps(),
  };

  /** The custom steps of workflows. Where they are turned off, runs that wait still end with their time. */
  function workflowSteps() {
    const isEnabled = config.workflowStepsEnabled;
    // The bot signs with its token whose rights a step runs with.
    const grants = createStepGrants({ secret: botToken, shared: createSharedState({ ...storage, mail }), now });
    const complete = createComplete(postingClient);
    const workflows = createWorkflows({ ...shared, isEnabled, complete });
    return {
      isEnabled,
      workflows,
      complete,
      grants,
      /** What people lent, by workspace; undefined where steps are turned off. */
      rightsLent: isEnabled ? grants.of : undefined,
      teamId,
      now,
      /** Makes what runs their queues, by their kind. */
      machines: (
        governance: Pick<Governance, 'execute' | 'permissions'>,
        account: Omit<Parameters<typeof createLookFor>[0], 'now'>,
      ) =>
        workflows.machines(
          createStepRunner({ ...shared, ...governance, platform, profilesOf: people.profilesOf, grants, notifyOnce }),
          createLookFor({ ...account, now }),
        ),
    };
  }
}
