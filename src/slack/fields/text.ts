import type { InputBlock } from '@slack/types';
import { withoutIsolates } from '../../domain/direction.ts';
import type { DayField, TextField, EmailField } from '../../operations/fields/text.ts';
import type { SubscriptionField } from '../../operations/fields/subscription.ts';
import type { SubscriptionState } from '../../operations/services/alerts.ts';
import { offersNothing, type InputState, type SlackFieldKind } from './field-kind.ts';

/** The longest text Slack takes in an input. */
const longestText = 3_000;

const typedText = {
  ...offersNothing,
  read: ({ value }: { value?: string | null }) => (value ? { texts: [withoutIsolates(value)] } : undefined),
};

export const slackText: SlackFieldKind<TextField, string> = {
  ...typedText,
  element: ({ maxLength }, state) => textInput(Math.min(maxLength, longestText), state),
  fill: (text) => ({ texts: [text] }),
};

export const slackEmail: SlackFieldKind<EmailField, string> = {
  ...typedText,
  element: (_field, state) => ({ type: 'email_text_input', ...initialText(state) }),
  fill: (address) => ({ texts: [address] }),
};

/** Slack's own picker of days. */
export const slackDay: SlackFieldKind<DayField, string> = {
  ...offersNothing,
  element(_field, state) {
    const [day] = state?.texts ?? [];
    return { type: 'datepicker', ...(day && { initial_date: day }) };
  },
  read: ({ selected_date }) => (selected_date ? { texts: [selected_date] } : undefined),
  fill: (day) => ({ texts: [day] }),
};

/** Typed as its number in the list or a quiz's name. */
export const slackSubscription: SlackFieldKind<SubscriptionField, SubscriptionState> = {
  ...typedText,
  element: (_field, state) => textInput(250, state),
  fill: ({ subscription }) => ({ texts: [subscription.id] }),
};

function textInput(maxLength: number, state: InputState | undefined): InputBlock['element'] {
  return { type: 'plain_text_input', max_length: maxLength, ...initialText(state) };
}

function initialText(state: InputState | undefined): { initial_value?: string } {
  const [text] = state?.texts ?? [];
  return text ? { initial_value: text } : {};
}
