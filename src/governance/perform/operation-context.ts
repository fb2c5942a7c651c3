import type { ApprovalRequest } from '../../domain/approval-request.ts';
import { operationNamed } from '../../operations/catalog.ts';
import type { Actor } from '../../directory/identity.ts';
import type { OperationContext, SharedContext, WorkspaceContext } from '../../operations/context.ts';
import type { Decisions, BotStatus, Records } from '../../operations/services/records.ts';
import type { FileReference, IncomingFile, OutgoingFile } from '../../operations/services/files.ts';
import type { AgentTokens, RightsLent, OwnSettings } from '../../operations/services/people.ts';
import type { CallOptions } from '../../quiz-api/transport.ts';
import type { Storage } from '../../storage/records.ts';
import type { BatchApproval } from '../../domain/batch.ts';
import type { RecentOwnQuizzes } from '../../features/quizzes/assigned-quizzes.ts';
import { requestsFor, judgeRows, rowsNow } from './judge.ts';
import { offeredBy } from '../rights/policy.ts';
import { rightsOf, visibilityOf } from '../rights/rights.ts';

/** How long all calls of one operation together may take before the person is asked to try again. */
export const operationTimeoutMs = 20_000;

export interface OperationContextDependencies extends SharedContext {
  ofWorkspace: (teamId: string) => WorkspaceContext;
  /** Reads a file that the person may see. */
  readFile: (personId: string, file: FileReference) => Promise<IncomingFile>;
  /** Sends a file to one person, for them alone. */
  sendFile: (personId: string, file: OutgoingFile) => Promise<void>;
  storage: Pick<Storage, 'approvals' | 'audit'>;
  status: () => Promise<BotStatus>;
  ownSettings: (teamId: string, personId: string) => OwnSettings;
  decisions: (person: { teamId: string; personId: string }) => Decisions;
  /** Undefined where agents are turned off. */
  agentTokens?: ((teamId: string) => AgentTokens) | undefined;
  /** Undefined where steps of workflows are turned off. */
  rightsLent?: ((teamId: string) => RightsLent) | undefined;
  ownQuizzes: Pick<RecentOwnQuizzes, 'of'>;
}

/** Where an operation is requested, and the options of its calls. */
interface Circumstances {
  teamId: string;
  channelId?: string | undefined;
  call: CallOptions;
  /** Default: the actor. */
  requester?: Actor;
  approval?: BatchApproval | undefined;
  isOneOfMany?: true;
}

/** The context in which operations of one person are understood and run. */
export function createContext(
  deps: OperationContextDependencies,
  actor: Actor,
  { teamId, ...circumstances }: Circumstances,
): OperationContext {
  const { personId } = actor;
  const rights = rightsOf(actor);
  const context: OperationContext = {
    ...deps,
    ...deps.ofWorkspace(teamId),
    channelId: undefined,
    approval: undefined,
    requester: actor,
    ...circumstances,
    actor,
    rights,
    visibility: visibilityOf(actor, deps.directory.quizGroups),
    offered: () => offeredBy(rights),
    ownSettings: deps.ownSettings(teamId, personId),
    decisions: () => deps.decisions({ teamId, personId }),
    agentTokens: deps.agentTokens?.(teamId),
    rightsLent: deps.rightsLent?.(teamId),
    records: recordsOf(deps, teamId, async (requests) => requestsFor(requests, context)),
    readFile: async (file) => deps.readFile(personId, file),
    sendFile: async (file) => deps.sendFile(personId, file),
    judge: async (rows) => judgeRows(rows, context),
    rowsNow: async (rows) => rowsNow(rows, context),
    ownQuizzes: async (userId) => deps.ownQuizzes.of(userId, circumstances.call),
  };
  return context;
}

function recordsOf(
  { storage, status }: OperationContextDependencies,
  teamId: string,
  theirs: (requests: readonly ApprovalRequest[]) => Promise<ApprovalRequest[]>,
): Records {
  const { approvals, audit } = storage;
  const openRequests = async () => (await approvals.pending(teamId)).filter(({ state }) => state === 'open');
  return {
    openRequests: async () => theirs(await openRequests()),
    countOpenRequests: async () => (await openRequests()).length,
    operation: operationNamed,
    latestLinks: (limit, before) => audit.latest(teamId, limit, before),
    linksSince: (after, limit) => audit.since(teamId, after, limit),
    auditHead: () => audit.head(teamId),
    missingAuditEnd: () => audit.missingEnd(teamId),
    status,
  };
}
