import { shortName } from '../../../domain/short-name.ts';
import type { ApprovalRequest } from '../../../domain/approval-request.ts';
import { named, namedList } from '../../../domain/sentence.ts';
import { amount, joinSaid, mention, say } from '../../../domain/said.ts';

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

/** Where a request is. `not done` and `unknown` are approved requests that were not, or maybe not, carried out. */
export type RequestStage =
  'requested' | 'failed' | 'done' | 'not done' | 'unknown' | 'denied' | 'withdrawn' | 'expired';

export function requestStage({ state, failures, decision, outcome }: ApprovalRequest): RequestStage {
  if (state === 'open' || state === 'decided' || decision === undefined) return failures > 0 ? 'failed' : 'requested';
  if (decision.verdict !== 'approved') return decision.verdict;
  return outcome?.kind === 'not run' ? 'not done' : (outcome?.kind ?? 'unknown');
}

/** Where a request is, in one line for all its readers. `more`: what came of it. */
export interface StageWords {
  icon: string;
  line: string;
  more?: string;
}

/** Only what came of it is in the past tense of the change: a request never reads as done. */
export function wordsOfRequest(request: ApprovalRequest): StageWords {
  const { decision, outcome, lastFailure } = request;
  const action = requestedAction(request);
  const approved = (by: { by?: string } | undefined) => say`${decider(by)} approved: ${action}.`;
  const comment = decision?.comment ? [say`“${shortName(decision.comment, longestComment)}”`] : [];
  const more = outcome?.message ?? '';
  switch (requestStage(request)) {
    case 'requested':
      return { icon: '🙋', line: say`Approval requested: ${action}` };
    case 'failed':
      return {
        icon: '⚠️',
        line: joinSaid([approved(lastFailure), say`It failed.`], ' '),
        more: say`${lastFailure?.message ?? ''} It can still be approved or denied.`,
      };
    case 'done':
      return { icon: '✅', line: joinSaid([approved(decision), ...comment], ' '), more };
    case 'not done':
      return { icon: '⚠️', line: joinSaid([approved(decision), say`It wasn’t carried out.`], ' '), more };
    case 'unknown':
      return {
        icon: '⚠️',
        line: joinSaid([approved(decision), say`It’s unclear whether it was carried out.`], ' '),
        more,
      };
    case 'denied':
      return { icon: '⛔', line: joinSaid([say`${decider(decision)} denied: ${action}.`, ...comment], ' ') };
    case 'withdrawn':
      return { icon: '↩️', line: say`${decider(decision)} withdrew: ${action}.` };
    case 'expired':
      return { icon: '⌛', line: say`Expired: ${action}. Nobody decided ${timeGiven(request)}.` };
  }
}

function decider(by: { by?: string } | undefined): string {
  return by?.by === undefined ? say`Someone` : mention(by.by);
}

function timeGiven({ createdAt, expiresAt }: ApprovalRequest): string {
  const hours = Math.round((expiresAt - createdAt) / 3_600_000);
  return hours < 1 ? say`in time` : say`within ${amount(hours)} ${hours === 1 ? 'hour' : 'hours'}`;
}
