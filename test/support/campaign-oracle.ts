import { formatInTimeZone, fromZonedTime } from 'date-fns-tz';

/** What a campaign was to do, and what was seen. Times are milliseconds since the epoch. Shares no code with the rules of campaigns. */
export interface CampaignRun {
  startedAt: number;
  dueAt: number;
  /** When reminders come due. */
  reminders: readonly number[];
  endsAt: number;
  people: readonly CampaignPerson[];
  /** The messages that name the missing people, and when they come due. Those of the week come on Mondays, and may take the place of another. */
  lead: { timeZone: string; due: readonly number[]; messages: readonly { at: number; isOfWeek: boolean }[] };
}

export interface CampaignPerson {
  id: string;
  timeZone: string;
  /** When the service took their submission; undefined: never. */
  submittedAt: number | undefined;
  messages: readonly { at: number; kind: 'first' | 'reminder' }[];
}

const dayMs = 86_400_000;
/** First messages are all out by then: a weekend, and the pace of the platform. */
const firstWithinMs = 4 * dayMs;

/** What went wrong, as sentences; the empty list where all is right. */
export function judgeCampaign(run: CampaignRun): string[] {
  const comingAt = new Map(
    [...new Set(run.people.map(({ timeZone }) => timeZone))].map((timeZone) => [
      timeZone,
      run.reminders.map((at) => reminderMoment(at, run.dueAt, timeZone)),
    ]),
  );
  const ofPeople = run.people.flatMap((person) =>
    judgePerson(person, comingAt.get(person.timeZone) ?? [], run).map(
      (problem) => `${person.id} (${person.timeZone}): ${problem}`,
    ),
  );
  return [...ofPeople, ...judgeLead(run)];
}

/** Some people never submit, so there are always names. */
function judgeLead({ endsAt, lead: { timeZone, due, messages } }: CampaignRun): string[] {
  const dayOf = (at: number) => formatInTimeZone(at, timeZone, 'yyyy-MM-dd');
  const daysOf = (isOfWeek: boolean) =>
    messages.filter((message) => message.isOfWeek === isOfWeek).map(({ at }) => dayOf(at));
  const [days, weeks] = [daysOf(false), daysOf(true)];
  const expected = due
    .map((at) => firstOpenMoment(at, timeZone))
    .filter((at) => at < endsAt)
    .map(dayOf)
    .filter((day) => days.includes(day) || !weeks.includes(day));
  const wrongWeeks = weeks.filter((day, place) => new Date(day).getUTCDay() !== 1 || weeks.indexOf(day) !== place);
  return [
    ...(expected.join() === days.join()
      ? []
      : [`the lead gets the names on ${days.join(', ')}, not on ${expected.join(', ')}`]),
    ...wrongWeeks.map((day) => `the lead gets a message of the week on ${day}`),
    ...messages
      .filter(({ at }) => !isOpen(at, timeZone))
      .map(({ at }) => `the lead gets the names outside the hours, ${formatInTimeZone(at, timeZone, 'EEE HH:mm:ss')}`),
  ];
}

/** @param comingAt when the reminders come in the hours of the person, several at the same moment where they come due in between */
function judgePerson(
  { timeZone, submittedAt = Infinity, messages }: CampaignPerson,
  comingAt: readonly number[],
  { startedAt, endsAt }: CampaignRun,
): string[] {
  const problems: string[] = [];
  const shown = (at: number) => formatInTimeZone(at, timeZone, 'EEE yyyy-MM-dd HH:mm:ss');
  const dayOf = (at: number) => formatInTimeZone(at, timeZone, 'yyyy-MM-dd');

  for (const { at, kind } of messages)
    if (!isOpen(at, timeZone)) problems.push(`${kind} message outside the hours, ${shown(at)}`);
  const days = messages.map(({ at }) => dayOf(at));
  if (new Set(days).size < days.length) problems.push(`two messages on a day: ${days.join(', ')}`);

  const [first, ...more] = messages.filter(({ kind }) => kind === 'first');
  if (more.length > 0) problems.push(`${more.length + 1} first messages`);
  if (first === undefined && submittedAt > startedAt + firstWithinMs) problems.push('no first message');
  if (first && first.at > startedAt + firstWithinMs) problems.push(`the first message comes late, ${shown(first.at)}`);

  // Reminders of a day are one, from the earliest on; those on the day of the first message are left out.
  const rounds = new Map(
    comingAt
      .filter((at) => at < endsAt && first !== undefined && dayOf(at) > dayOf(first.at))
      .toSorted((a, b) => b - a)
      .map((at) => [dayOf(at), at]),
  );
  for (const [day, beganAt] of rounds) {
    const count = messages.filter(({ at, kind }) => kind === 'reminder' && dayOf(at) === day).length;
    if (count > 0 && submittedAt <= beganAt)
      problems.push(`a reminder on ${day}, after the submission at ${shown(submittedAt)}`);
    if (count === 0 && submittedAt > endOfDay(day, timeZone)) problems.push(`no reminder on ${day}`);
  }
  for (const { at, kind } of messages)
    if (kind === 'reminder' && !rounds.has(dayOf(at))) problems.push(`a reminder that was not due, ${shown(at)}`);
  return problems;
}

/** Whether it is between 9:00 and 18:00 on a weekday there. */
export function isOpen(at: number, timeZone: string): boolean {
  const [weekday, hour] = formatInTimeZone(at, timeZone, 'i H').split(' ').map(Number);
  return weekday! <= 5 && hour! >= 9 && hour! < 18;
}

/** Clocks of all zones differ by full quarters of an hour, so the hours begin at one. */
const quarterMs = 900_000;

/** The first moment in these hours from a time on. */
export function firstOpenMoment(from: number, timeZone: string): number {
  let at = from;
  while (!isOpen(at, timeZone)) at = Math.floor(at / quarterMs + 1) * quarterMs;
  return at;
}

/** What is to come before the due time comes before it: at 17:00 on the last working day, where the next one is too late. */
export function reminderMoment(planned: number, dueAt: number, timeZone: string): number {
  const next = firstOpenMoment(planned, timeZone);
  if (planned >= dueAt || next < dueAt) return next;
  let at = Math.floor(planned / quarterMs) * quarterMs;
  while (!isOpen(at, timeZone) || formatInTimeZone(at, timeZone, 'H:mm') !== '17:00') at -= quarterMs;
  return at;
}

function endOfDay(day: string, timeZone: string): number {
  return fromZonedTime(`${day}T23:59:59`, timeZone).getTime();
}
