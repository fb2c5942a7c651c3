import { named } from '../../../domain/sentence.ts';
import { endOf, type Campaign } from '../../../domain/campaign.ts';
import { say } from '../../../domain/said.ts';
import { openPeople } from '../../../obligations/people.ts';
import { InvalidInputError } from '../../../operations/errors.ts';
import { defineOperation, ofCampaign } from '../../../operations/operation.ts';
import { momentInWords } from '../../../operations/dates/typed-time.ts';
import { zoneOf } from '../../../operations/dates/time-of-day.ts';
import { runStep } from '../../../operations/next-step.ts';
import type { Step } from '../../../operations/page.ts';
import { campaignField } from '../../../operations/fields/campaign.ts';
import { peopleWords } from './campaign-words.ts';
import { readNewDue } from './schedule-input.ts';
import { viewStep } from './list-and-show.ts';
import { moment } from '../../../time/date-words.ts';
import { unchanged } from '../../../operations/operation-result.ts';

/** Gives people more time, or less. Everybody who still has to take the quiz gets one message about it. */
export const extendCampaign = defineOperation({
  name: 'extend-campaign',
  command: '/quiz-campaign extend <campaign> to <time>',
  synonyms: ['postpone', 'prolong'],
  summary: 'Give people more time, or less: 20 dec 17:00, friday, 1 week more',
  title: say`Extend campaign`,
  isCommon: true,
  buttons: {
    campaign: [
      {
        label: 'Extend…',
        in: ['list', 'page'],
        position: 3,
        opens: 'form',
        when: ({ endedAt, rule }) => endedAt === null && rule.standing === null,
      },
    ],
  },
  ...ofCampaign,
  submit: 'Extend',
  fields: {
    campaign: campaignField,
    time: {
      kind: 'text',
      label: 'New due time',
      hint: 'For example 20 dec 17:00, friday, or 1 week: a week later than it’s due now. A day alone is due at 17:00',
      maxLength: 60,
      isTime: true,
      clause: { words: ['to'], example: say`to 15 dec 17:00` },
    },
    was: { kind: 'text', label: 'Due time before', maxLength: 60, optional: true, typedOnly: true },
  },
  /** An Undo can be pressed after others have moved it, too. */
  confirm: ({ campaign, time, was }) =>
    was === undefined || was === typed(campaign.rule.dueAt)
      ? undefined
      : {
          question: movedMessage(campaign),
          label: say`Move it back`,
          input: { campaign: [campaign.id], time: [time] },
        },
  action: ({ campaign }) => say`extend the campaign for ${named(campaign.quiz.name)}`,
  effect: (_, { time }) => say`It would be due ${named(time)}.`,
  async run(context, { campaign, time }) {
    const setting = { nowMs: context.now(), timeZone: zoneOf(context) };
    const { rule } = campaign;
    if (rule.standing !== null)
      throw new InvalidInputError(
        'campaign',
        say`In the campaign for ${named(campaign.quiz.name)}, each person has a due time of their own, so there is none to move. Excuse someone until a later time instead.`,
      );
    const dueAt = readNewDue(time, rule.dueAt, setting);
    const next = [viewStep(campaign.id)];
    if (dueAt === rule.dueAt)
      return unchanged(
        dueAt === null
          ? say`The campaign for ${named(campaign.quiz.name)} has no due time. Nothing changed.`
          : say`The campaign for ${named(campaign.quiz.name)} is due ${momentInWords(dueAt, setting)} already. Nothing changed.`,
        next,
      );
    await context.campaigns.put(campaign.id, {
      kind: 'rule',
      change: { dueAt, endsAt: dueAt && endOf(dueAt, rule.escalateAfterMs) },
      at: setting.nowMs,
    });
    const told = openPeople(campaign, setting.nowMs).filter(({ member }) => member.messages.length > 0).length;
    return {
      kind: 'done',
      message: extendedMessage(campaign, dueAt === null ? undefined : momentInWords(dueAt, setting), told),
      next: [undoStep(campaign, dueAt), ...next],
    };
  },
});

function undoStep({ id, rule }: Campaign, dueAt: number | null): Step {
  return runStep(say`Undo`, extendCampaign, { campaign: [id], time: [typed(rule.dueAt)], was: [typed(dueAt)] });
}

/** A due time as a button types it. */
function typed(dueAt: number | null): string {
  return dueAt === null ? 'none' : new Date(dueAt).toISOString();
}

/** Asks whether to move a due time back that is another one than the button knows. */
export function movedMessage({ quiz, rule: { dueAt } }: Pick<Campaign, 'quiz' | 'rule'>): string {
  return dueAt === null
    ? say`The due time of the campaign for ${named(quiz.name)} was removed since then. Set the earlier one all the same?`
    : say`The due time of the campaign for ${named(quiz.name)} was moved to ${moment(dueAt)} since then. Move it back all the same?`;
}

/**
 * @param due in words, such as “Tue 15 Dec, 17:00”; undefined for no due time
 * @param told how many people get a message about it
 */
export function extendedMessage({ quiz }: Pick<Campaign, 'quiz'>, due: string | undefined, told: number): string {
  const changed =
    due === undefined
      ? say`Removed the due time of the campaign for ${named(quiz.name)}.`
      : say`Moved the due time of the campaign for ${named(quiz.name)} to ${due}.`;
  return told === 0
    ? changed
    : [changed, say`${peopleWords(told)} will get a message about it in their working hours.`].join(' ');
}
