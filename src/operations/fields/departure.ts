import { namesNothing, valueOf, type FieldBase, type FieldKind } from './field-kind.ts';
import { say } from '../../domain/said.ts';

/** Whether a user, by their ID, has left the platform. Rows of many changes name it that are made while it is so. */
export interface DepartureField extends FieldBase {
  kind: 'departure';
  optional: true;
  typedOnly: true;
}

export interface Departure {
  userId: string;
  /** As far as the bot knows. */
  isGone: boolean;
}

export const departureKind: FieldKind<DepartureField, Departure> = {
  ...namesNothing,
  split: () => [],
  async resolve([userId = ''], _field, { departures }) {
    const left = await departures.left();
    return valueOf({ userId, isGone: left?.some((one) => one.userId === userId) === true });
  },
  identify: ({ userId }) => [userId],
  describe: ({ isGone }) => (isGone ? say`yes` : say`no`),
};
