import type { ModalView } from '@slack/types';
import type { WebClient } from '@slack/web-api';

/** A trigger id lives 3 seconds; what is not ready by then is filled in later. */
const deadlineMs = 1_500;

/**
 * Opens a modal in time, whatever its content waits for: the view itself when it is ready soon,
 * otherwise `waiting`, which the view then replaces.
 */
export async function openModal(options: {
  client: WebClient;
  triggerId: string;
  /** Whether the trigger comes from a modal, on top of which this one goes. */
  isOnTop?: boolean;
  view: Promise<ModalView>;
  waiting: ModalView;
  sleep: (ms: number) => Promise<void>;
}): Promise<void> {
  const { client, triggerId, waiting } = options;
  const first = await Promise.race([options.view, options.sleep(deadlineMs).then(() => waiting)]);
  const opened = await client.views[options.isOnTop ? 'push' : 'open']({ trigger_id: triggerId, view: first });
  if (first !== waiting) return;
  await client.views.update({ view_id: opened.view?.id ?? '', view: await options.view });
}
