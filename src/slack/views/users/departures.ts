import type { Announcement } from '../../../domain/announcement.ts';
import { dismissDeparted } from '../../../features/departures/operations/dismiss-departed.ts';
import { suspendDeparted } from '../../../features/departures/operations/suspend-departed.ts';
import { amount, countOf, say } from '../../../domain/said.ts';
import { operationButton } from '../blocks/buttons.ts';
import { buttonRow } from '../blocks/item-actions.ts';
import type { Message } from '../blocks/message.ts';
import { day } from '../blocks/moments.ts';
import { context, section, sections } from '../blocks/mrkdwn.ts';
import { listedName } from '../blocks/shown-name.ts';

/** Below the length that Slack takes, with names of any length. */
const peopleAtMost = 50;

/** Lists for those who decide which users of the account have left Slack and can still sign in. */
export function departuresMessage({ list, timeZone }: Extract<Announcement, { kind: 'departures' }>): Message {
  const { id, people, mass } = list;
  if (mass !== null) return massMessage(mass);
  const heading =
    people.length > 0
      ? say`👋 ${amount(people.length)} ${people.length === 1 ? 'person has' : 'people have'} left Slack and can still sign in to the quiz account. Suspend them?`
      : say`✅ Of the people who left Slack, nobody on this list is waiting for a decision.`;
  if (people.length === 0) return { text: heading, blocks: [section(heading)] };
  return {
    text: heading,
    blocks: [
      section(heading),
      ...sections(
        people
          .slice(0, peopleAtMost)
          .map(({ name, leftAt }) => say`• *${listedName(name, true)}* · left ${day(new Date(leftAt), timeZone)}`),
      ),
      ...(people.length > peopleAtMost ? [context(say`…and ${amount(people.length - peopleAtMost)} more`)] : []),
      context(say`Nothing happens before someone reviews and starts it. Nobody is deleted.`),
      ...buttonRow([
        ...operationButton('review', {
          text: say`Suspend…`,
          doing: 'beside',
          operation: suspendDeparted,
          raw: { list: [id] },
          style: 'primary',
        }),
        ...operationButton('dismiss', {
          text: say`Dismiss`,
          doing: 'beside',
          operation: dismissDeparted,
          raw: { list: [id] },
        }),
      ]),
    ],
  };
}

function massMessage({ count, of }: { count: number; of: number }): Message {
  const heading = say`⚠️ ${amount(count)} of ${countOf(of, 'person', 'people')} of the quiz account have left Slack and can still sign in. That looks like a migration, so they aren’t listed.`;
  return {
    text: heading,
    blocks: [
      section(heading),
      section(
        say`If they have really left, \`/quiz-user suspend-departed\` shows who would be suspended. Nothing happens before you start it.`,
      ),
      ...buttonRow(
        operationButton('review', {
          text: say`Show who has left`,
          doing: 'beside',
          operation: suspendDeparted,
          raw: {},
        }),
      ),
    ],
  };
}
