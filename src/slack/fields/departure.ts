import type { Departure, DepartureField } from '../../operations/fields/departure.ts';
import { offersNothing, type SlackFieldKind } from './field-kind.ts';

/** Forms have none: rows of many changes alone are about people who have left. */
export const slackDeparture: SlackFieldKind<DepartureField, Departure> = {
  ...offersNothing,
  element: () => undefined,
  read: () => undefined,
  fill: ({ userId }) => ({ texts: [userId] }),
};
