import { deleteQuiz, updateQuiz } from '../../src/sandbox/quiz-service/store/quizzes.ts';
import { deleteResponse } from '../../src/sandbox/quiz-service/store/responses.ts';
import { hear, hint, submit } from './attempts.ts';
import { factsAbout, type ReportRow, personToken, quizIdOf, quizToken, personIdOf } from './journal.ts';
import { isDone, standingAt } from './oracle.ts';
import type { CampaignHappening } from './plan.ts';
import { hourMs, type World, textOf } from './world.ts';
import { handleOf, isGone, typedTime, type Run } from './start-campaign.ts';
import type { Message } from '../../src/sandbox/workspace/model.ts';
import { locationOf } from '../support/results.ts';
import { parse } from 'csv-parse/sync';

const dayMs = 24 * hourMs;
const minuteMs = 60_000;

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
