import { asSaid } from '../../../domain/said.ts';
import type { InputBlock } from '@slack/types';
import type { Right } from '../../../operations/context.ts';
import { kindOf, type Field } from '../../../operations/fields/fields.ts';
import type { InputState } from '../../fields/field-kind.ts';
import { slackKindOf } from '../../fields/fields.ts';
import { plain } from './mrkdwn.ts';

/** The action id of every input; the block id is the field's name, so an error finds its field. */
export const inputActionId = 'value';

/** What the inputs of a form hold, by field name. */
export type FormState = Readonly<Record<string, InputState>>;

/** What people without the right cannot use, so their forms leave it out. */
const hiddenKinds: ReadonlySet<Field['kind']> = new Set(['group', 'groups', 'quizzes']);

/**
 * The input of a field; none when a person with these rights can choose nothing in it.
 *
 * @param options.changesForm whether Slack reports each choice at once
 */
export function inputBlock(
  name: string,
  field: Field,
  options: { state: InputState | undefined; rights?: ReadonlySet<Right>; changesForm?: boolean },
): InputBlock[] {
  const { state, rights = new Set(), changesForm = false } = options;
  if (field.optional && hiddenKinds.has(field.kind) && !kindOf(field).canName(rights, field)) return [];
  const element = slackKindOf(field).element(field, state, rights);
  if (element === undefined) return [];
  return [
    {
      type: 'input',
      block_id: name,
      label: plain(asSaid(field.label)),
      optional: field.optional ?? false,
      element: { ...element, action_id: inputActionId },
      ...(field.hint && { hint: plain(asSaid(field.hint)) }),
      ...(changesForm && { dispatch_action: true }),
    },
  ];
}
