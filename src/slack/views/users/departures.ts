import type { KnownBlock } from '@slack/types';
import type { Announcement } from '../../../domain/announcement.ts';
import type { DepartureEnd, DepartureNotice, NoticedPerson } from '../../../domain/departure.ts';
import { dismissDeparted } from '../../../features/departures/operations/dismiss-departed.ts';
import { suspendDeparted } from '../../../features/departures/operations/suspend-departed.ts';
import { reinstateUser } from '../../../features/users/suspend-and-reinstate.ts';
import { amount, countOf, say } from '../../../domain/said.ts';
import { operationButton } from '../blocks/buttons.ts';
import { buttonRow } from '../blocks/item-actions.ts';
import type { Message } from '../blocks/message.ts';
import { day } from '../blocks/moments.ts';
import { context, md, mention, notification, section, sections, type Mrkdwn } from '../blocks/mrkdwn.ts';
import { listedName } from '../blocks/shown-name.ts';

type Of<Kind extends DepartureNotice['kind']> = Extract<DepartureNotice, { kind: Kind }>;

/** Below the length that Slack takes, with names of any length. */
const peopleAtMost = 50;
/** Each takes a section and a row of buttons; a message takes 50 blocks. */
const buttonsAtMost = 20;

/** Tells those who decide that users of the account have left Slack, or are back. */
export function departuresMessage({ notice, timeZone }: Extract<Announcement, { kind: 'departures' }>): Message {
  switch (notice.kind) {
    case 'proposal':
      return proposalMessage(notice, timeZone);
    case 'return':
      return returnMessage(notice, timeZone);
    case 'mass':
      return massMessage(notice);
  }
}

function proposalMessage({ id, people }: Of<'proposal'>, timeZone: string): Message {
  const open = people.filter(({ end }) => end === undefined);
  const heading =
    open.length > 0
      ? md`👋 ${amount(open.length)} ${open.length === 1 ? 'person has' : 'people have'} left Slack and can still sign in to the quiz account. Suspend them?`
      : people.every(({ end }) => end?.kind === 'suspended')
        ? md`✅ ${amount(people.length)} ${people.length === 1 ? 'person who left Slack is' : 'people who left Slack are'} suspended.`
        : md`ℹ️ Nothing is left to decide about ${amount(people.length)} ${people.length === 1 ? 'person who' : 'people who'} left Slack.`;
  const line = (person: NoticedPerson) =>
    md`• *${listedName(person.name, true)}* · ${person.end ? endWords(person.end) : md`left ${day(new Date(person.at), timeZone)}`}`;
  const proposal = { proposal: [id] };
  return {
    text: notification(heading),
    blocks: [
      section(heading),
      ...sections(people.slice(0, peopleAtMost).map(line)),
      ...more(people.length - peopleAtMost),
      ...(open.length === 0
        ? []
        : [
            context(md`Nothing happens before someone reviews and starts it. Nobody is deleted.`),
            ...buttonRow([
              ...operationButton('review', {
                text: say`Review…`,
                doing: 'beside',
                operation: suspendDeparted,
                raw: proposal,
                style: 'primary',
              }),
              ...operationButton('dismiss', {
                text: open.length === 1 ? say`Leave active` : say`Leave all active`,
                doing: 'beside',
                operation: dismissDeparted,
                raw: proposal,
              }),
            ]),
          ]),
    ],
  };
}

function endWords(end: DepartureEnd): Mrkdwn {
  switch (end.kind) {
    case 'back':
      return md`back in Slack`;
    case 'suspended':
      return md`suspended`;
    case 'reinstated':
      return md`reinstated`;
    case 'deleted':
      return md`not in the quiz account any more`;
    case 'left again':
      return md`left Slack again`;
    case 'dismissed':
      return md`stays active, as ${mention(end.by)} decided`;
    case 'expired':
      return md`stays active: nobody decided within 30 days`;
  }
}

function returnMessage({ people }: Of<'return'>, timeZone: string): Message {
  const open = people.filter(({ end }) => end === undefined);
  const heading =
    open.length > 0
      ? md`🔁 ${amount(open.length)} ${open.length === 1 ? 'person is' : 'people are'} back in Slack and still suspended in the quiz account, since they had left.`
      : md`ℹ️ Nothing is left to decide about ${amount(people.length)} ${people.length === 1 ? 'person who is' : 'people who are'} back in Slack.`;
  const blocksOf = (person: NoticedPerson): KnownBlock[] => [
    section(
      md`• *${listedName(person.name, true)}* · ${person.end ? endWords(person.end) : md`back since ${day(new Date(person.at), timeZone)}`}`,
    ),
    ...(person.end
      ? []
      : buttonRow(
          operationButton('reinstate', {
            text: say`Reinstate`,
            doing: 'beside',
            operation: reinstateUser,
            raw: { user: [person.userId] },
          }),
        )),
  ];
  return {
    text: notification(heading),
    blocks: [
      section(heading),
      ...people.slice(0, buttonsAtMost).flatMap(blocksOf),
      ...more(people.length - buttonsAtMost),
    ],
  };
}

function massMessage({ count, of }: Of<'mass'>): Message {
  const heading = md`⚠️ ${amount(count)} of ${countOf(of, 'person', 'people')} of the quiz account were deactivated in Slack within a day. That looks like a migration, so the bot proposes nothing.`;
  return {
    text: notification(heading),
    blocks: [
      section(heading),
      section(
        md`If they have really left, \`/quiz-user suspend-departed\` shows who would be suspended. Nothing happens before you start it.`,
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

function more(left: number): KnownBlock[] {
  return left > 0 ? [context(md`…and ${amount(left)} more`)] : [];
}
