import { operationNamed } from '../../operations/catalog.ts';
import type { Directory } from '../../directory/directory.ts';
import type { Actor, Identity } from '../../directory/identity.ts';
import type { AnyContext, OperationContext, ServiceName, Services } from '../../operations/context.ts';
import type { ChannelLanguages, SubscriptionService } from '../../operations/services/alerts.ts';
import type { BatchService, Plans } from '../../operations/services/batches.ts';
import type { CampaignService } from '../../operations/services/campaigns.ts';
import type { Decisions } from '../../operations/services/decisions.ts';
import type { FileReference, IncomingFile, OutgoingFile } from '../../operations/services/files.ts';
import type { AgentTokens, RightsLent } from '../../operations/services/lent-rights.ts';
import type {
  DepartureService,
  Erasing,
  MembersOf,
  OwnSettings,
  ProfilesOf,
  Reach,
} from '../../operations/services/people.ts';
import type { Platform } from '../../operations/services/platform.ts';
import type { BotStatus, EvidenceTools, Records } from '../../operations/services/records.ts';
import type { ManagersOf } from '../../domain/managers.ts';
import type { QuizApi } from '../../quiz-api/quiz-api.ts';
import type { CallOptions } from '../../quiz-api/transport.ts';
import type { Storage } from '../../storage/storage.ts';
import { kindOf } from '../../operations/fields/fields.ts';
import type { ContextFor } from '../../operations/operation.ts';
import type { BatchApproval } from '../../domain/batch.ts';
import type { RecentOwnQuizzes } from '../../features/quizzes/recent-own-quizzes.ts';
import { requestsFor, judgeRows, rowsNow } from './judge-rows.ts';
import { offeredBy } from '../rights/policy.ts';
import { rightsOf } from '../rights/rights.ts';
import { visibilityOf } from '../rights/visibility.ts';

/** How long all calls of one operation together may take before the person is asked to try again. */
export const operationTimeoutMs = 20_000;

export interface OperationContextDependencies {
  api: QuizApi;
  directory: Directory;
  identity: Identity;
  platform: Platform;
  makePassword: () => string;
  profilesOf: ProfilesOf;
  /** Reads a file that the person may see. */
  readFile: (personId: string, file: FileReference) => Promise<IncomingFile>;
  /** Sends a file to one person, for them alone. */
  sendFile: (personId: string, file: OutgoingFile) => Promise<void>;
  timeZone: string;
  storage: Pick<Storage, 'approvals' | 'audit'>;
  status: () => Promise<BotStatus>;
  evidence: EvidenceTools;
  ownSettings: (teamId: string, personId: string) => OwnSettings;
  decisions: (person: { teamId: string; personId: string }) => Decisions;
  alerts: (teamId: string) => SubscriptionService;
  channelLanguages: ChannelLanguages;
  campaigns: (teamId: string) => CampaignService;
  batches: (teamId: string) => BatchService;
  departures: (teamId: string) => DepartureService;
  erasing: (teamId: string) => Erasing;
  plans: (teamId: string) => Plans;
  /** Undefined where agents are turned off. */
  agentTokens?: ((teamId: string) => AgentTokens) | undefined;
  /** Undefined where steps of workflows are turned off. */
  rightsLent?: ((teamId: string) => RightsLent) | undefined;
  reach: Reach;
  /** Days without messages, as ISO dates. */
  holidays: ReadonlySet<string>;
  membersOf: MembersOf;
  managersOf: ManagersOf;
  /** The address where a quiz is taken; undefined where the account has none configured. */
  takeLink: (quizId: string) => string | undefined;
  ownQuizzes: Pick<RecentOwnQuizzes, 'of'>;
  now: () => number;
  isStopping?: (() => boolean) | undefined;
}

/** Where an operation is requested, and the options of its calls. */
interface Circumstances {
  teamId: string;
  channelId?: string | undefined;
  call: CallOptions;
  approval?: BatchApproval | undefined;
  isOneOfMany?: true;
}

/** Contexts of operations for one person. */
export function createContextFor(
  deps: OperationContextDependencies,
  actor: Actor,
  { teamId, ...circumstances }: Circumstances,
): ContextFor {
  const { api, directory, identity, platform, timeZone, now, isStopping } = deps;
  const common: OperationContext = {
    api,
    directory,
    identity,
    platform,
    actor,
    rights: rightsOf(actor),
    visibility: visibilityOf(actor, directory.quizGroups),
    timeZone,
    isStopping,
    now,
    channelId: undefined,
    approval: undefined,
    ...circumstances,
  };
  const contextFor: ContextFor = ({ fields, uses = [] }) => {
    const used = [...uses, ...Object.values(fields).flatMap((field) => kindOf(field).uses ?? [])];
    const services = Object.fromEntries(used.map((name) => [name, makers[name]()]));
    // The types of operations and kinds keep them from services that they do not name.
    return { ...common, ...services } as AnyContext;
  };
  const makers = serviceMakers(deps, { teamId, actor, contextFor, call: circumstances.call });
  return contextFor;
}

/** What makes each service for a person. */
function serviceMakers(
  deps: OperationContextDependencies,
  { teamId, actor, contextFor, call }: { teamId: string; actor: Actor; contextFor: ContextFor; call: CallOptions },
): { readonly [Name in ServiceName]: () => Services[Name] } {
  return {
    offered: () => offeredBy(rightsOf(actor)),
    ownSettings: () => deps.ownSettings(teamId, actor.personId),
    decisions: () => deps.decisions({ teamId, personId: actor.personId }),
    alerts: () => deps.alerts(teamId),
    channelLanguages: () => deps.channelLanguages,
    campaigns: () => deps.campaigns(teamId),
    batches: () => deps.batches(teamId),
    departures: () => deps.departures(teamId),
    erasing: () => deps.erasing(teamId),
    plans: () => deps.plans(teamId),
    agentTokens: () => deps.agentTokens?.(teamId),
    rightsLent: () => deps.rightsLent?.(teamId),
    records: () => recordsOf(deps, teamId, contextFor),
    evidence: () => deps.evidence,
    reach: () => deps.reach,
    membersOf: () => deps.membersOf,
    managersOf: () => deps.managersOf,
    profilesOf: () => deps.profilesOf,
    readFile: () => (file) => deps.readFile(actor.personId, file),
    sendFile: () => (file) => deps.sendFile(actor.personId, file),
    judge: () => (rows) => judgeRows(rows, contextFor),
    rowsNow: () => (rows) => rowsNow(rows, contextFor),
    makePassword: () => deps.makePassword,
    takeLink: () => deps.takeLink,
    ownQuizzes: () => (userId) => deps.ownQuizzes.of(userId, call),
    holidays: () => deps.holidays,
  };
}

function recordsOf({ storage, status }: OperationContextDependencies, teamId: string, contextFor: ContextFor): Records {
  const { approvals, audit } = storage;
  const openRequests = async () => (await approvals.pending(teamId)).filter(({ state }) => state === 'open');
  return {
    openRequests: async () => requestsFor(await openRequests(), contextFor),
    countOpenRequests: async () => (await openRequests()).length,
    operation: operationNamed,
    latestLinks: (limit, before) => audit.latest(teamId, limit, before),
    linksSince: (after, limit) => audit.since(teamId, after, limit),
    auditHead: () => audit.head(teamId),
    missingAuditEnd: () => audit.missingEnd(teamId),
    status,
  };
}
