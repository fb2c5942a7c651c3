import { plain, shownLabel } from '../views/blocks/message.ts';
import { asSaid, say, isBlank, capitalized } from '../../domain/said.ts';
import type { PlainTextOption } from '@slack/types';
import { endOfId } from '../../directory/names.ts';
import type { BatchProgress } from '../../domain/batch.ts';
import type { Plan } from '../../domain/plan.ts';
import { partId, partName, type Assignee, type AudiencePart } from '../../operations/fields/people.ts';
import { campaignFacts, type LabelledCampaign } from '../../operations/fields/campaign.ts';
import { fileKind, sourceName, type FileSource } from '../../operations/fields/file.ts';
import { planKind } from '../../operations/fields/kept.ts';
import type { FieldOption } from '../../operations/fields/choice.ts';
import type { Visibility } from '../../operations/context.ts';
import { quizTraits } from '../../operations/fields/things.ts';
import { nameFor } from '../../operations/fields/user.ts';
import type { Quiz, Group, User } from '../../quiz-api/records.ts';
import { statusOf } from '../../features/quizzes/pages.ts';

/** Options of pickers. The value of an option is the text that the core resolves. */

export function quizOption(quiz: Quiz): PlainTextOption {
  const [, created = ''] = quizTraits(quiz);
  return option(
    shownLabel(quiz.name),
    quiz.quiz_id,
    [statusOf(quiz).word, created].filter((words) => words !== '').join(', '),
  );
}

/** What a person may do in the quiz account. The service names other types, too, which nobody may have yet. */
const userTypeWords: Readonly<Record<string, string>> = {
  respondent: say`respondent`,
  trainer: say`trainer`,
  administrator: say`administrator`,
};

/** Shows the user name, which is mostly an e-mail address, only to people who may see the record. */
export function userOption(user: User, visibility: Visibility): PlainTextOption {
  return option(
    shownLabel(nameFor(user, visibility)),
    user.user_id,
    visibility.user(user) ? user.user_name : (userTypeWords[user.user_type] ?? user.user_type),
  );
}

export function groupOption(group: Group): PlainTextOption {
  return option(shownLabel(group.group_name), group.group_id, say`Group`);
}

export function assigneeOption(assignee: Assignee, visibility: Visibility): PlainTextOption {
  const plainOption = assignee.kind === 'user' ? userOption(assignee.user, visibility) : groupOption(assignee.group);
  return { ...plainOption, value: `${assignee.kind}:${plainOption.value}` };
}

/** A channel or user group has its name as people write it. */
export function audienceOption(part: AudiencePart, visibility: Visibility): PlainTextOption {
  return part.kind === 'members' ? option(shownLabel(partName(part)), partId(part)) : assigneeOption(part, visibility);
}

export function campaignOption(campaign: LabelledCampaign): PlainTextOption {
  return option(shownLabel(campaign.quiz.name), campaign.id, capitalized(campaignFacts(campaign)));
}

export function planOption(plan: Plan): PlainTextOption {
  return option(shownLabel(planKind.describe(plan, { kind: 'plan', of: plan.content.kind, label: '' })), plan.id);
}

export function batchOption({ batch }: BatchProgress): PlainTextOption {
  return option(batch.action, batch.id);
}

/** Slack's limit for the value of an option. */
const longestValue = 150;

/** The file or the channel that was chosen before; none where its name is too long for an option. */
export function fileOption(source: FileSource): PlainTextOption[] {
  const value = fileKind.identify(source).join();
  return value.length > longestValue ? [] : [option(sourceName(source), value)];
}

export function fieldOption({ label, value, hint }: FieldOption): PlainTextOption {
  return option(asSaid(label), value, hint && asSaid(hint));
}

function option(text: string, value: string, description = ''): PlainTextOption {
  return {
    text: plain(isBlank(text) ? say`Unnamed` : text),
    value,
    ...(!isBlank(description) && { description: plain(shownLabel(description)) }),
  };
}

/** Options of which those that look alike have the end of their ID. */
export function distinctOptions(options: readonly PlainTextOption[]): PlainTextOption[] {
  const looks = options.map(({ text, description }) => `${text.text}\n${description?.text ?? ''}`);
  const howMany = Map.groupBy(looks, (look) => look);
  return options.map((one, index) => {
    if (howMany.get(looks[index]!)?.length === 1) return one;
    const known = one.description ? [one.description.text] : [];
    return { ...one, description: plain([...known, say`ID ${endOfId(one.value ?? '')}`].join(', ')) };
  });
}
