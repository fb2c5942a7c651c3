import { locationOf } from '../support/results.ts';
import { boardOf, quizToken, factsAbout } from './journal.ts';
import { submit } from './attempts.ts';
import { isDone, standingAt } from './oracle.ts';
import type { CampaignDraft } from './plan.ts';
import { hourMs, textOf, type World } from './world.ts';

const dayMs = 24 * hourMs;
const minuteMs = 60_000;

/** A campaign as it is in its world: who is in it by now, and the webhooks that the bot has still to get. */
export interface Run {
  number: number;
  draft: CampaignDraft;
  dueAt: number;
  isStarted: boolean;
  attempts: string[];
  names: number;
}

/** As it is typed. */
export const handleOf = (who: number) => `@p${String(who).padStart(3, '0')}`;
export const typedTime = (at: number) => new Date(at).toISOString().slice(0, 16).replace('T', ' ');

/** Starts a campaign by command. @returns what went wrong */
export async function startCampaign(world: World, run: Run, people: number): Promise<string | undefined> {
  const { clock, ada, journal } = world;
  const { number, draft } = run;
  const now = clock.now();
  const named = membersOf(draft, people).filter((who) => !isGone(world, who));
  if (named.length === 0) return undefined;
  for (const { who, daysAgo, passed } of draft.before)
    attemptBefore(world, run, { who: named[who % named.length]!, passed, at: now - daysAgo * dayMs });
  const dueAt = Math.ceil((now + draft.dueAfter * hourMs) / minuteMs) * minuteMs;
  const { remindDays, overdueDays, escalateDays, hasBoard, completeWhen, validMonths } = draft;
  const { attempts } = standingAt(factsAbout(journal.all, number), now);
  const members = named.filter((who) => !isDone({ completeWhen, validMonths, dueAt }, who, attempts));
  const line = [
    `/quiz-campaign start "${quizToken(number)}" for ${named.map(handleOf).join(', ')} due ${typedTime(dueAt)}`,
    remindDays.length > 0 ? `remind ${remindDays.map((days) => `${days}d`).join(', ')}` : 'remind none',
    ...(overdueDays === undefined ? [] : [`overdue ${overdueDays}d`]),
    ...(escalateDays === undefined ? [] : [`escalate ${escalateDays}d to @erin`]),
    ...(hasBoard ? [`board #${boardOf(number).name}`] : []),
    `complete when ${completeWhen}`,
    ...(validMonths === undefined ? [] : [`valid ${validMonths} months`]),
  ].join(' ');
  const outcome = await clock.during(ada.command(line));
  const preview = await clock.during(outcome.reply());
  if (members.length === 0 && textOf(preview).includes('Nobody is left to take part')) return undefined;
  if (!textOf(preview).includes('choose:run-campaign'))
    return `“${line}” is answered with ${textOf(preview).slice(0, 600)}`;
  await clock.during(ada.click(locationOf(preview), 'choose:run-campaign'));
  await clock.until(clock.now() + 10_000);
  run.isStarted = true;
  run.dueAt = dueAt;
  journal.note({
    kind: 'started',
    campaign: number,
    members,
    dueAt,
    remindMs: remindDays.map((days) => days * dayMs),
    overdueMs: overdueDays === undefined ? undefined : overdueDays * dayMs,
    escalateMs: escalateDays === undefined ? undefined : escalateDays * dayMs,
    completeWhen,
    validMonths,
    at: now,
  });
  return undefined;
}

/** The service has had it since before, and the bot gets no webhook. */
function attemptBefore(
  world: World,
  { number: campaign, attempts }: Run,
  { who, passed, at }: { who: number; passed: boolean; at: number },
): void {
  const attempt = `r-${campaign}-${attempts.length}`;
  attempts.push(attempt);
  submit(world, { attempt, campaign, who, passed, isByLink: false, at });
}

function membersOf({ first, members }: CampaignDraft, people: number): number[] {
  return Array.from({ length: members }, (_, index) => (first + index) % people);
}

/** Nobody can start a campaign for them, or take a quiz as them. */
export function isGone({ journal }: World, who: number): boolean {
  const is = (kind: 'suspended' | 'deleted' | 'left') =>
    journal.all.findLast((fact) => fact.kind === kind && fact.who === who);
  return (['suspended', 'deleted', 'left'] as const).some((kind) => {
    const last = is(kind);
    return last !== undefined && 'is' in last && last.is;
  });
}
