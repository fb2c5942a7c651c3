import { shortName } from '../../../domain/short-name.ts';
import type { ApprovalRequest } from '../../../domain/approval-request.ts';
import { named, namedList } from '../../../domain/sentence.ts';
import { amount, say, mention } from '../../../domain/said.ts';

/** Characters as they are sent. */
const longestComment = 500;

/** Turns `suspend-user` into “suspend user”. */
export function operationWords(name: string): string {
  return name.replaceAll('-', ' ');
}

/** What is requested, as an imperative sentence (`domain/sentence.ts`): “suspend ⁨Rosa Almeida⁩”. */
export function requestedAction({ operation, asked }: Pick<ApprovalRequest, 'operation' | 'asked'>): string {
  return (
    asked.action ??
    actionFrom(
      operation,
      asked.targets.map(({ name }) => name),
      asked.details,
    )
  );
}

/** Makes the action of a request or an audit entry that was stored without its words. */
export function actionFrom(
  operation: string,
  targets: readonly string[],
  details: readonly { value: string }[] = [],
): string {
  const words = operationWords(operation);
  const [first, ...others] = targets.length > 0 ? targets : details.slice(0, 1).map(({ value }) => value);
  if (first === undefined) return words;
  return others.length === 0 && targets.length > 0
    ? `${words.split(' ')[0]} ${named(first)}`
    : `${words} ${namedList([first, ...others], 5)}`;
}

export function actionMrkdwn(request: Pick<ApprovalRequest, 'operation' | 'asked'>): string {
  return requestedAction(request);
}

/** Where a request is. `not done` and `unknown` are approved requests that were not, or maybe not, carried out. */
export type RequestStage =
  'requested' | 'failed' | 'done' | 'not done' | 'unknown' | 'denied' | 'withdrawn' | 'expired';

export function requestStage({ state, failures, decision, outcome }: ApprovalRequest): RequestStage {
  if (state === 'open' || state === 'decided' || decision === undefined) return failures > 0 ? 'failed' : 'requested';
  if (decision.verdict !== 'approved') return decision.verdict;
  return outcome?.kind === 'not run' ? 'not done' : (outcome?.kind ?? 'unknown');
}

/** Where a request is, in one line. `more`: what came of it. */
export interface StageWords {
  icon: string;
  line: string;
  more?: string;
}

/** The same request for its requester. */
export function wordsForRequester(request: ApprovalRequest): StageWords {
  const words = stages[requestStage(request)](request, forRequester(actionMrkdwn(request)));
  return requestStage(request) === 'expired' ? { ...words, more: say`You can request it again.` } : words;
}

/** For people who could decide. `names: 'request'` leaves out what the reader sees already. */
export function wordsForReviewers(request: ApprovalRequest, names: 'request' | 'everything'): StageWords {
  const requester = mention(request.requesterId);
  const action = actionMrkdwn(request);
  const sentences = names === 'request' ? besideRequest(action, requester) : forReviewers(action, requester);
  return stages[requestStage(request)](request, sentences);
}

/** What happened to a request, by how its reader knows it and the person who made it. `who` decided on it. */
interface Sentences {
  requested: string;
  failed: (who: string) => string;
  approved: (who: string) => string;
  approvedWith: (who: string, comment: string) => string;
  notDone: (who: string) => string;
  unknown: (who: string) => string;
  denied: (who: string) => string;
  deniedWith: (who: string, comment: string) => string;
  withdrawn: string;
  expired: (time: string) => string;
}

function forRequester(action: string): Sentences {
  return {
    requested: say`Approval requested: ${action}`,
    failed: (who) => say`${who} approved your request to ${action}, but it failed.`,
    approved: (who) => say`${who} approved your request to ${action}.`,
    approvedWith: (who, comment) => say`${who} approved your request to ${action}: “${comment}”`,
    notDone: (who) => say`${who} approved your request to ${action}, but it wasn’t carried out.`,
    unknown: (who) => say`${who} approved your request to ${action}, but it’s unclear whether it was carried out.`,
    denied: (who) => say`${who} denied your request to ${action}.`,
    deniedWith: (who, comment) => say`${who} denied your request to ${action}: “${comment}”`,
    withdrawn: say`You withdrew your request to ${action}.`,
    expired: (time) => say`Your request to ${action} expired: nobody decided ${time}.`,
  };
}

