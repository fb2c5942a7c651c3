import { fullName } from '../../directory/names.ts';
import type { Outcome } from '../../governance/execute.ts';
import type { Operation } from '../../operations/operation.ts';
import type { TextInput } from '../../operations/text-input.ts';
import type { OperationResult } from '../../operations/operation-result.ts';
import { alertsListMessage } from './alerts-list.ts';
import { askedMessage, requestsMessage, unexplainedMessage } from './approval.ts';
import { ownQuizzesMessage } from './assigned-quizzes.ts';
import { attemptMessage } from './attempt.ts';
import { auditCheckMessage, auditMessage } from './audit.ts';
import { statusMessage } from './bot-status.ts';
import { choiceMessage } from './choice.ts';
import { textMessage, type Message } from './message.ts';
import { md, sections, shortName } from './mrkdwn.ts';
import { passwordOfferBlocks } from './password.ts';
import { groupListMessage, groupMessage, userListMessage, userMessage, whoMessage } from './users.ts';
import { quizListMessage, quizMessage } from './quizzes.ts';
import { resultsMessage } from './results.ts';
import { warningMessage } from './warning.ts';

/** Every outcome of `execute` that has a message; an incomplete input opens a form instead. */
export type ShownOutcome = Exclude<Outcome, { kind: 'incomplete' }>;

/** The answer to a command, a form or a click. */
export function outcomeMessage(operation: Operation, raw: TextInput, outcome: ShownOutcome, timeZone: string): Message {
  switch (outcome.kind) {
    case 'done':
      return resultMessage(outcome.result, outcome.offered, timeZone);
    case 'requested':
      return askedMessage(outcome.request, timeZone);
    case 'unexplained':
      return unexplainedMessage(operation, raw);
    case 'refused':
      return textMessage('🚫', outcome.message);
    case 'failed':
    case 'invalid':
      return textMessage('⚠️', outcome.message);
    case 'warned':
      return warningMessage(operation, outcome);
    case 'unclear':
      return choiceMessage(operation, raw, outcome);
  }
}

function resultMessage(result: OperationResult, offered: ReadonlySet<string>, timeZone: string): Message {
  switch (result.kind) {
    case 'quizzes':
      return quizListMessage(result.quizzes, result.filter, offered, timeZone);
    case 'quiz':
      return quizMessage(result, offered, timeZone);
    case 'users':
      return userListMessage(result.users, result.filter, offered);
    case 'user':
      return userMessage(result, offered, timeZone);
    case 'groups':
      return groupListMessage(result.groups, result.filter, offered);
    case 'group':
      return groupMessage(result.group, result.members, offered);
    case 'mine':
      return ownQuizzesMessage(result.assigned, timeZone);
    case 'results':
      return resultsMessage(result, timeZone);
    case 'attempt':
      return attemptMessage(result, timeZone);
    case 'alerts':
      return alertsListMessage(result, timeZone);
    case 'requests':
      return requestsMessage(result, timeZone);
    case 'audit':
      return auditMessage(result, timeZone);
    case 'audit-check':
      return auditCheckMessage(result);
    case 'status':
      return statusMessage(result, timeZone);
    case 'who':
      return whoMessage(result);
    case 'done':
      return doneMessage(result);
  }
}

/** Confirms a change. */
function doneMessage({ message, problems = [], passwordOf }: Extract<OperationResult, { kind: 'done' }>): Message {
  const done = textMessage('✅', message);
  return {
    text: done.text,
    blocks: [
      ...done.blocks,
      ...sections(problems.map((problem) => md`⚠️ ${shortName(problem, 300)}`)),
      ...(passwordOf ? passwordOfferBlocks({ userId: passwordOf.user.user_id, name: fullName(passwordOf.user) }) : []),
    ],
  };
}
