import { listedName, shownQuizName } from '../../../operations/wording/shown-name.ts';
import type { Announcement } from '../../../domain/announcement.ts';
import { addToCampaign } from '../../../features/campaigns/operations/add.ts';
import { batchResult, resumeBatch } from '../../../features/batches/operations/control-batch.ts';
import { openQuiz } from '../../../features/quizzes/open-and-close.ts';
import { say, mention } from '../../../domain/said.ts';
import { operationButton } from '../blocks/buttons.ts';
import { buttonRow } from '../blocks/item-actions.ts';
import type { Message } from '../blocks/message.ts';
import { section } from '../blocks/mrkdwn.ts';
import { campaignButtons } from './campaign-buttons.ts';
import { nameList } from '../../../features/campaigns/pages/words.ts';

type Of<Kind extends Announcement['kind']> = Extract<Announcement, { kind: Kind }>;

const namesAtMost = 10;

/** Tells who answers for a campaign that nobody can take its quiz. */
export function campaignPausedMessage({ campaignId, quizId, quizName, by }: Of<'campaign-paused'>): Message {
  const quiz = say`*${shownQuizName(quizName)}*`;
  const heading =
    by === undefined
      ? say`⏸️ ${quiz} isn’t open any more, so its campaign is paused. Nobody gets messages until it’s open again.`
      : say`⏸️ ${mention(by)} closed ${quiz}, so its campaign is paused. Nobody gets messages until it’s open again.`;
  return {
    text: heading,
    blocks: [
      section(heading),
      ...buttonRow([
        ...operationButton('open', {
          text: say`Open quiz`,
          doing: 'beside',
          operation: openQuiz,
          raw: { quiz: [quizId] },
        }),
        ...campaignButtons(campaignId, ['extend', 'end', 'all']),
      ]),
    ],
  };
}

/** Tells the others that the owner or the lead of a campaign cannot see results any more. */
export function campaignOrphanedMessage({ campaignId, quizName, who }: Of<'campaign-orphaned'>): Message {
  const quiz = say`*${shownQuizName(quizName)}*`;
  const heading =
    who.length > 1
      ? say`👤 Nobody answers for the campaign for ${quiz} any more: the person who started it and its lead can’t see its results.`
      : who[0] === 'owner'
        ? say`👤 The person who started the campaign for ${quiz} can’t see its results any more.`
        : say`👤 The lead of the campaign for ${quiz} can’t see its results any more, so the names of missing people come to you.`;
  return {
    text: heading,
    blocks: [section(heading), ...buttonRow(campaignButtons(campaignId, ['takeOver', 'all']))],
  };
}

/** Asks a person to answer for a campaign. Everybody who reads it by then is asked who they are at the press. */
export function campaignOfferMessage({ campaignId, quizName, by, at }: Of<'campaign-offer'>): Message {
  const heading = say`🤝 ${mention(by)} asks you to answer for the campaign for *${shownQuizName(quizName)}*. You’d get its questions, and the names of the people who are missing. Nothing changes until you accept, within 7 days.`;
  const offer = { offer: [String(at)] };
  return {
    text: heading,
    blocks: [
      section(heading),
      ...buttonRow([...campaignButtons(campaignId, ['accept'], offer), ...campaignButtons(campaignId, ['all'])]),
    ],
  };
}

/** Tells the person who asked. */
export function campaignAcceptedMessage({ campaignId, quizName, by }: Of<'campaign-accepted'>): Message {
  const heading = say`🤝 ${mention(by)} answers for the campaign for *${shownQuizName(quizName)}* now.`;
  return {
    text: heading,
    blocks: [section(heading), ...buttonRow(campaignButtons(campaignId, ['all']))],
  };
}

/** Tells the owner of a campaign who does not get its quiz, so that they hear nothing from it, or that nobody gets it any more. */
export function campaignUnassignedMessage(unassigned: Of<'campaign-unassigned'>): Message {
  const { campaignId, quizName, batchId, isStopped, members } = unassigned;
  const quiz = say`*${shownQuizName(quizName)}*`;
  const heading = isStopped
    ? say`⏸️ Assigning ${quiz} for its campaign has stopped. People who don’t have it yet get no messages. The result says why.`
    : say`⚠️ ${quiz} couldn’t be assigned to ${nameList(
        members.map(({ name }) => name),
        { most: namesAtMost },
      )}, so its campaign sends ${members.length === 1 ? 'them' : 'these people'} nothing. The result says why.`;
  const people = members.map(({ userId }) => `user:${userId}`);
  const batch = { batch: [batchId] };
  return {
    text: heading,
    blocks: [
      section(heading),
      ...buttonRow([
        ...(isStopped
          ? operationButton('resume', { text: say`Resume`, doing: 'beside', operation: resumeBatch, raw: batch })
          : operationButton('add', {
              text: say`Try again`,
              doing: 'beside',
              operation: addToCampaign,
              raw: { campaign: [campaignId], people },
            })),
        ...operationButton('result', { text: say`Get result`, doing: 'beside', operation: batchResult, raw: batch }),
        ...campaignButtons(campaignId, ['all']),
      ]),
    ],
  };
}

/** Tells the leads that somebody’s manager is another person. */
export function notReportMessage({ campaignId, quizName, userId, name, by }: Of<'campaign-not-report'>): Message {
  const who = say`*${listedName(name, true)}*`;
  const sentence = say`↩️ ${mention(by)} says that ${who} doesn’t report to them. They still have to take *${shownQuizName(quizName)}*, and from now on you get the name.`;
  return {
    text: sentence,
    blocks: [section(sentence), ...buttonRow(campaignButtons(campaignId, ['excuse', 'all'], { people: [userId] }))],
  };
}
