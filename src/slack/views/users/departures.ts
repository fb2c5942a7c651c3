import type { DepartureList } from '../../../domain/queue-entry.ts';
import { amount, countOf, say } from '../../../domain/said.ts';
import { shortName } from '../../../domain/short-name.ts';
import { runStep } from '../../../operations/next-step.ts';
import type { Page } from '../../../operations/page.ts';
import { day } from '../../../time/date-words.ts';
import { dismissDeparted } from '../../../features/departures/operations/dismiss-departed.ts';
import { suspendDeparted } from '../../../features/departures/operations/suspend-departed.ts';

/** Lists for those who decide which users of the account have left Slack and can still sign in. */
export function departuresPage({ id, people, mass }: DepartureList, timeZone: string): Page {
  if (mass !== null)
    return {
      heading: say`⚠️ ${amount(mass.count)} of ${countOf(mass.of, 'person', 'people')} of the quiz account have left Slack and can still sign in. That looks like a migration, so they aren’t listed.`,
      parts: [
        {
          lines: [
            say`If they have really left, \`/quiz-user suspend-departed\` shows who would be suspended. Nothing happens before you start it.`,
          ],
        },
      ],
      steps: [runStep(say`Show who has left`, suspendDeparted, {})],
    };
  if (people.length === 0)
    return { heading: say`✅ Of the people who left Slack, nobody on this list is waiting for a decision.` };
  return {
    heading: say`👋 ${amount(people.length)} ${people.length === 1 ? 'person has' : 'people have'} left Slack and can still sign in to the quiz account. Suspend them?`,
    parts: [
      {
        lines: people.map(({ name, leftAt }) => say`• *${shortName(name, 60)}* · left ${day(leftAt, timeZone)}`),
        most: 50,
      },
    ],
    steps: [
      { ...runStep(say`Suspend…`, suspendDeparted, { list: [id] }), style: 'primary' },
      runStep(say`Dismiss`, dismissDeparted, { list: [id] }),
    ],
    notes: [say`Nothing happens before someone reviews and starts it. Nobody is deleted.`],
  };
}
