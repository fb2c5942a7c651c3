import type { App, BlockAction, ButtonAction } from '@slack/bolt';
import type { Identity } from '../../directory/identity.ts';
import { leadsOf, type Campaign, type CampaignEvent, type CampaignMember } from '../../domain/campaign.ts';
import { named, namedList } from '../../domain/sentence.ts';
import { say } from '../../domain/said.ts';
import { excuseFromCampaign } from '../../features/campaigns/operations/excuse-and-include.ts';
import { memberState } from '../../obligations/members.ts';
import type { CampaignService } from '../../operations/services/campaigns.ts';
import {
  afterNotReport,
  askExcuseCallbackId,
  askExcuseSorryView,
  askExcuseView,
  managerActionIds,
  notTheirsWords,
  readReportInCampaigns,
  type ReportInCampaigns,
} from '../views/campaigns/campaign-reports.ts';
import { textMessage, type Message } from '../views/blocks/message.ts';
import { md, ownWords } from '../views/blocks/mrkdwn.ts';
import { inputActionId } from '../views/blocks/inputs.ts';
import { outcomeMessage } from '../views/outcome.ts';
import { answerBeside, clickedMessage, notOpenedMessage, openModalOrAnswer } from './answers.ts';
import type { ListenerContext } from './listener-context.ts';
import { onMessageButton } from './message-buttons.ts';

export interface ManagerAnswers {
  campaigns: (teamId: string) => Pick<CampaignService, 'byId' | 'put'>;
  identity: Pick<Identity, 'actorOf'>;
  /** Whether a person may excuse members of a campaign now. The kernel decides again when it does it. */
  answersFor: (personId: string, campaign: Campaign) => Promise<boolean>;
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

  app.action<BlockAction<ButtonAction>>(
    { type: 'block_actions', action_id: managerActionIds.excuse },
    async ({ ack, action, body, client, context }) => {
      await ack();
      const about = readReportInCampaigns(action.value);
      const form = ownReports(deps, context.teamId ?? '', body.user.id, about).then(
        (own) => formFor(own, about),
        (error: unknown) => askExcuseSorryView(md`⚠️ ${ownWords(listenerContext.logAndExplain(error))}`),
      );
      await openModalOrAnswer(
        listenerContext,
        { client, personId: body.user.id, responseTarget: clickedMessage(body, false) },
        {
          triggerId: body.trigger_id,
          view: form,
          waiting: askExcuseSorryView(md`⏳ Looking up who’s late…`),
          instead: (error) => notOpenedMessage(listenerContext, error, []),
        },
      );
    },
  );

  app.view(askExcuseCallbackId, async ({ ack, body, view, client, context }) => {
    const { quizzes, reason } = view.state.values;
    const chosen = quizzes?.[inputActionId]?.selected_options?.map(({ value }) => value);
    await ack();
    const personId = body.user.id;
    const about = readReportInCampaigns(view.private_metadata);
    const messages = await askExcuse(listenerContext, deps, {
      teamId: context.teamId ?? '',
      personId,
      about: { ...about, campaignIds: chosen ?? about.campaignIds },
      reason: (reason?.[inputActionId]?.value ?? '').trim(),
    }).catch((error: unknown) => [textMessage('⚠️', listenerContext.logAndExplain(error))]);
    for (const message of messages) await answerBeside(listenerContext, { client, personId }, message);
  });
}

function formFor(own: readonly OwnReport[], about: ReportInCampaigns) {
  const [first] = own;
  if (first === undefined) return askExcuseSorryView(md`ℹ️ ${notTheirsWords}`);
  const quizzes = own.map(({ campaign: { id, quiz } }) => ({ campaignId: id, quizName: quiz.name }));
  return askExcuseView(first.member.name, quizzes, {
    ...about,
    campaignIds: quizzes.map(({ campaignId }) => campaignId),
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

/** Excuses the member where the manager may, and asks the people who answer for the campaign where they may not. */
async function askExcuse(
  { execute, timeZone }: ListenerContext,
  deps: ManagerAnswers,
  { teamId, personId, about, reason }: { teamId: string; personId: string; about: ReportInCampaigns; reason: string },
): Promise<Message[]> {
  const own = await ownReports(deps, teamId, personId, about);
  if (own.length === 0) return [textMessage('ℹ️', notTheirsWords)];
  const answers: Message[] = [];
  const asked: OwnReport[] = [];
  for (const report of own) {
    const { id } = report.campaign;
    if (!(await deps.answersFor(personId, report.campaign))) {
      const event: CampaignEvent = { kind: 'ask-excuse', userId: about.userId, by: personId, reason, at: deps.now() };
      await deps.campaigns(teamId).put(id, event);
      asked.push(report);
      continue;
    }
    const input = { campaign: [id], people: [about.userId], because: [reason] };
    const outcome = await execute({
      operation: excuseFromCampaign,
      inputs: [input],
      personId,
      teamId,
      through: 'form',
    });
    if (outcome.kind !== 'incomplete') answers.push(outcomeMessage(excuseFromCampaign, input, outcome, timeZone));
  }
  return asked.length === 0 ? answers : [...answers, textMessage('🙏', askedSentence(asked))];
}

function askedSentence(asked: readonly OwnReport[]): string {
  const [first] = asked;
  const quizzes = namedList(asked.map(({ campaign }) => campaign.quiz.name));
  const name = named(first?.member.name ?? '');
  return asked.length === 1
    ? say`Asked to excuse ${name} from ${quizzes}. The person who started the campaign gets your reason, and you hear what they decide.`
    : say`Asked to excuse ${name} from ${quizzes}. The person who started each campaign gets your reason, and you hear what they decide.`;
}
