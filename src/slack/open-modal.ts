import type { ModalView } from '@slack/types';
import type { WebClient } from '@slack/web-api';

/** A trigger id lives 3 seconds; content that is not ready in time is filled in later. */
const deadlineMs = 1_500;

/** Opens a modal within its deadline: with the view where that is ready, otherwise with `waiting`, which the view then replaces. */
export async function openModal(options: {
  client: WebClient;
  triggerId: string;
  /** Whether the trigger comes from a modal; the new one opens on top of it. */
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
