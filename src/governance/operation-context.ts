import type { Directory } from '../directory/directory.ts';
import type { Actor, Identity } from '../directory/identity.ts';
import type { OperationContext, OutgoingFile, SubscriptionService } from '../operations/context.ts';
import type { BotStatus, Records } from '../operations/records.ts';
import type { QuizApi } from '../quiz-api/quiz-api.ts';
import type { CallOptions } from '../quiz-api/transport.ts';
import type { Storage } from '../storage/storage.ts';
import type { InputResolver } from '../operations/fields/field-kind.ts';
import { rightsOf, visibilityOf } from './rights.ts';

/** A person waits this long for the service, over all calls of one operation, before they are told to try again. */
export const operationTimeoutMs = 20_000;

export interface OperationContextDependencies {
  api: QuizApi;
  directory: Directory;
  identity: Identity;
  makePassword: () => string;
  /** Sends a file to somebody of Slack, for them alone. */
  sendFile: (personId: string, file: OutgoingFile) => Promise<void>;
  timeZone: string;
  storage: Pick<Storage, 'approvals' | 'audit'>;
  status: () => Promise<BotStatus>;
  alerts: (teamId: string) => SubscriptionService;
  now: () => number;
}

export interface Circumstances {
  teamId: string;
  channelId?: string | undefined;
  call: CallOptions;
}

/** The world as it is for one person: what operations work with, and what reading an input needs. */
export function createOperationContext(deps: OperationContextDependencies, actor: Actor, { teamId, channelId, call }: Circumstances): OperationContext & InputResolver {
  const { api, directory, identity, makePassword, timeZone, now } = deps;
  const sendFile = (file: OutgoingFile) => deps.sendFile(actor.personId, file);
  const records = recordsOf(deps, teamId);
  return { api, directory, identity, makePassword, sendFile, timeZone, records, now, actor, rights: rightsOf(actor), visibility: visibilityOf(actor), alerts: deps.alerts(teamId), channelId, call };
}

function recordsOf({ storage, status }: OperationContextDependencies, teamId: string): Records {
  const { approvals, audit } = storage;
  return {
    openRequests: async () => (await approvals.pending(teamId)).filter(({ state }) => state === 'open'),
    latestLinks: (limit, before) => audit.latest(teamId, limit, before),
    linksSince: (after, limit) => audit.since(teamId, after, limit),
    auditHead: () => audit.head(teamId),
    status,
  };
}
