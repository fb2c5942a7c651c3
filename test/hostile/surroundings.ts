import type { Cohort } from './cohort.ts';
import type { State } from './state.ts';
import type { DeliveredStep, ForeignPart } from './steps.ts';
import { foreignTeam } from './tenant.ts';

/** What a step can name. */
interface Surroundings {
  cohort: Cohort;
  state: State;
  slackUrl: string;
}

export interface Where extends Surroundings {
  /** The number of the delivery. */
  number: number;
  personId: string;
  /** The bot’s time, in milliseconds. */
  now: number;
  /** In the other tenant, if there is one. */
  other: Surroundings | undefined;
}

/** What is around a step in both tenants. */
export type Around = Pick<Where, keyof Surroundings | 'other'>;

/** Where a part of a step comes from. */
export function surroundingsOf(
  part: ForeignPart,
  { foreign }: { foreign?: readonly ForeignPart[] },
  where: Around,
): Surroundings {
  return (foreign?.includes(part) && where.other) || where;
}

export const isForeign = (envelope: string | undefined) =>
  envelope === 'foreign team' || envelope === 'foreign enterprise';

/** The workspace that a payload of a step names. */
export function teamIn(step: Pick<DeliveredStep, 'envelope' | 'foreign'>, where: Around): string {
  return isForeign(step.envelope) ? foreignTeam : surroundingsOf('team', step, where).cohort.tenant.teamId;
}
