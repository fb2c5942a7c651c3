import { parse } from 'csv-parse/sync';
import { deleteQuiz, updateQuiz } from '../../src/sandbox/quiz-service/store/quizzes.ts';
import { deleteResponse } from '../../src/sandbox/quiz-service/store/responses.ts';
import { deleteUser } from '../../src/sandbox/quiz-service/store/users.ts';
import type { Message } from '../../src/sandbox/workspace/model.ts';
import { locationOf } from '../support/results.ts';
import { hear, hint, submit } from './attempts.ts';
import {
  boardOf,
  factsAbout,
  personIdOf,
  personToken,
  quizIdOf,
  quizToken,
  userIdOf,
  type ReportRow,
} from './journal.ts';
import { isDone, standingAt } from './oracle.ts';
import type { CampaignDraft, CampaignHappening, PersonPlan } from './plan.ts';
import { hourMs, slackPerson, textOf, type World } from './world.ts';

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
const handleOf = (who: number) => `@p${String(who).padStart(3, '0')}`;
const typedTime = (at: number) => new Date(at).toISOString().slice(0, 16).replace('T', ' ');

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
function isGone({ journal }: World, who: number): boolean {
  const is = (kind: 'suspended' | 'deleted' | 'left') =>
    journal.all.findLast((fact) => fact.kind === kind && fact.who === who);
  return (['suspended', 'deleted', 'left'] as const).some((kind) => {
    const last = is(kind);
    return last !== undefined && 'is' in last && last.is;
  });
}

