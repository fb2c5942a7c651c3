import type { App } from '@slack/bolt';
import type { PlainTextOption } from '@slack/types';
import type { Directory } from '../../directory/directory.ts';
import type { Standing } from '../../governance/permissions.ts';
import { operationNamed } from '../../operations/catalog.ts';
import type { Field, Operation } from '../../operations/operation.ts';
import { inputActionId } from '../views/inputs.ts';
import { assigneeOption, groupOption, quizOption, userOption } from '../views/options.ts';
import type { ListenerContext } from './listener-context.ts';

/** Slack takes an answer for 3 seconds and 100 options. */
const deadlineMs = 2_000;
const optionsAtMost = 100;

/** Typeahead: the field is known by the form's callback id and the block id, what fits comes from the directory. */
export function registerPickers(app: App, listenerContext: ListenerContext): void {
  app.options<'block_suggestion'>({ type: 'block_suggestion', action_id: inputActionId }, async ({ ack, body }) => {
    const operation = operationNamed(body.view?.callback_id ?? '');
    const field = operation?.fields[body.block_id];
    const fitting = operation && field ? suggest(listenerContext, operation, field, body.user.id, body.value) : Promise.resolve([]);
    const options = await Promise.race([fitting, listenerContext.sleep(deadlineMs)]);
    await ack({ options: options ?? [] });
  });
}

async function suggest(listenerContext: ListenerContext, operation: Operation, field: Field, personId: string, text: string): Promise<PlainTextOption[]> {
  try {
    const standing = await listenerContext.permissions.of(personId);
    return standing.refusalOf(operation) === undefined ? await optionsFor(field, listenerContext.directory, standing, text) : [];
  } catch (error) {
    listenerContext.logAndExplain(error);
    return [];
  }
}

async function optionsFor(field: Field, directory: Directory, { rights, visibility }: Standing, text: string): Promise<PlainTextOption[]> {
  const limit = optionsAtMost;
  switch (field.kind) {
    case 'quiz': {
      const accepts: typeof visibility.quiz = (quiz) => visibility.quiz(quiz) && (field.status?.includes(quiz.status) ?? true);
      return (await directory.quizzes.namesAtHand()).search(text, { limit, accepts }).map(quizOption);
    }
    case 'user': {
      const accepts: typeof visibility.user = (user) => visibility.user(user) && (field.accepts?.(user) ?? true);
      return (await directory.users.namesAtHand()).search(text, { limit, accepts }).map((user) => userOption(user, rights));
    }
    case 'group':
      return (await directory.groups.namesAtHand()).search(text, { limit, accepts: visibility.group }).map(groupOption);
    case 'assignees': {
      const groups = (await directory.groups.namesAtHand()).search(text, { limit: limit / 2, accepts: visibility.group }).map((group) => ({ kind: 'group', group }) as const);
      const users = (await directory.users.namesAtHand()).search(text, { limit: limit - groups.length, accepts: visibility.user }).map((user) => ({ kind: 'user', user }) as const);
      return [...groups, ...users].map((assignee) => assigneeOption(assignee, rights));
    }
    default:
      return [];
  }
}
