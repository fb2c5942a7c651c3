import type { Announcement, CampaignWeek } from '../../../domain/announcement.ts';
import { amount, countOf, joinSaid, say } from '../../../domain/said.ts';
import { shortName, shortText } from '../../../domain/short-name.ts';
import { runStep } from '../../../operations/next-step.ts';
import type { Item, Page } from '../../../operations/page.ts';
import { shownQuizName } from '../../../operations/wording/shown-name.ts';
import { campaignSteps, nameList } from './words.ts';

const namesOfEach = 10;
const quizzesInLine = 8;
const lateAtMost = 8;
const longestQuestion = 200;

/** Tells who answers for campaigns what was done, who is overdue, what expires, and what most got wrong, each with what to do about it. */
export function campaignWeeksPage({ weeks }: Extract<Announcement, { kind: 'campaign-weeks' }>): Page {
  const late = weeks.filter(({ late: names }) => names.length > 0).toSorted((a, b) => b.late.length - a.late.length);
  const more = late.length - lateAtMost;
  const [done, expiring] = [totalOf(weeks, 'done'), totalOf(weeks, 'expiring')];
  const items: (Item | undefined)[] = [
    done > 0
      ? {
          line: say`✅ Done last week: ${countOf(done, 'person', 'people')} · ${quizzesOf(weeks, 'done')}`,
          steps: [runStep(say`View campaigns`, { name: 'list-campaigns' }, {})],
        }
      : undefined,
    ...late.slice(0, lateAtMost).map(({ campaignId, quizName, late: names }): Item => ({
      line: say`⏰ *${shownQuizName(quizName)}*: ${countOf(names.length, 'person is overdue', 'people are overdue')}. ${nameList(names, { most: namesOfEach })}`,
      steps: campaignSteps(campaignId, ['remind']).map((step) => ({
        ...step,
        spoken: `${step.label} ${shortName(quizName)}`,
      })),
    })),
    more > 0
      ? {
          line: say`⏰ People are overdue in ${countOf(more, 'more campaign', 'more campaigns')}.`,
          steps: [runStep(say`Who is overdue`, { name: 'show-matrix' }, { only: ['overdue'] })],
        }
      : undefined,
    expiring > 0
      ? {
          line: say`🔁 Within 30 days: ${countOf(expiring, 'pass expires', 'passes expire')} · ${quizzesOf(weeks, 'expiring')}`,
          steps: [runStep(say`The year`, { name: 'show-year' }, {})],
        }
      : undefined,
  ];
  const [failed] = weeks
    .flatMap(({ failed: one, quizName }) => (one ? [{ ...one, quizName }] : []))
    .toSorted((a, b) => b.wrong - a.wrong);
  if (failed)
    items.push({
      line: say`❓ *${shownQuizName(failed.quizName)}*: ${amount(failed.wrong)} of ${amount(failed.asked)} got this question wrong: ${shortText(failed.question, longestQuestion)}`,
      steps: [runStep(say`Questions`, { name: 'show-questions' }, { quiz: [failed.quizId] })],
    });
  const heading = say`🗓️ *The week in your campaigns*`;
  return {
    heading,
    notification: say`The week in your campaigns`,
    parts: [{ items: items.filter((item) => item !== undefined) }],
    steps: [
      { ...runStep(say`Stop these messages`, { name: 'turn-messages' }, { to: ['monday-off'] }), opens: 'button' },
    ],
  };
}

type Counted = 'done' | 'expiring';

function totalOf(weeks: readonly CampaignWeek[], what: Counted): number {
  return weeks.reduce((sum, week) => sum + week[what], 0);
}

/** Of each quiz how many, the most first. */
function quizzesOf(weeks: readonly CampaignWeek[], what: Counted): string {
  const some = weeks.filter((week) => week[what] > 0).toSorted((a, b) => b[what] - a[what]);
  const left = some.length - quizzesInLine;
  return joinSaid(
    [
      ...some.slice(0, quizzesInLine).map((week) => say`${shownQuizName(week.quizName)} ${amount(week[what])}`),
      ...(left > 0 ? [say`and ${amount(left)} more`] : []),
    ],
    ', ',
  );
}
