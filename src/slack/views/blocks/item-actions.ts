import { moment } from '../../../time/date-words.ts';
import type { ActionsBlock, Button, KnownBlock, Overflow, SectionBlock } from '@slack/types';
import { asSaid, say } from '../../../domain/said.ts';
import { operationNamed } from '../../../operations/catalog.ts';
import type { Step } from '../../../operations/page.ts';
import { operationButton } from './buttons.ts';
import { context, section, shortName, plain } from './mrkdwn.ts';

/** The action ID of every overflow menu begins with this. */
export const menuActionId = 'menu';

/** Slack's limits: https://docs.slack.dev/reference/block-kit/block-elements/overflow-menu-element */
const menuOptionsAtMost = 5;
const longestValue = 150;

/** The steps that the reader may run or ask for, as buttons. A screen reader reads with each what it acts on. */
export function actionButtons(about: string, steps: readonly Step[], offered: ReadonlySet<string>): Button[] {
  return stepButtons(
    steps.filter(({ operation }) => offered.has(operation)),
    about,
  );
}

/** Steps as buttons. @param about what they act on, where that doesn’t stand above them */
export function stepButtons(steps: readonly Step[], about?: string): Button[] {
  return steps.flatMap(({ label, operation: name, input, opensForm, replaces, style }) => {
    const operation = operationNamed(name);
    if (operation === undefined) return [];
    const doing = opensForm ? 'form' : replaces ? 'replace' : 'beside';
    return operationButton(name, { text: label, doing, operation, raw: input, ...(style && { style }) }).map(
      (button) => ({
        ...button,
        ...(about !== undefined && { accessibility_label: `${asSaid(label)} ${shortName(about)}` }),
      }),
    );
  });
}

/** A row of buttons; none without buttons. */
export function buttonRow(buttons: ActionsBlock['elements']): ActionsBlock[] {
  return buttons.length === 0 ? [] : [{ type: 'actions', elements: buttons }];
}

/** The value of a menu’s option: whether it opens the form, the operation and its input. */
export type MenuValue = [does: 'run' | 'form', operation: string, input: Step['input']];

/** A line with a menu of its actions. Slack has no label for a menu, so a screen reader reads it after the line. */
export function menuSection(line: string, actions: readonly Step[], index: number): SectionBlock {
  const options = actions
    .map(({ label, operation, input, opensForm }) => {
      const value: MenuValue = [opensForm ? 'form' : 'run', operation, input];
      return { text: plain(asSaid(label)), value: JSON.stringify(value) };
    })
    .filter(({ value }) => value.length <= longestValue)
    .slice(0, menuOptionsAtMost);
  const menu: Overflow = { type: 'overflow', action_id: `${menuActionId}:${index}`, options };
  return { ...section(line), ...(options.length > 0 && { accessory: menu }) };
}

/** Says when the service gave a list that is not from this minute. */
export function ageOfList(readAt: number | undefined, timeZone: string): KnownBlock[] {
  return readAt === undefined
    ? []
    : [context(say`As of ${moment(readAt, timeZone)}. Run the command again in a moment to see later changes.`)];
}
