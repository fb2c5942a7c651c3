import { auditPostPage } from '../../features/administration/pages/audit.ts';
import { operationNamed } from '../../operations/catalog.ts';
import type { Announcement } from '../../domain/announcement.ts';
import type { DepartureList } from '../../domain/queues.ts';
import { amount, countOf, say, shortName } from '../../domain/said.ts';
import { dismissDeparted, suspendDeparted } from '../../features/departures/operations/departed.ts';
import { runStep, type Page } from '../../operations/page.ts';
import { day } from '../../time/date-words.ts';
import { drawPage } from './blocks/page.ts';
import { batchProgressPage } from '../../features/batches/pages/batches.ts';
import { campaignBoardPage, campaignEndPage } from '../../features/campaigns/pages/board.ts';
import {
  campaignEscalationsPage,
  campaignNoticesPage,
  campaignReportsPage,
  campaignWeeksPage,
} from '../../features/campaigns/pages/messages.ts';
import type { Message } from './blocks/message.ts';
import { ownPasswordMessage, withPasswordsToPrint } from './users/password.ts';
import { digestPage } from '../../features/alerts/pages/digest.ts';
import {
  assignedPage,
  ownResultPage,
  submissionPage,
  submissionsPage,
  testAlertPage,
  threadPage,
} from '../../features/alerts/pages/submissions.ts';

/** What a channel or a person reads. */
export function announcementMessage(announcement: Announcement): Message {
  if (announcement.kind === 'own-password') return ownPasswordMessage(announcement);
  if (announcement.kind === 'batch-progress')
    return withPasswordsToPrint(drawPage(batchProgressPage(announcement.progress)), announcement.progress);
  return drawPage(pageOf(announcement), { isWhole: announcement.kind === 'submissions' });
}

type Drawn = Exclude<Announcement, { kind: 'own-password' | 'batch-progress' }>;

const pageOf = <Kind extends Drawn['kind']>(announcement: Of<Kind>): Page => pages[announcement.kind](announcement);

type Of<Kind extends Drawn['kind']> = Extract<Drawn, { kind: Kind }>;

/** What each says. */
const pages: { readonly [Kind in Drawn['kind']]: (announcement: Of<Kind>) => Page } = {
  note: ({ note }) => note,
  submission: submissionPage,
  submissions: submissionsPage,
  'thread-head': ({ counts }) => threadPage(counts),
  digest: (announcement) => digestPage(announcement.digest, announcement.subscription),
  'test-alert': ({ subscription }) => testAlertPage(subscription),
  assigned: assignedPage,
  'own-result': ownResultPage,
  'campaign-board': campaignBoardPage,
  'campaign-end': campaignEndPage,
  'campaign-notices': campaignNoticesPage,
  'campaign-escalations': campaignEscalationsPage,
  'campaign-weeks': campaignWeeksPage,
  'campaign-reports': (announcement) => campaignReportsPage(announcement, 'Slack'),
  'audit-changes': (announcement) => auditPostPage(announcement, operationNamed),
  'audit-request': (announcement) => auditPostPage(announcement, operationNamed),
  'audit-refusals': (announcement) => auditPostPage(announcement, operationNamed),
  'audit-missing': (announcement) => auditPostPage(announcement, operationNamed),
  departures: ({ list }) => departuresPage(list),
};

/** Lists for those who decide which users of the account have left Slack and can still sign in. */
function departuresPage({ id, people, mass }: DepartureList): Page {
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
        lines: people.map(({ name, leftAt }) => say`• *${shortName(name, 60)}* · left ${day(leftAt)}`),
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
