import { shortName } from '../../../domain/short-name.ts';
import type { ActionsBlock, Button, Overflow, PlainTextOption, SectionBlock } from '@slack/types';
import { asSaid } from '../../../domain/said.ts';
import { operationNamed } from '../../../operations/catalog.ts';
import type { Step } from '../../../operations/page.ts';
import { operationButton } from './buttons.ts';
import { section, plain } from './mrkdwn.ts';

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

/**
 * Steps as buttons.
 *
 * @param about what they act on, where that doesn’t stand above them
 * @param from the place of the first in its row: an action ID is unique in a row
 */
export function stepButtons(steps: readonly Step[], about?: string, from = 0): Button[] {
  return steps.flatMap(({ label, operation: name, input, opens, style, spoken }, index) => {
    const operation = operationNamed(name);
    if (operation === undefined) return [];
    const isFirst = !steps.slice(0, index).some((other) => other.operation === name) && from === 0;
    const read = spoken ?? (about === undefined ? undefined : `${asSaid(label)} ${shortName(about)}`);
    return operationButton(isFirst ? name : `${name}-${from + index}`, {
      text: label,
      doing: opens ?? 'beside',
      operation,
      raw: input,
      ...(style && { style }),
    }).map((button) => ({ ...button, ...(read !== undefined && { accessibility_label: read }) }));
  });
}

/** A row of buttons; none without buttons. */
export function buttonRow(buttons: ActionsBlock['elements']): ActionsBlock[] {
  return buttons.length === 0 ? [] : [{ type: 'actions', elements: buttons }];
}

/** The value of a menu’s option: what it opens (`run`: the answer beside), the operation and its input. */
type MenuValue = [does: 'run' | NonNullable<Step['opens']>, operation: string, input: Step['input']];

/** Those whose value is not longer than Slack allows. */
export function menuOptions(steps: readonly Step[]): PlainTextOption[] {
  return steps
    .map(({ label, operation, input, opens, hint }) => {
      const value: MenuValue = [opens ?? 'run', operation, input];
      return { text: plain(asSaid(label)), value: JSON.stringify(value), ...(hint && { description: plain(hint) }) };
    })
    .filter(({ value }) => value.length <= longestValue);
}

/** A line with a menu of its actions. Slack has no label for a menu, so a screen reader reads it after the line. */
export function menuSection(line: string, actions: readonly Step[], index: number): SectionBlock {
  const options = menuOptions(actions).slice(0, menuOptionsAtMost);
  const menu: Overflow = { type: 'overflow', action_id: `${menuActionId}:${index}`, options };
  return { ...section(line), ...(options.length > 0 && { accessory: menu }) };
}
