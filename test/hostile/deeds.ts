import type { StoredRequest } from './bot-store.ts';
import { idBehind, type Cohort } from './cohort.ts';
import { surroundingsOf, teamIn, type Around } from './surroundings.ts';
import type { Deed } from './judge.ts';
import type { Intent } from './rules.ts';
import type { DeliveredStep, StepInput } from './steps.ts';

/** What a step itself says of its deed. */
export function deedOf(step: DeliveredStep, where: Around, requestId: string): Partial<Deed> {
  const isOurs = teamIn(step, where) === where.cohort.tenant.teamId;
  switch (step.do) {
    case 'review':
      return { isOurs, kind: 'review', requestId };
    case 'decide':
      return { isOurs, kind: 'decide', requestId: step.metadata ?? requestId, isApproval: step.verdict === 'approved' };
    case 'password':
      return {
        isOurs,
        kind: 'password',
        intent: {
          operation: 'show-password',
          user: idBehind(surroundingsOf('user', step, where).cohort.users, step.user),
        },
      };
    default:
      return { isOurs };
  }
}

/** A step takes the name and address of its person from their profile. */
export function newUserOf({ operation, user = '' }: StepInput, { people }: Cohort): Intent {
  return { operation, values: { user_name: [people[user]?.email ?? ''], user_type: ['respondent'] } };
}

/** Requests whose answer a kill swallowed: the bot keeps who asked, and for what. */
export function nameLostRequests(deeds: readonly Deed[], requests: readonly StoredRequest[]): void {
  /** The plan of a step is shown to nobody. */
  const isOfShownPlan = ({ plan = [] }: StoredRequest['input']) =>
    deeds.some(({ plans }) => plans?.some((id) => plan.includes(id)));
  for (const { id, operation, input, requesterId } of requests) {
    if (deeds.some(({ kind, requestId }) => kind === 'do' && requestId === id)) continue;
    const stored = JSON.stringify(input);
    const isAbout = ({ isWithStart, intent }: Deed) =>
      isWithStart === true
        ? operation === 'run-campaign' && !isOfShownPlan(input)
        : intent?.operation === operation && isNamedIn(intent);
    const isNamedIn = ({ quiz, user, group, response, assignees = [], values }: Intent) =>
      [
        quiz,
        user,
        group,
        response,
        ...assignees,
        values?.['user_name']?.[0]?.trim(),
        values?.['name']?.[0],
        values?.['plan']?.[0],
      ].every((text) => text === undefined || stored.includes(text));
    for (const deed of deeds) {
      const { kind, requestId, personId } = deed;
      if (kind === 'do' && requestId === undefined && personId === requesterId && isAbout(deed)) deed.requestId = id;
    }
  }
}

/** The payload as if another person had sent it. */
export function asPerson(body: Record<string, unknown>, from: string, to: string): Record<string, unknown> {
  return JSON.parse(JSON.stringify(body).replaceAll(from, to)) as Record<string, unknown>;
}
