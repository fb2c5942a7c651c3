import { deleteQuiz, updateQuiz } from '../../src/sandbox/quiz-service/store/quizzes.ts';
import { deleteResponse } from '../../src/sandbox/quiz-service/store/responses.ts';
import { hear, hint, submit } from './attempts.ts';
import { factsAbout } from './journal.ts';
import { isDone, standingAt } from './oracle.ts';
import type { CampaignHappening } from './plan.ts';
import { hourMs, type World } from './world.ts';
import { personToken, quizIdOf, quizToken } from './names.ts';
import { handleOf, isGone, typedTime, type Run } from './start-campaign.ts';
import { answerNotice, endCampaign, report, typed } from './what-people-do.ts';

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
