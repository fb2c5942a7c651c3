import type { BlockAction } from '@slack/bolt';
import type { WebClient } from '@slack/web-api';
import type { Outcome, Request } from '../../governance/execute.ts';
import { openModal } from '../open-modal.ts';
import { messageView, waitingView } from '../views/form.ts';
import { messageOf, run } from './commands.ts';
import type { Desk } from './listener-context.ts';

export interface Click {
  client: WebClient;
  body: BlockAction;
}

/** Runs what was clicked and shows the answer where the click was: in place of what was clicked on, or beside it. */
export async function answerClick(desk: Desk, click: Click, request: Request, where: 'replace' | 'beside'): Promise<void> {
  const { client, body } = click;
  if (body.view === undefined) {
    const outcome = await desk.execute(request);
    const place = { responseUrl: body.response_url, replacesOriginal: where === 'replace' && canReplace(outcome) };
    await desk.answerAt(place, messageOf(desk, request, outcome));
  } else if (body.view.type === 'modal' && where === 'replace') {
    const message = await run(desk, request);
    await client.views.update({ view_id: body.view.id, view: messageView(request.operation, message) });
  } else {
    await openAnswer(desk, click, request);
  }
}

/** Runs what was clicked and opens a modal with the answer, on top of the one that was clicked in. */
export async function openAnswer(desk: Desk, { client, body }: Click, request: Request): Promise<void> {
  await openModal({
    client,
    triggerId: body.trigger_id,
    isOnTop: body.view?.type === 'modal',
    view: run(desk, request).then((message) => messageView(request.operation, message)),
    waiting: waitingView(request.operation),
    sleep: desk.sleep,
  });
}

/** After a failure, what was clicked on stays where it can be clicked again. */
function canReplace({ kind }: Outcome): boolean {
  return kind === 'done' || kind === 'requested' || kind === 'unclear';
}