/** @returns what went wrong, where the bot refuses what has to be possible */
export async function happenToCampaign(
  world: World,
  run: Run,
  { kind, who: which, days, isByLink, isHinted }: CampaignHappening,
  people: number,
): Promise<string | undefined> {
  const { clock, journal, database } = world;
  const { number: campaign } = run;
  const at = clock.now();
  const facts = factsAbout(journal.all, campaign);
  const standing = standingAt(facts, at);
  const who = standing.members[which % Math.max(1, standing.members.length)];
  if (who === undefined) return undefined;
  const isOver = standing.endedAt !== undefined;
  const name = `"${quizToken(campaign)}"`;
  // The bot finds nobody by a mention who has left Slack.
  const person = standing.left.has(who) ? personToken(who) : handleOf(who);
  const done = async (line: string, words: RegExp): Promise<boolean | string> => {
    const said = await typed(world, line);
    return words.test(said) || `“${line}” is answered with ${said.slice(0, 300)}`;
  };
  switch (kind) {
    case 'pass':
    case 'pass unheard':
    case 'fail':
    case 'fail unheard': {
      if (standing.quiz !== 'open' || isGone(world, who)) return undefined;
      const attempt = `r-${campaign}-${run.attempts.length}`;
      run.attempts.push(attempt);
      const one = { attempt, campaign, who, passed: kind.startsWith('pass'), isByLink, at };
      const isHeard = !kind.endsWith('unheard');
      if (isHeard && isHinted) return hint(world, one);
      submit(world, one);
      if (isHeard) await hear(world, one);
      return undefined;
    }
    case 'delete attempt': {
      const attempt = standing.attempts[which % Math.max(1, standing.attempts.length)]?.attempt;
      if (attempt === undefined) return undefined;
      deleteResponse(database, attempt);
      return journal.note({ kind: 'attempt deleted', campaign, attempt, at }) ?? undefined;
    }
    case 'excuse':
    case 'excuse until': {
      if (isOver || standing.excused.has(who) || standing.deleted.has(who)) return undefined;
      const until = kind === 'excuse' ? undefined : Math.ceil((at + days * dayMs) / minuteMs) * minuteMs;
      const ends = until === undefined ? '' : ` until ${typedTime(until)}`;
      const reason = `reason ${which}`;
      const said = await done(`/quiz-campaign excuse ${name} ${person}${ends} because ${reason}`, /Excused/);
      if (said !== true) return String(said);
      return journal.note({ kind: 'excused', campaign, who, reason, until, at }) ?? undefined;
    }
    case 'include': {
      if (isOver || standing.deleted.has(who)) return undefined;
      if (!standing.excused.has(who) && !standing.notMe.has(who)) return undefined;
      const said = await typed(world, `/quiz-campaign include ${name} ${person}`);
      if (/already/.test(said)) return undefined;
      if (!said.startsWith('✅')) return `“include” is answered with ${said.slice(0, 300)}`;
      return journal.note({ kind: 'included', campaign, who, at }) ?? undefined;
    }
    case 'extend':
    case 'shorten': {
      if (isOver) return undefined;
      const dueAt =
        kind === 'extend'
          ? Math.max(run.dueAt, at) + days * dayMs
          : Math.max(at + 2 * hourMs, run.dueAt - days * dayMs);
      if (kind === 'shorten' && dueAt >= run.dueAt) return undefined;
      const to = Math.ceil(dueAt / minuteMs) * minuteMs;
      const said = await done(`/quiz-campaign extend ${name} to ${typedTime(to)}`, /due/);
      if (said !== true) return String(said);
      run.dueAt = to;
      return journal.note({ kind: 'extended', campaign, dueAt: to, at }) ?? undefined;
    }
    case 'add': {
      const other = which % people;
      if (isOver || standing.quiz !== 'open' || standing.members.includes(other) || isGone(world, other))
        return undefined;
      if (isDone(standing, other, standing.attempts)) return undefined;
      const said = await done(`/quiz-campaign add ${handleOf(other)} to ${name}`, /Added/);
      if (said !== true) return String(said);
      return journal.note({ kind: 'added', campaign, who: other, at }) ?? undefined;
    }
    case 'remind':
      if (isOver) return undefined;
      await typed(world, `/quiz-campaign remind ${name}`);
      return journal.note({ kind: 'reminded by hand', campaign, at }) ?? undefined;
    case 'end':
      if (isOver) return undefined;
      return (await endCampaign(world, name)) ?? journal.note({ kind: 'ended', campaign, at }) ?? undefined;
    case 'not me':
    case 'snooze':
      if (isOver || isGone(world, who)) return undefined;
      return answerNotice(world, {
        campaign,
        who,
        action: kind === 'snooze' ? 'button:snooze-reminders' : 'row:not-me',
      });
    case 'close':
    case 'open': {
      if (standing.quiz === 'deleted') return undefined;
      const status = kind === 'close' ? 'closed' : 'open';
      updateQuiz(database, quizIdOf(campaign), { status });
      return journal.note({ kind: 'quiz', campaign, status, at }) ?? undefined;
    }
    case 'rename quiz':
      if (standing.quiz === 'deleted') return undefined;
      run.names += 1;
      updateQuiz(database, quizIdOf(campaign), { name: `${quizToken(campaign)} Beta${run.names}` });
      return undefined;
    case 'delete quiz':
      if (standing.quiz === 'deleted') return undefined;
      deleteQuiz(database, quizIdOf(campaign));
      return journal.note({ kind: 'quiz', campaign, status: 'deleted', at }) ?? undefined;
    case 'report':
      return report(world, campaign);
  }
}

/** What a person typed, and what they read. */
async function typed(world: World, line: string, channel?: string): Promise<string> {
  const outcome = await world.clock.during(world.ada.command(line, ...(channel === undefined ? [] : [{ channel }])));
  // Where something is missing, a form opens.
  const answer = await world.clock.during(Promise.race([outcome.reply(), outcome.view()]));
  return 'text' in answer
    ? textOf(answer)
    : `a form: ${[...JSON.stringify(answer.blocks).matchAll(/"text":"([^"]*)"/g)].map(([, text]) => text).join(' | ')}`;
}

/** Ends a campaign, also where the bot warns that people are missing. */
async function endCampaign({ clock, ada, workspace }: World, name: string): Promise<string | undefined> {
  const outcome = await clock.during(ada.command(`/quiz-campaign end ${name}`));
  // What the campaign itself says of its end can come before the answer.
  const isAnswer = (message: Message) => /Ended/.test(message.text) || textOf(message).includes('choose:confirmed');
  const reply = await clock.during(
    workspace.until(() => outcome.replies.find(isAnswer)).catch(async () => outcome.reply()),
  );
  if (textOf(reply).includes('choose:confirmed')) await clock.during(ada.click(locationOf(reply), 'choose:confirmed'));
  else if (!/Ended/.test(reply.text)) return `“end” is answered with ${textOf(reply).slice(0, 300)}`;
  await clock.until(clock.now() + 5_000);
  return undefined;
}

