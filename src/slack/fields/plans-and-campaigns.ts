import type { InputBlock, PlainTextOption } from '@slack/types';
import type { BatchProgress } from '../../domain/batch.ts';
import type { Campaign, Validity } from '../../domain/campaign.ts';
import type { Plan } from '../../domain/plan.ts';
import { say } from '../../domain/said.ts';
import type { AudienceField, AudiencePart } from '../../operations/fields/audience.ts';
import type { BatchField } from '../../operations/fields/batch.ts';
import type { CampaignField } from '../../operations/fields/campaign.ts';
import { durationsKind, type DurationsField } from '../../operations/fields/durations.ts';
import type { PlanField } from '../../operations/fields/plan.ts';
import type { SeveralField } from '../../operations/fields/several.ts';
import { validityKind, type ValidityField } from '../../operations/fields/validity.ts';
import { formatMention } from '../../operations/typed-text.ts';
import { plain } from '../views/blocks/mrkdwn.ts';
import { audienceOption, batchOption, campaignOption, planOption } from '../views/blocks/options.ts';
import { idsIn, slackPeople } from './conversations.ts';
import { offersNothing, stateOfOptions, type SlackFieldKind } from './field-kind.ts';
import { pickerOfOne, pickerOfSeveral } from './picker.ts';
import { slackText } from './text.ts';

export const slackCampaign: SlackFieldKind<CampaignField, Campaign> = pickerOfOne(campaignOption);
export const slackCampaigns: SlackFieldKind<SeveralField<'campaigns'>, Campaign[]> = pickerOfSeveral(campaignOption);

/** A picker of names, of people, or of channels. A channel that was typed among names is an option like them. */
export const slackAudience: SlackFieldKind<AudienceField, AudiencePart[]> = {
  element({ from }, state, rights) {
    if (from === 'people') return slackPeople.element({ kind: 'people', label: '' }, state, rights);
    if (from === 'channels') return channelsPicker(idsIn(state));
    return {
      type: 'multi_external_select',
      placeholder: plain(say`Type part of a name`),
      min_query_length: 0,
      ...(state?.options?.length && { initial_options: [...state.options] }),
    };
  },
  read(input) {
    const { selected_options, selected_users, selected_conversations } = input;
    if (selected_options) return stateOfOptions(selected_options);
    if (selected_users) return slackPeople.read(input);
    return selected_conversations?.length
      ? { texts: selected_conversations.map((id) => formatMention({ kind: 'channel', id })) }
      : undefined;
  },
  fill(parts, { from }, visibility) {
    if (from === 'account')
      return stateOfOptions(parts.map((part) => audienceOption(part, visibility))) ?? { texts: [] };
    // Users of the account do not say who they are in Slack.
    return { texts: parts.flatMap((part) => (part.kind === 'members' ? [part.mention] : [])) };
  },
  offer: (parts, visibility) => parts.map((part) => audienceOption(part, visibility)),
  fillFromPlace: () => undefined,
};

function channelsPicker(channels: string[]): InputBlock['element'] {
  return {
    type: 'multi_conversations_select',
    placeholder: plain(say`Choose channels`),
    filter: { include: ['public', 'private'], exclude_bot_users: true },
    ...(channels.length > 0 && { initial_conversations: channels }),
  };
}

/** The only option is the plan: a form about it shows what it is. */
export const slackPlan: SlackFieldKind<PlanField, Plan> = onlyOption(planOption);

/** Likewise, in the form that asks why they should be resumed. */
export const slackBatch: SlackFieldKind<BatchField, BatchProgress> = onlyOption(batchOption);

function onlyOption<F, V>(optionOf: (value: V) => PlainTextOption): SlackFieldKind<F, V> {
  return {
    ...offersNothing,
    element(_field, state) {
      const [option] = state?.options ?? [];
      return option && { type: 'static_select', options: [option], initial_option: option };
    },
    read: ({ selected_option }) => stateOfOptions(selected_option ? [selected_option] : []),
    fill: (value) => stateOfOptions([optionOf(value)]) ?? { texts: [] },
  };
}

/** Typed, such as `7d, 1d`. */
export const slackDurations: SlackFieldKind<DurationsField, number[]> = typed(durationsKind.identify);

/** Typed, such as `12 months`. */
export const slackValidity: SlackFieldKind<ValidityField, Validity> = typed(validityKind.identify);

function typed<F, V>(textsOf: (value: V) => readonly string[]): SlackFieldKind<F, V> {
  return {
    ...offersNothing,
    element: (_field, state, rights) => slackText.element({ kind: 'text', label: '', maxLength: 100 }, state, rights),
    read: slackText.read,
    fill: (value) => ({ texts: [textsOf(value).join(', ')] }),
  };
}
