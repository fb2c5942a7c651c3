import type { Target } from '../../domain/approval-request.ts';
import { unlessGone } from '../../quiz-api/errors.ts';
import type { Quiz, QuizStatus, Group } from '../../quiz-api/records.ts';
import { readQuizzesOfGroups } from '../../features/quizzes/assigned-quizzes.ts';
import { splitList } from '../typed-text.ts';
import {
  fromMatch,
  mapped,
  resolveEach,
  usualKind,
  type FieldBase,
  type FieldKind,
  type ResolvedValue,
} from './field-kind.ts';
import { say, listed } from '../../domain/said.ts';
import { dateInWords } from '../../time/date-words.ts';
import { statusInWords } from '../wording/words.ts';
import type { OperationContext, Visibility } from '../context.ts';
import { campaignKind, type CampaignField } from './campaign.ts';
import type { Campaign } from '../../domain/campaign.ts';

/** A quiz the person may see; `status` narrows the picker to the quizzes that make sense here. */
export interface QuizField extends FieldBase {
  kind: 'quiz';
  status?: readonly QuizStatus[];
}

export const quizKind: FieldKind<QuizField, Quiz> = {
  ...usualKind,
  async resolve([text = ''], _field, { directory, visibility, actor, rights, call }) {
    if (!rights.has('staff') && actor.user) await readQuizzesOfGroups(actor.user, { directory, call });
    const names = await directory.quizzes.names(call);
    const asTyped = names.match(text, { accepts: visibility.quiz });
    // “the forklift quiz”
    const bare = text
      .replace(/^(?:the|our|my) /i, '')
      .replace(/(?<=. )(?:quiz|test|exam|course)$/i, '')
      .trim();
    const match = asTyped.kind === 'none' && bare !== text ? names.match(bare, { accepts: visibility.quiz }) : asTyped;
    return fromMatch(text, 'quiz', match, {
      candidate: ({ quiz_id, name }) => ({ value: quiz_id, label: name }),
      traits: quizTraits,
    });
  },
  identify: ({ quiz_id }) => [quiz_id],
  describe: ({ name }) => name,
  targets: (quiz) => [quizTarget(quiz)],
  async refetch(known, { api, directory, call }) {
    return directory.quizzes.read(known.quiz_id, () => api.quizzes.get(known.quiz_id, call).catch(unlessGone));
  },
  async narrow(text, { status }, { directory, visibility, limit }) {
    const accepts = (quiz: Quiz) =>
      visibility.quiz(quiz) && (status === undefined || status.some((accepted) => accepted === quiz.status));
    return (await directory.quizzes.namesAtHand()).search(text, { limit, accepts });
  },
};

/** What tells quizzes of the same name apart. */
export function quizTraits({ status, date_created }: Quiz): string[] {
  return [statusInWords(status), date_created === null ? '' : say`created ${dayInWords(date_created)}`];
}

/** In UTC: a label has no reader’s zone. */
function dayInWords(date: Date): string {
  return dateInWords(date, 'day', 'UTC');
}

function quizTarget({ quiz_id, name, status }: Quiz): Target {
  return { kind: 'quiz', id: quiz_id, name, facts: { Name: name, State: status.replace('_', ' ') } };
}

/** A group that the person manages. */
export interface GroupField extends FieldBase {
  kind: 'group';
  /** Any group the person may choose by name: the operation shows no members and changes none. */
  byName?: true;
}

/** The service has no call for a single group. */
export const groupKind: FieldKind<GroupField, Group> = {
  ...usualKind,
  canName: (rights, { byName }) => rights.has('manage_groups') || (byName === true && rights.has('edit_quizzes')),
  resolve: ([text = ''], field, resolver) => findGroup(text, resolver, field),
  identify: ({ group_id }) => [group_id],
  describe: ({ group_name }) => group_name,
  targets: (group) => [groupTarget(group)],
  async narrow(text, field, { directory, visibility, limit }) {
    return (await directory.groups.namesAtHand()).search(text, { limit, accepts: acceptedBy(field, visibility) });
  },
};

/** The group with this id or name, as far as the person may choose it. */
async function findGroup(
  typed: string,
  { directory, visibility, call }: Pick<OperationContext, 'directory' | 'visibility' | 'call'>,
  field: Pick<GroupField, 'byName'>,
): Promise<ResolvedValue<Group>> {
  const match = (await directory.groups.names(call)).match(typed, { accepts: acceptedBy(field, visibility) });
  return fromMatch(typed, 'group', match, {
    candidate: ({ group_id, group_name }) => ({ value: group_id, label: group_name }),
  });
}

function acceptedBy({ byName }: Pick<GroupField, 'byName'>, visibility: Visibility): Visibility['group'] {
  return byName ? visibility.groupByName : visibility.group;
}

export function groupTarget({ group_id, group_name }: Group): Target {
  return { kind: 'group', id: group_id, name: group_name, facts: { Name: group_name } };
}

/** Any number of groups that the person manages, of quizzes that they may see, to assign them, or of campaigns that run and that they see. */
interface SeveralField<Kind extends 'groups' | 'quizzes' | 'campaigns'> extends FieldBase {
  kind: Kind;
}

export const groupsKind = several<'groups', GroupField, Group>(
  groupKind,
  { kind: 'group', label: '' },
  ({ group_id }) => group_id,
);
export const quizzesKind: FieldKind<SeveralField<'quizzes'>, Quiz[]> = {
  ...several<'quizzes', QuizField, Quiz>(quizKind, { kind: 'quiz', label: '' }, ({ quiz_id }) => quiz_id),
  canName: (rights) => rights.has('edit_quizzes'),
};
const runningCampaign: CampaignField = { kind: 'campaign', label: '', isRunning: true };
export const campaignsKind: FieldKind<SeveralField<'campaigns'>, Campaign[]> = {
  ...several<'campaigns', CampaignField, Campaign>(campaignKind, runningCampaign, ({ id }) => id),
  // Names of quizzes have commas.
  split: usualKind.split,
};

/** A kind for several of what another kind has one of, each by the rules of that kind. */
function several<Kind extends 'groups' | 'quizzes' | 'campaigns', One extends FieldBase, V>(
  kind: FieldKind<One, V>,
  field: One,
  idOf: (value: V) => string,
): FieldKind<SeveralField<Kind>, V[]> {
  return {
    // Reading each again would cost too much: running the operation tells for each whether it is still there.
    ...usualKind,
    canName: (rights) => kind.canName(rights, field),
    split: splitList,
    async resolve(typed, _field, resolver) {
      const each = await resolveEach(typed, async (text) => kind.resolve([text], field, resolver));
      return mapped(each, (values) => [...new Map(values.map((value) => [idOf(value), value])).values()]);
    },
    identify: (values) => values.flatMap((value) => kind.identify(value)),
    describe: (values) => listed(values.map((value) => kind.describe(value, field))),
    targets: (values) => values.flatMap((value) => kind.targets(value)),
    narrow: async (text, _field, options) => (await kind.narrow(text, field, options)).map((value) => [value]),
  };
}

/** Those that are not over; without any, all that the people who are named are in. */
export const campaignsField = {
  kind: 'campaigns',
  label: 'Campaigns',
  hint: 'By the names of their quizzes. Leave empty for all that the people below are in',
  optional: true,
} as const satisfies SeveralField<'campaigns'>;
