import type { ApprovalRequest } from '../../../domain/approval-request.ts';
import { named, namedList } from '../../../domain/sentence.ts';
import { amount, say } from '../../../domain/said.ts';
import { md, mention, sentenceMrkdwn, shortText, type Mrkdwn } from '../blocks/mrkdwn.ts';

/** Characters as they are sent. */
const longestAction = 500;
const longestComment = 500;
const longestResult = 900;

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

export function actionMrkdwn(request: Pick<ApprovalRequest, 'operation' | 'asked'>): Mrkdwn {
  return sentenceMrkdwn(requestedAction(request), longestAction);
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
  line: Mrkdwn;
  more?: Mrkdwn;
}

/** The same request for its requester. */
export function wordsForRequester(request: ApprovalRequest): StageWords {
  const words = stages[requestStage(request)](request, forRequester(actionMrkdwn(request)));
  return requestStage(request) === 'expired' ? { ...words, more: md`You can request it again.` } : words;
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
  requested: Mrkdwn;
  failed: (who: Mrkdwn) => Mrkdwn;
  approved: (who: Mrkdwn) => Mrkdwn;
  approvedWith: (who: Mrkdwn, comment: string) => Mrkdwn;
  notDone: (who: Mrkdwn) => Mrkdwn;
  unknown: (who: Mrkdwn) => Mrkdwn;
  denied: (who: Mrkdwn) => Mrkdwn;
  deniedWith: (who: Mrkdwn, comment: string) => Mrkdwn;
  withdrawn: Mrkdwn;
  expired: (time: string) => Mrkdwn;
}

function forRequester(action: Mrkdwn): Sentences {
  return {
    requested: md`Approval requested: ${action}`,
    failed: (who) => md`${who} approved your request to ${action}, but it failed.`,
    approved: (who) => md`${who} approved your request to ${action}.`,
    approvedWith: (who, comment) => md`${who} approved your request to ${action}: “${comment}”`,
    notDone: (who) => md`${who} approved your request to ${action}, but it wasn’t carried out.`,
    unknown: (who) => md`${who} approved your request to ${action}, but it’s unclear whether it was carried out.`,
    denied: (who) => md`${who} denied your request to ${action}.`,
    deniedWith: (who, comment) => md`${who} denied your request to ${action}: “${comment}”`,
    withdrawn: md`You withdrew your request to ${action}.`,
    expired: (time) => md`Your request to ${action} expired: nobody decided ${time}.`,
  };
}

/** Where the reader sees what is requested. */
function besideRequest(action: Mrkdwn, requester: Mrkdwn): Sentences {
  return {
    requested: md`${requester} asks to ${action}`,
    failed: (who) => md`${who} approved this request, but it failed.`,
    approved: (who) => md`${who} approved this request.`,
    approvedWith: (who, comment) => md`${who} approved this request: “${comment}”`,
    notDone: (who) => md`${who} approved this request, but it wasn’t carried out.`,
    unknown: (who) => md`${who} approved this request, but it’s unclear whether it was carried out.`,
    denied: (who) => md`${who} denied this request.`,
    deniedWith: (who, comment) => md`${who} denied this request: “${comment}”`,
    withdrawn: md`${requester} withdrew this request.`,
    expired: (time) => md`This request expired: nobody decided ${time}.`,
  };
}

function forReviewers(action: Mrkdwn, requester: Mrkdwn): Sentences {
  return {
    requested: md`${requester} asks to ${action}`,
    failed: (who) => md`${who} approved ${requester}’s request to ${action}, but it failed.`,
    approved: (who) => md`${who} approved ${requester}’s request to ${action}.`,
    approvedWith: (who, comment) => md`${who} approved ${requester}’s request to ${action}: “${comment}”`,
    notDone: (who) => md`${who} approved ${requester}’s request to ${action}, but it wasn’t carried out.`,
    unknown: (who) =>
      md`${who} approved ${requester}’s request to ${action}, but it’s unclear whether it was carried out.`,
    denied: (who) => md`${who} denied ${requester}’s request to ${action}.`,
    deniedWith: (who, comment) => md`${who} denied ${requester}’s request to ${action}: “${comment}”`,
    withdrawn: md`${requester} withdrew their request to ${action}.`,
    expired: (time) => md`${requester}’s request to ${action} expired: nobody decided ${time}.`,
  };
}

/** All wordings of one kind of outcome. Only `done` is in the past tense of the change: a request never reads as done. */
const stages: Record<RequestStage, (request: ApprovalRequest, sentences: Sentences) => StageWords> = {
  requested: (_, { requested }) => ({ icon: '🙋', line: requested }),
  failed: ({ lastFailure }, { failed }) => ({
    icon: '⚠️',
    line: failed(decider(lastFailure)),
    more: md`${resultWords(lastFailure)} It can still be approved or denied.`,
  }),
  done: ({ decision, outcome }, { approved, approvedWith }) => ({
    icon: '✅',
    line: decision?.comment
      ? approvedWith(decider(decision), shortText(decision.comment, longestComment))
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
      ? deniedWith(decider(decision), shortText(decision.comment, longestComment))
      : denied(decider(decision)),
  }),
  withdrawn: (_, { withdrawn }) => ({ icon: '↩️', line: withdrawn }),
  expired: (request, { expired }) => ({ icon: '⌛', line: expired(timeGiven(request)) }),
};

function decider(by: { by?: string } | undefined): Mrkdwn {
  return by?.by === undefined ? md`Someone` : mention(by.by);
}

function resultWords(result: { message: string } | undefined): Mrkdwn {
  return sentenceMrkdwn(result?.message ?? '', longestResult);
}

function timeGiven({ createdAt, expiresAt }: ApprovalRequest): string {
  const hours = Math.round((expiresAt - createdAt) / 3_600_000);
  return hours < 1 ? say`in time` : say`within ${amount(hours)} ${hours === 1 ? 'hour' : 'hours'}`;
}
