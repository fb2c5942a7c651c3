import { splitList } from '../typed-text.ts';
import { campaignKind, type CampaignField } from './campaign.ts';
import { valueOf, type FieldBase, type FieldKind, type ResolvedValue } from './field-kind.ts';
import { groupKind, type GroupField } from './group.ts';
import { quizKind, type QuizField } from './quiz.ts';
import type { Campaign } from '../../domain/campaign.ts';

import type { Group } from '../../quiz-api/users.ts';
import type { Quiz } from '../../quiz-api/quizzes.ts';
import { listed } from '../../domain/said.ts';

/** Any number of groups that the person manages, of quizzes that they may see, to assign them, or of campaigns that run and that they see. */
export interface SeveralField<Kind extends 'groups' | 'quizzes' | 'campaigns'> extends FieldBase {
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
  split: (typed) => campaignKind.split(typed, runningCampaign),
};

/** A kind for several of what another kind has one of, each by the rules of that kind. */
function several<Kind extends 'groups' | 'quizzes' | 'campaigns', One extends FieldBase, V>(
  kind: FieldKind<One, V>,
  field: One,
  idOf: (value: V) => string,
): FieldKind<SeveralField<Kind>, V[]> {
  return {
    followsFromPlace: false,
    canName: (rights) => kind.canName(rights, field),
    split: splitList,
    async resolve(typed, _field, resolver): Promise<ResolvedValue<V[]>> {
      const values = new Map<string, V>();
      for (const [index, text] of typed.entries()) {
        const resolved = await kind.resolve([text], field, resolver);
        if (resolved.kind !== 'value') return resolved.kind === 'unclear' ? { ...resolved, index } : resolved;
        values.set(idOf(resolved.value), resolved.value);
      }
      return valueOf([...values.values()]);
    },
    identify: (values) => values.flatMap((value) => kind.identify(value)),
    describe: (values) => listed(values.map((value) => kind.describe(value, field))),
    targets: (values) => values.flatMap((value) => kind.targets(value)),
    // A request for each would cost too much. Running the operation tells for each whether it is still there.
    refetch: async (values) => values,
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
