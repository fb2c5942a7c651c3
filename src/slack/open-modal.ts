import type { ModalView } from '@slack/types';
import type { WebClient } from '@slack/web-api';
import { slackCodeOf } from './errors.ts';

/** A trigger id lives 3 seconds; content that is not ready in time is filled in later. */
export const openWithinMs = 1_500;

/**
 * Opens a modal within its deadline: with the view where that is ready, otherwise with `waiting`, which the view then
 * replaces unless the person has closed it.
 *
 * @throws the error of Slack's SDK where the modal does not open
 */
export async function openModal(options: {
  client: WebClient;
  triggerId: string;
  /** Whether the trigger comes from a modal; the new one opens on top of it. */
  isOnTop?: boolean;
  view: Promise<ModalView>;
  /** Also a function, for what is known only later. */
  waiting: ModalView | (() => ModalView);
  /** How long to wait for the view. A caller that waited already gives less. */
  withinMs?: number;
  sleep: (ms: number) => Promise<void>;
}): Promise<void> {
  const { client, triggerId, waiting, withinMs = openWithinMs } = options;
  const ready = await Promise.race([options.view, options.sleep(withinMs)]);
  const opened = await client.views[options.isOnTop ? 'push' : 'open']({
    trigger_id: triggerId,
    view: ready ?? (typeof waiting === 'function' ? waiting() : waiting),
  });
  if (ready) return;
  await updateModal(client, opened.view?.id ?? '', await options.view);
}

/**
 * Replaces the content of a modal.
 *
 * @param hash of the content that is replaced; other content stays as it is
 * @returns false where the person has closed it
 */
export async function updateModal(client: WebClient, viewId: string, view: ModalView, hash?: string): Promise<boolean> {
  try {
    await client.views.update({ view_id: viewId, view, ...(hash !== undefined && { hash }) });
    return true;
  } catch (error) {
    // https://docs.slack.dev/reference/methods/views.update#errors
    const code = slackCodeOf(error);
    if (code === 'not_found') return false;
    if (hash !== undefined && code === 'hash_conflict') return true;
    throw error;
  }
}