/** Where the reader sees what is requested. */
function besideRequest(action: string, requester: string): Sentences {
  return {
    requested: say`${requester} asks to ${action}`,
    failed: (who) => say`${who} approved this request, but it failed.`,
    approved: (who) => say`${who} approved this request.`,
    approvedWith: (who, comment) => say`${who} approved this request: “${comment}”`,
    notDone: (who) => say`${who} approved this request, but it wasn’t carried out.`,
    unknown: (who) => say`${who} approved this request, but it’s unclear whether it was carried out.`,
    denied: (who) => say`${who} denied this request.`,
    deniedWith: (who, comment) => say`${who} denied this request: “${comment}”`,
    withdrawn: say`${requester} withdrew this request.`,
    expired: (time) => say`This request expired: nobody decided ${time}.`,
  };
}

function forReviewers(action: string, requester: string): Sentences {
  return {
    requested: say`${requester} asks to ${action}`,
    failed: (who) => say`${who} approved ${requester}’s request to ${action}, but it failed.`,
    approved: (who) => say`${who} approved ${requester}’s request to ${action}.`,
    approvedWith: (who, comment) => say`${who} approved ${requester}’s request to ${action}: “${comment}”`,
    notDone: (who) => say`${who} approved ${requester}’s request to ${action}, but it wasn’t carried out.`,
    unknown: (who) =>
      say`${who} approved ${requester}’s request to ${action}, but it’s unclear whether it was carried out.`,
    denied: (who) => say`${who} denied ${requester}’s request to ${action}.`,
    deniedWith: (who, comment) => say`${who} denied ${requester}’s request to ${action}: “${comment}”`,
    withdrawn: say`${requester} withdrew their request to ${action}.`,
    expired: (time) => say`${requester}’s request to ${action} expired: nobody decided ${time}.`,
  };
}

/** All wordings of one kind of outcome. Only `done` is in the past tense of the change: a request never reads as done. */
const stages: Record<RequestStage, (request: ApprovalRequest, sentences: Sentences) => StageWords> = {
  requested: (_, { requested }) => ({ icon: '🙋', line: requested }),
  failed: ({ lastFailure }, { failed }) => ({
    icon: '⚠️',
    line: failed(decider(lastFailure)),
    more: say`${resultWords(lastFailure)} It can still be approved or denied.`,
  }),
  done: ({ decision, outcome }, { approved, approvedWith }) => ({
    icon: '✅',
    line: decision?.comment
      ? approvedWith(decider(decision), shortName(decision.comment, longestComment))
      : approved(decider(decision)),
    more: resultWords(outcome),
  }),
  'not done': ({ decision, outcome }, { notDone }) => ({
    icon: '⚠️',
    line: notDone(decider(decision)),
    more: resultWords(outcome),
  }),
  unknown: ({ decision, outcome }, { unknown }) => ({
    icon: '⚠️',
    line: unknown(decider(decision)),
    more: resultWords(outcome),
  }),
  denied: ({ decision }, { denied, deniedWith }) => ({
    icon: '⛔',
    line: decision?.comment
      ? deniedWith(decider(decision), shortName(decision.comment, longestComment))
      : denied(decider(decision)),
  }),
  withdrawn: (_, { withdrawn }) => ({ icon: '↩️', line: withdrawn }),
  expired: (request, { expired }) => ({ icon: '⌛', line: expired(timeGiven(request)) }),
};

function decider(by: { by?: string } | undefined): string {
  return by?.by === undefined ? say`Someone` : mention(by.by);
}

function resultWords(result: { message: string } | undefined): string {
  return result?.message ?? '';
}

function timeGiven({ createdAt, expiresAt }: ApprovalRequest): string {
  const hours = Math.round((expiresAt - createdAt) / 3_600_000);
  return hours < 1 ? say`in time` : say`within ${amount(hours)} ${hours === 1 ? 'hour' : 'hours'}`;
}
