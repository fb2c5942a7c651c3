import type { ApprovalRequest } from '../../../domain/approval-request.ts';
import { named, namedList } from '../../../domain/sentence.ts';
import { countOf } from '../../../domain/said.ts';
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

/** How a reader knows the request and the person who made it. */
interface Names {
  /** “your request to suspend *Rosa*” */
  request: Mrkdwn;
  /** The same after the name of the requester: “their request to suspend *Rosa*” */
  own: Mrkdwn;
  /** Undefined for the requester. */
  requester: Mrkdwn | undefined;
}

/** Where a request is, in one line. `more`: what came of it. */
export interface StageWords {
  icon: string;
  line: Mrkdwn;
  more?: Mrkdwn;
}

/** The same request for its requester. */
export function wordsForRequester(request: ApprovalRequest): StageWords {
  const own = md`your request to ${actionMrkdwn(request)}`;
  return stages[requestStage(request)](request, { request: own, own, requester: undefined });
}

/** For people who could decide. `names: 'request'` leaves out what the reader sees already. */
export function wordsForReviewers(request: ApprovalRequest, names: 'request' | 'everything'): StageWords {
  const requester = mention(request.requesterId);
  if (names === 'request')
    return stages[requestStage(request)](request, { request: md`this request`, own: md`this request`, requester });
  const action = actionMrkdwn(request);
  return stages[requestStage(request)](request, {
    request: md`${requester}’s request to ${action}`,
    own: md`their request to ${action}`,
    requester,
  });
}

/** All wordings of one kind of outcome. Only `done` is in the past tense of the change: a request never reads as done. */
const stages: Record<RequestStage, (request: ApprovalRequest, names: Names) => StageWords> = {
  requested: (request, { requester }) => ({
    icon: '🙋',
    line:
      requester === undefined
        ? md`Approval requested: ${actionMrkdwn(request)}`
        : md`${requester} asks to ${actionMrkdwn(request)}`,
  }),
  failed: ({ lastFailure }, { request }) => ({
    icon: '⚠️',
    line: md`${decider(lastFailure)} approved ${request}, but it failed.`,
    more: md`${resultWords(lastFailure)} It can still be approved or denied.`,
  }),
  done: ({ decision, outcome }, { request }) => ({
    icon: '✅',
    line: md`${decider(decision)} approved ${request}${commentWords(decision)}`,
    more: resultWords(outcome),
  }),
  'not done': ({ decision, outcome }, { request }) => ({
    icon: '⚠️',
    line: md`${decider(decision)} approved ${request}, but it wasn’t carried out.`,
    more: resultWords(outcome),
  }),
  unknown: ({ decision, outcome }, { request }) => ({
    icon: '⚠️',
    line: md`${decider(decision)} approved ${request}, but it’s unclear whether it was carried out.`,
    more: resultWords(outcome),
  }),
  denied: ({ decision }, { request }) => ({
    icon: '⛔',
    line: md`${decider(decision)} denied ${request}${commentWords(decision)}`,
  }),
  withdrawn: (_, { own, requester }) => ({
    icon: '↩️',
    line: md`${requester ?? 'You'} withdrew ${own}.`,
  }),
  expired: (expired, { request, requester }) => ({
    icon: '⌛',
    line: md`${capitalized(request)} expired: nobody decided ${timeGiven(expired)}.`,
    ...(requester === undefined && { more: md`You can request it again.` }),
  }),
};

function decider(by: { by?: string } | undefined): Mrkdwn {
  return by?.by === undefined ? md`Someone` : mention(by.by);
}

function commentWords(decision: ApprovalRequest['decision']): Mrkdwn {
  return decision?.comment ? md`: “${shortText(decision.comment, longestComment)}”` : md`.`;
}

function resultWords(result: { message: string } | undefined): Mrkdwn {
  return sentenceMrkdwn(result?.message ?? '', longestResult);
}

function timeGiven({ createdAt, expiresAt }: ApprovalRequest): string {
  const hours = Math.round((expiresAt - createdAt) / 3_600_000);
  return hours < 1 ? 'in time' : `within ${countOf(hours, 'hour', 'hours')}`;
}

/** Markup that begins with a mention stays as it is. */
function capitalized({ mrkdwn }: Mrkdwn): Mrkdwn {
  return { mrkdwn: `${mrkdwn.charAt(0).toUpperCase()}${mrkdwn.slice(1)}` };
}
