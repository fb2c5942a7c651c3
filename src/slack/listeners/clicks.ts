import type { BlockAction } from '@slack/bolt';
import type { WebClient } from '@slack/web-api';
import type { Outcome, OperationRequest } from '../../governance/execute.ts';
import { openModal } from '../open-modal.ts';
import { messageView, waitingView } from '../views/form.ts';
import { messageOf, run } from './commands.ts';
import type { ListenerContext } from './listener-context.ts';

export interface Click {
  client: WebClient;
  body: BlockAction;
}

/** Runs what was clicked, and shows the answer in place of what was clicked on or beside it. */
export async function answerClick(listenerContext: ListenerContext, click: Click, request: OperationRequest, where: 'replace' | 'beside'): Promise<void> {
  const { client, body } = click;
  if (body.view === undefined) {
    const outcome = await listenerContext.execute(request);
    const responseTarget = { responseUrl: body.response_url, replacesOriginal: where === 'replace' && canReplace(outcome) };
    await listenerContext.answerAt(responseTarget, messageOf(listenerContext, request, outcome));
  } else if (body.view.type === 'modal' && where === 'replace') {
    const message = await run(listenerContext, request);
    await client.views.update({ view_id: body.view.id, view: messageView(request.operation, message) });
  } else {
    await openAnswer(listenerContext, click, request);
  }
}

/** Runs what was clicked, and opens a modal with the answer, on top of the modal that was clicked in. */
export async function openAnswer(listenerContext: ListenerContext, { client, body }: Click, request: OperationRequest): Promise<void> {
  await openModal({
    client,
    triggerId: body.trigger_id,
    isOnTop: body.view?.type === 'modal',
    view: run(listenerContext, request).then((message) => messageView(request.operation, message)),
    waiting: waitingView(request.operation),
    sleep: listenerContext.sleep,
  });
}

/** After a failure, what was clicked on stays, so that the person can click again. */
function canReplace({ kind }: Outcome): boolean {
  return kind === 'done' || kind === 'requested' || kind === 'unclear';
}
