import type { NamedList } from '../directory/directory.ts';
import type { Identity } from '../directory/identity.ts';
import type { Log } from '../observability/log.ts';
import type { QuizApi } from '../quiz-api/quiz-api.ts';
import type { User } from '../quiz-api/users.ts';
import type { Storage } from '../storage/storage.ts';
import type { Clock } from '../time/clock.ts';
import { knownTimeZone } from '../time/wall-clock.ts';
import { createAnnouncementChannel } from './announcing/slack-announcement-channel.ts';
import { createAuditNames } from './announcing/audit-names.ts';
import type { createSlackConnection } from './connection/connection.ts';
import { createOpenDirectMessages, createOpeningTurn, type OpenDirectMessages } from './people/direct-messages.ts';
import { createFileReader } from './file-reader.ts';
import { createFileSender } from './file-sender.ts';
import { createMembersOf } from './people/members.ts';
import { createNotifier } from './announcing/notifier.ts';
import {
  createFindAdministrators,
  createFindColleague,
  createFindRecipient,
  createIsMember,
  createReach,
  type FindAdministrators,
} from './people/addresses.ts';
import { createWhoHasLeft } from './people/departed.ts';
import { createDoNotDisturb } from './people/do-not-disturb.ts';
import { createManagers } from './people/managers.ts';
import type { People } from './people/people.ts';
import { createUndelivered } from './announcing/undelivered.ts';
import type { WebClient } from '@slack/web-api';
import type { Finding } from '../domain/finding.ts';
import { callSlack } from './errors.ts';
import { findingLine } from '../features/administration/pages/status.ts';
import { drawPage } from './views/blocks/page.ts';

/** What the bot asks of Slack by itself: who people are, how they are reached, their files, and where messages go. */
export function createPlatform(deps: {
  connection: ReturnType<typeof createSlackConnection>;
  botToken: string;
  apiUrl: string;
  approvals: { channel: string | undefined; allowsSelfApproval: boolean };
  storage: Storage;
  users: NamedList<User>;
  api: Pick<QuizApi['users'], 'get'>;
  identity: Identity;
  people: People;
  owners: readonly string[];
  timeZone: string;
  managerField: string | undefined;
  log: Log;
  clock: Clock;
}) {
  const {
    connection,
    storage,
    users,
    owners,
    timeZone,
    log,
    clock: { now },
  } = deps;
  const { client, postingClient } = connection;
  const workspace = { teamId: connection.knownTeamId, own: connection.identity.confirm };

  const openDirectMessages = createOpenDirectMessages({
    client,
    conversations: storage.kv('slack-conversations'),
    teamId: connection.knownTeamId,
  });
  const undelivered = createUndelivered({ counters: storage.counters, metrics: connection.metrics, log, now });
  const { people } = deps;
  const parts = { ...deps, ...workspace, client, now };
  const findColleague = createFindColleague({ ...parts, colleagues: storage.kv('slack-colleagues') });
  const administrators = createFindAdministrators({ users, owners, findColleague });
  const { quietUntil, isVisible } = createDoNotDisturb(parts);
  const membersOf = createMembersOf(client);

  return {
    openDirectMessages,
    undelivered,
    managers: createManagers({ ...parts, field: deps.managerField, kept: storage.kv('slack-managers') }),
    reach: createReach({ ...parts, findColleague }),
    whoHasLeft: createWhoHasLeft(parts),
    /** Whether Slack lets the bot see do-not-disturb; undefined before it was asked. */
    seesDoNotDisturb: isVisible,
    recipients: {
      findRecipient: createFindRecipient({ ...parts, findColleague }),
      findPerson: async (personId: string) => {
        const { outsider, timeZone: zone } = await people.of(personId);
        return outsider === undefined
          ? ({ kind: 'found', personId, timeZone: knownTimeZone(zone) ?? timeZone } as const)
          : ({ kind: 'nobody', reason: 'no_person' } as const);
      },
      isMember: createIsMember(parts),
      openingTurn: createOpeningTurn({ knows: openDirectMessages.knows, now }),
      quietUntil,
    },
    administrators,
    membersOf,
    channel: createAnnouncementChannel(deps.botToken, connection.clientOptions, openDirectMessages),
    sendFile: createFileSender(client),
    readFile: createFileReader({ client, token: deps.botToken, apiUrl: deps.apiUrl, membersOf }),
    profilesOf: people.profilesOf,
    notifier: createNotifier({
      client: postingClient,
      ...deps.approvals,
      administrators,
      openDirectMessages,
      onNobodyTold: undelivered.count,
      timeZone,
      log,
    }),
    tellAdministrators: createAdministratorNotice({
      client: postingClient,
      administrators,
      openDirectMessages,
      timeZone,
    }),
    auditNames: createAuditNames(parts),
  };
}

/** Tells each administrator directly about a finding. Rejects where none of them could be reached. */
function createAdministratorNotice(deps: {
  client: WebClient;
  administrators: FindAdministrators;
  openDirectMessages: OpenDirectMessages;
  timeZone: string;
}) {
  return async (finding: Finding): Promise<void> => {
    const { text, blocks } = drawPage({ heading: findingLine(finding, deps.timeZone) }, deps);
    const sent = await Promise.allSettled(
      (await deps.administrators()).map(async (personId) => {
        const channel = await deps.openDirectMessages(personId);
        await callSlack(async () => deps.client.chat.postMessage({ channel, text, blocks }));
      }),
    );
    if (sent.length > 0 && sent.every(({ status }) => status === 'rejected'))
      throw (sent[0] as PromiseRejectedResult).reason;
  };
}
