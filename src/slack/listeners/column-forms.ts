import type { App, BlockAction, ButtonAction } from '@slack/bolt';
import type { ModalView } from '@slack/types';
import { importUsers } from '../../features/imports/import-users.ts';
import type { ExecutionResult } from '../../governance/perform/execution-result.ts';
import { goneMessage } from '../../operations/plans/plan-kind.ts';
import type { ResponseTarget } from '../connection/response-url.ts';
import { updateModal } from '../open-modal.ts';
import { columnsView } from '../views/batches/import-columns.ts';
import { askColumnsAction } from '../views/batches/import-plan.ts';
import { messageView, waitingView } from '../views/blocks/form.ts';
import { textMessage } from '../views/blocks/message.ts';
import { outcomeMessage } from '../views/outcome.ts';
import { answerBeside, clickedMessage, openModalOrAnswer } from './answers.ts';
import { remember } from './form-memory.ts';
import type { ListenerContext } from './listener-context.ts';
import { say } from '../../domain/said.ts';

/** The form that asks what the columns of a file hold; undefined for any other outcome. */
export function askedColumnsView(
  outcome: ExecutionResult,
  responseTarget: ResponseTarget | undefined,
): ModalView | undefined {
  if (outcome.kind !== 'done' || outcome.result.kind !== 'columns') return undefined;
  const before = Object.fromEntries(
    Object.entries(outcome.result.entered).map(([name, texts]): [string, string[]] => [name, [...texts]]),
  );
  const view = remember(columnsView(outcome.result), { place: responseTarget, before });
  return view.private_metadata?.includes('"before"')
    ? view
    : messageView(importUsers, textMessage('⚠️', say`Choose fewer groups and quizzes for everyone, then try again.`));
}

/** Listens to **Columns…** of a preview. */
export function registerColumnForms(app: App, listenerContext: ListenerContext): void {
  app.action<BlockAction<ButtonAction>>(
    { type: 'block_actions', action_id: askColumnsAction },
    async ({ ack, action, body, client, context }) => {
      await ack();
      const person = { personId: body.user.id, teamId: context.teamId ?? '' };
      const responseTarget = clickedMessage(body, true);
      const entered = await listenerContext.permissions.enteredFor(action.value ?? '', person);
      if (entered?.operation !== importUsers.name) {
        await answerBeside(listenerContext, { client, ...person, responseTarget }, textMessage('ℹ️', goneMessage));
        return;
      }
      const request = {
        ...person,
        operation: importUsers,
        inputs: [{ ...entered.input, columns: ['ask', ...(entered.input['columns'] ?? [])] }] as const,
        through: 'form',
      } as const;
      const view = listenerContext.execute(request).then((outcome): ModalView => {
        const asked = askedColumnsView(outcome, responseTarget);
        if (asked !== undefined) return asked;
        if (outcome.kind === 'incomplete') return messageView(importUsers, textMessage('ℹ️', goneMessage));
        return messageView(importUsers, outcomeMessage(importUsers, {}, outcome, listenerContext.timeZone));
      });
      if (body.view?.type === 'modal') {
        await updateModal(client, body.view.id, await view);
        return;
      }
      await openModalOrAnswer(
        listenerContext,
        { client, ...person, responseTarget },
        {
          triggerId: body.trigger_id,
          view,
          waiting: waitingView(importUsers),
          instead: (error) => textMessage('⚠️', listenerContext.logAndExplain(error)),
        },
      );
    },
  );
}
