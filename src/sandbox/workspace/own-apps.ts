import type { Block } from './block-kit/blocks.ts';
import type { InputValues, Option, PlainText } from './block-kit/elements.ts';
import type { View } from './model.ts';

/**
 * An app of Slack’s own. What it shows is made of blocks, like what the bot shows. Its views have its name as `callback_id`, and
 * it answers what people do there itself: the bot hears nothing of it.
 */
export interface OwnApp {
  /** Draws what a person sees first. @throws Error with the sentence that they see */
  open(userId: string): Promise<void>;
  /** @param value of the button, or of the option that was chosen */
  act(userId: string, actionId: string, value: string, values: InputValues): Promise<void>;
  submit?(userId: string, view: View): Promise<void>;
}

/** The key of the view that `open` draws, beside the Home tabs of the bot. */
export const ownHome = (app: 'slackbot' | 'workflow', userId: string): string => `${app} ${userId}`;

export const plain = (text: string): PlainText => ({ type: 'plain_text', text });

export const section = (text: string): Block => ({ type: 'section', text: { type: 'mrkdwn', text } });

export const option = (text: string, value: string, description?: string): Option => ({
  text: plain(text),
  value,
  ...(description !== undefined && { description: plain(description) }),
});

/** The option that is chosen in a menu. */
export const chosenIn = (values: InputValues, actionId: string): Option | undefined =>
  Object.values(values).flatMap((byAction) => byAction[actionId]?.selected_option ?? [])[0];
