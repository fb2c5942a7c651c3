import type { ViewStateValue } from '@slack/bolt';
import type { ColumnsField } from '../../operations/fields/columns.ts';
import { offersNothing, type SlackFieldKind } from './field-kind.ts';

/** A menu for each column, in a form of its own. The block ID of a menu ends with the place of its column. */
export const slackColumns: SlackFieldKind<ColumnsField, string[]> = {
  ...offersNothing,
  element: () => undefined,
  read: () => undefined,
  readParts(menus) {
    const texts = [...menus].flatMap(([place, { selected_option: chosen }]: [string, ViewStateValue]) =>
      chosen ? [`${place}=${chosen.value}`] : [],
    );
    return texts.length > 0 ? { texts } : undefined;
  },
  fill: (texts) => ({ texts }),
};
