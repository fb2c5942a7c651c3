import type { Campaign, Schedule } from '../../domain/campaign.ts';
import { wallClock } from '../../time/wall-clock.ts';

/** When a campaign starts again: a year after its start, on the lead’s clock. */
export function repeatsAt({ startedAt, lead: { timeZone } }: Campaign): number {
  return yearAfter(startedAt, timeZone);
}

/**
 * The campaign of the next year, with every time a year later on the lead’s clock. Each round needs a new attempt: attempts
 * from before its start do not count. Excused members are left out.
 *
 * @param userIds the users who are in the account and not suspended
 */
export function nextRound(campaign: Campaign, userIds: ReadonlySet<string>): Campaign {
  const {
    id,
    schedule,
    lead: { timeZone },
  } = campaign;
  const startedAt = repeatsAt(campaign);
  const progress = {
    addedAt: startedAt,
    notifiedAt: null,
    remindedAt: [],
    snoozedUntil: null,
    result: null,
    responseIds: [],
    excused: null,
    saidNotMeAt: null,
    deliveries: [],
  };
  return {
    ...campaign,
    id: nextId(id),
    startedAt,
    countsFrom: startedAt,
    schedule: yearLater(schedule, timeZone),
    endedAt: null,
    remindNowAt: null,
    escalatedUpTo: 0,
    knowsDelivery: true,
    batchId: null,
    members: campaign.members
      .filter(({ userId, excused, assignment }) => userIds.has(userId) && excused === null && assignment === undefined)
      .map((member) => ({ ...member, ...progress })),
  };
}

function yearLater({ dueAt, endsAt, ...schedule }: Schedule, timeZone: string): Schedule {
  return { ...schedule, dueAt: dueAt && yearAfter(dueAt, timeZone), endsAt: endsAt && yearAfter(endsAt, timeZone) };
}

/** The same date and time of the next year; 28 February after a 29 February. */
function yearAfter(moment: number, timeZone: string): number {
  const clock = wallClock(timeZone);
  const shown = new Date(clock.shownAt(moment));
  const next = new Date(shown);
  next.setUTCFullYear(shown.getUTCFullYear() + 1);
  if (next.getUTCMonth() !== shown.getUTCMonth()) next.setUTCDate(0);
  return clock.firstMomentOf(next.getTime());
}

/** Always the same for a campaign, so that it is started once: `<id>.2`, `<id>.3`, … */
function nextId(id: string): string {
  const [first = id, round = '1'] = id.split('.');
  return `${first}.${Number(round) + 1}`;
}
