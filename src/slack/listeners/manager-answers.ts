import type { App } from '@slack/bolt';
import type { Identity } from '../../directory/identity.ts';
import { leadsOf, type Campaign, type CampaignEvent, type CampaignMember } from '../../domain/campaign.ts';
import { memberState } from '../../obligations/members.ts';
import type { CampaignService } from '../../operations/services/campaigns.ts';
import {
  afterNotReport,
  managerActionIds,
  notTheirsWords,
  readReportInCampaigns,
  type ReportInCampaigns,
} from '../views/campaigns/campaign-reports.ts';
import type { ListenerContext } from './listener-context.ts';
import { onMessageButton } from './message-buttons.ts';

interface ManagerAnswers {
  campaigns: (teamId: string) => Pick<CampaignService, 'byId' | 'put'>;
  identity: Pick<Identity, 'actorOf'>;
  now: () => number;
}

/** A member of a running campaign whose manager the person is. */
interface OwnReport {
  campaign: Campaign;
  member: CampaignMember;
}

/** Takes what managers answer by the buttons of their list of late people. */
export function registerManagerAnswers(app: App, listenerContext: ListenerContext, deps: ManagerAnswers): void {
  for (const answer of ['notReport', 'undo'] as const)
    onMessageButton(app, listenerContext, managerActionIds[answer], async ({ teamId, personId, action }) => {
      const about = readReportInCampaigns(action.value);
      const name = await (answer === 'notReport' ? sayNotReport : takeBack)(deps, teamId, personId, about);
      if (name === undefined) return { refusal: notTheirsWords };
      return { blocks: (blocks) => afterNotReport(blocks, action, name, about) };
    });
}

/** The campaigns in which the member still has to take the quiz and the person is their manager, as it is stored now. */
async function ownReports(
  { campaigns, identity, now }: ManagerAnswers,
  teamId: string,
  personId: string,
  { userId, campaignIds }: ReportInCampaigns,
): Promise<OwnReport[]> {
  const { nobody } = await identity.actorOf(personId, { fresh: true });
  if (nobody === 'deactivated' || nobody === 'guest' || nobody === 'stranger' || nobody === 'bot') return [];
  const found = await Promise.all(campaignIds.map(async (id) => campaigns(teamId).byId(id)));
  return found.flatMap((campaign) => {
    const member = campaign?.members.find((one) => one.userId === userId);
    return campaign !== undefined &&
      campaign.endedAt === null &&
      member?.managerId === personId &&
      memberState(member, campaign, now()) === 'open'
      ? [{ campaign, member }]
      : [];
  });
}

/** @returns the name of the member; undefined where it changes nothing */
async function sayNotReport(
  deps: ManagerAnswers,
  teamId: string,
  by: string,
  about: ReportInCampaigns,
): Promise<string | undefined> {
  const own = await ownReports(deps, teamId, by, about);
  const told = new Set<string>();
  for (const { campaign } of own) {
    const leads = leadsOf(campaign).join() || campaign.ownerId;
    const event: CampaignEvent = {
      kind: 'not-report',
      userId: about.userId,
      by,
      ...(told.has(leads) && { isNotified: true }),
    };
    await deps.campaigns(teamId).put(campaign.id, event);
    told.add(leads);
  }
  return own[0]?.member.name;
}

/** Only who said so takes it back. */
async function takeBack(
  { campaigns }: ManagerAnswers,
  teamId: string,
  by: string,
  { userId, campaignIds }: ReportInCampaigns,
): Promise<string | undefined> {
  let name: string | undefined;
  for (const id of campaignIds) {
    const campaign = await campaigns(teamId).byId(id);
    const member = campaign?.members.find((one) => one.userId === userId);
    if (campaign?.endedAt !== null || !member?.notReportOf?.includes(by)) continue;
    await campaigns(teamId).put(id, { kind: 'report-after-all', userId, by });
    name = member.name;
  }
  return name;
}