/** A person answers the last message about a campaign with a button. */
async function answerNotice(
  { workspace, clock, journal }: World,
  { campaign, who, action }: { campaign: number; who: number; action: string },
): Promise<undefined> {
  const message = workspace
    .directMessages(personIdOf(who))
    .findLast((one) => textOf(one).includes(quizToken(campaign)) && textOf(one).includes(action));
  // In a message with several quizzes, each has a button of its own.
  if (message === undefined || JSON.stringify(message.blocks).split(`"${action}"`).length !== 2) return undefined;
  await clock.during(workspace.as(personIdOf(who)).click(locationOf(message), action));
  await clock.until(clock.now() + 2_000);
  const isTaken = !JSON.stringify(
    workspace.directMessages(personIdOf(who)).find(({ ts }) => ts === message.ts)?.blocks,
  ).includes(`"${action}"`);
  if (isTaken)
    journal.note({
      kind: action === 'button:snooze-reminders' ? 'snoozed' : 'not me',
      campaign,
      who,
      at: clock.now() - 2_000,
    });
  return undefined;
}

/** Notes a report of a campaign. @returns what came in its place */
async function report(world: World, campaign: number): Promise<string | undefined> {
  const { ada, clock, journal } = world;
  const before = new Set(filesOf(world).map(({ ts }) => ts));
  const outcome = await clock.during(ada.command(`/quiz-campaign report "${quizToken(campaign)}" csv`));
  const reply = await clock.during(outcome.reply());
  const file = filesOf(world).find(({ ts }) => !before.has(ts))?.files?.[0];
  if (file === undefined) return `no report: ${textOf(reply).slice(0, 300)}`;
  const at = clock.now();
  const text = await clock.during(fetch(file.url).then((answer) => answer.text()));
  journal.note({ kind: 'report', campaign, rows: parseReport(text), at });
  return undefined;
}

const filesOf = ({ workspace }: World) =>
  workspace.directMessages(workspace.people.ada.id).filter(({ files }) => files?.length);

/** The rows of a report by the titles of its columns. */
function parseReport(text: string): ReportRow[] {
  return parse(text, { bom: true, columns: true });
}

/** What happens to a person in the account and in Slack; `isBack`: it is undone. */
export async function happenToPerson(
  world: World,
  { who, kind, isBack }: { who: number; kind: PersonPlan['happens'][number]['kind']; isBack: boolean },
  plan: PersonPlan,
): Promise<void> {
  const { database, workspace, clock, journal } = world;
  const at = clock.now();
  const is = !isBack;
  switch (kind) {
    case 'suspend':
      database.run('UPDATE users SET suspended = ? WHERE user_id = ?', [Number(is), userIdOf(who)]);
      return journal.note({ kind: 'suspended', who, is, at });
    case 'delete':
      if (isBack) return;
      deleteUser(database, userIdOf(who));
      return journal.note({ kind: 'deleted', who, is, at });
    case 'rename':
      database.run('UPDATE users SET first_name = ? WHERE user_id = ?', [isBack ? 'Given' : 'Renamed', userIdOf(who)]);
      return;
    case 'leave':
      workspace.setPerson({ ...slackPerson(who, plan), isDeleted: is });
      return journal.note({ kind: 'left', who, is, at });
    case 'turn off': {
      const actor = workspace.as(personIdOf(who));
      await world.commanded(async () => {
        const home = await clock.during(actor.openHome());
        const view = home ?? (await clock.during(workspace.until(() => workspace.home(personIdOf(who)))));
        await clock.during(actor.click({ view }, 'button:turn-messages'));
      });
      return journal.note({ kind: 'turned off', who, is, at });
    }
  }
}
