import type { Directory } from '../directory/directory.ts';
import type { Actor, WhoIsWho } from '../directory/identity.ts';
import type { AlertsDesk } from '../operations/subscription-service.ts';
import type { World } from '../operations/operation.ts';
import type { BotStatus, Records } from '../operations/records.ts';
import type { OutgoingFile } from '../operations/outgoing-file.ts';
import type { QuizApi } from '../quiz-api/quiz-api.ts';
import type { CallOptions } from '../quiz-api/transport.ts';
import type { Storage } from '../storage/storage.ts';
import type { Reader } from './resolve-input.ts';
import { rightsOf, sightOf } from './rights.ts';

/** A person waits this long for the service, over all calls of one operation, before they are told to try again. */
export const patienceMs = 20_000;

export interface WorldDependencies {
  api: QuizApi;
  directory: Directory;
  whoIsWho: WhoIsWho;
  makePassword: () => string;
  /** Sends a file to somebody of Slack, for them alone. */
  sendFile: (slackId: string, file: OutgoingFile) => Promise<void>;
  timeZone: string;
  storage: Pick<Storage, 'approvals' | 'audit'>;
  status: () => Promise<BotStatus>;
  alerts: (teamId: string) => AlertsDesk;
  now: () => number;
}

export interface Circumstances {
  teamId: string;
  channelId?: string | undefined;
  call: CallOptions;
}

/** The world as it is for one person: what operations work with, and what reading an input needs. */
export function worldOf(deps: WorldDependencies, actor: Actor, { teamId, channelId, call }: Circumstances): World & Reader {
  const { api, directory, whoIsWho, makePassword, timeZone, now } = deps;
  const sendFile = (file: OutgoingFile) => deps.sendFile(actor.slackId, file);
  const records = recordsOf(deps, teamId);
  return { api, directory, whoIsWho, makePassword, sendFile, timeZone, records, now, actor, rights: rightsOf(actor), sight: sightOf(actor), alerts: deps.alerts(teamId), channelId, call };
}

function recordsOf({ storage, status }: WorldDependencies, teamId: string): Records {
  const { approvals, audit } = storage;
  return {
    openRequests: async () => (await approvals.pending(teamId)).filter(({ state }) => state === 'open'),
    latestLinks: (limit, before) => audit.latest(teamId, limit, before),
    linksSince: (after, limit) => audit.since(teamId, after, limit),
    auditHead: () => audit.head(teamId),
    status,
  };
}
